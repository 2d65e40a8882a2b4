import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openWorkTree } from '../../../src/rules/files/project-files.ts';
import { readProjectRulebook, loadRulebook } from '../../../src/rules/files/rulebook.ts';

/** A project with these files, beside a folder that does not belong to it. */
function project(files: Readonly<Record<string, string | Uint8Array>>): {
  readonly root: string;
  readonly outside: string;
} {
  const folder = mkdtempSync(join(tmpdir(), 'andon-rules-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [root, outside] = [join(folder, 'project'), join(folder, 'outside')];
  mkdirSync(join(root, '.andon/rules'), { recursive: true });
  mkdirSync(outside);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  return { root, outside };
}

const rule = (id: string): string => `rule: { id: ${id}, severity: LOW, match: { pattern: x } }\n`;
const faults = async (root: string): Promise<readonly string[]> =>
  (await readProjectRulebook(root)).faults.map(({ source, message }) => `${source.name}: ${message}`);

describe('the rules of a project', () => {
  test('are read from both folders, in a stable order, README files left aside', async () => {
    const { root } = project({
      '.andon/rules/b.yaml': rule('B'),
      '.andon/rules/deep/a.json': '{"rules": [{"id": "A", "severity": "LOW"}]}',
      '.andon/rules/README.md': '# How we write rules\n',
      '.rulebound/rules/style/c.md': '---\ntitle: C\nseverity: info\n---\nKeep it short.\n',
      '.rulebound/config.json': '{"project": {"stack": ["Go"]}, "extends": ["go"]}',
      '.andon/rules/notes.txt': 'not a rule',
    });
    const book = await readProjectRulebook(root);
    expect(book.faults).toEqual([]);
    expect(book.files).toEqual(['.andon/rules/b.yaml', '.andon/rules/deep/a.json', '.rulebound/rules/style/c.md']);
    expect(book.stack).toEqual(['go']);
    expect(book.rules.map(({ rule: one }) => one.id)).toEqual(
      expect.arrayContaining(['B', 'A', 'style.c', 'go.no-panic']),
    );
  });

  test('are none where there is no folder of rules', async () => {
    const { root } = project({});
    expect(await readProjectRulebook(root)).toMatchObject({ rules: [], faults: [], files: [] });
  });

  test('are read through no link', async () => {
    const { root, outside } = project({ 'shared/s.yaml': rule('S') });
    writeFileSync(join(outside, 'o.yaml'), rule('O'));
    symlinkSync(join(outside, 'o.yaml'), join(root, '.andon/rules/o.yaml'));
    symlinkSync(outside, join(root, '.andon/rules/folder'));
    mkdirSync(join(root, '.rulebound/rules'), { recursive: true });
    for (const folder of ['.andon', '.rulebound'])
      symlinkSync('../../shared/s.yaml', join(root, `${folder}/rules/s.yaml`));
    symlinkSync(join(outside, 'o.yaml'), join(root, '.rulebound/rules/o.yaml'));
    symlinkSync('gone.yaml', join(root, '.andon/rules/z.yaml'));
    expect((await readProjectRulebook(root)).rules.map(({ rule: one }) => one.id)).toEqual([]);
    expect(await faults(root)).toEqual([
      '.andon/rules/folder: a link to a folder is not followed',
      ...['.andon/rules/o', '.andon/rules/s', '.andon/rules/z', '.rulebound/rules/o', '.rulebound/rules/s'].map(
        (name) => `${name}.yaml: it is a symbolic link; it must be a plain file`,
      ),
    ]);
  });

  test('that are no text, no UTF-8, no file or too large are refused, and the sound ones are read', async () => {
    const { root } = project({
      '.andon/rules/a.yaml': Uint8Array.of(0, 1, 2),
      '.andon/rules/b.yaml': Uint8Array.of(0xff, 0xfe, 0x41),
      '.andon/rules/c.yaml': `# ${'x'.repeat(1024 * 1024)}\n`,
      '.andon/rules/e.yaml': `# ${'x'.repeat(300_000)}\n${rule('E')}`,
      '.andon/rules/f.yaml': rule('F'),
    });
    execFileSync('mkfifo', [join(root, '.andon/rules/d.yaml')]);
    expect((await readProjectRulebook(root)).rules.map(({ rule: one }) => one.id)).toEqual(['F']);
    expect(await faults(root)).toEqual([
      '.andon/rules/a.yaml: this is no text',
      '.andon/rules/b.yaml: this is not valid UTF-8',
      '.andon/rules/c.yaml: it is too large (1048579 bytes)',
      '.andon/rules/d.yaml: it is not a plain file',
      '.andon/rules/e.yaml: more than 256 kB',
    ]);
  });

  test('are not silently none where their folder is a link or a file, or lies too deep', async () => {
    const { root, outside } = project({ [`.rulebound/rules/${'deep/'.repeat(20)}a.yaml`]: rule('A') });
    writeFileSync(join(outside, 'o.yaml'), rule('O'));
    rmSync(join(root, '.andon/rules'), { recursive: true });
    symlinkSync(outside, join(root, '.andon/rules'));
    expect(await faults(root)).toEqual([
      expect.stringMatching(/^\.andon\/rules: it cannot be read: .* is a symbolic link, not a folder$/),
      expect.stringContaining('more than 16 folders deep'),
    ]);
  });

  test('are not read past a configuration of the other tool that is a pipe: nobody waits, and that is said', async () => {
    const { root } = project({ '.rulebound/rules/a.yaml': rule('A') });
    execFileSync('mkfifo', [join(root, '.rulebound/config.json')]);
    expect(() => readProjectRulebook(root)).toThrow('config.json cannot be read: it is not a plain file');
  });

  test('are understood anew only when one of them has changed', async () => {
    const { root } = project({ '.andon/rules/a.yaml': rule('A') });
    const before = await loadRulebook(openWorkTree(root));
    expect(await loadRulebook(openWorkTree(root))).toBe(before);
    writeFileSync(join(root, '.andon/rules/b.yaml'), rule('B'));
    expect((await loadRulebook(openWorkTree(root))).rules.map(({ rule: one }) => one.id)).toEqual(['A', 'B']);
    writeFileSync(join(root, '.andon/rules/b.yaml'), rule('C'));
    expect((await loadRulebook(openWorkTree(root))).rules.map(({ rule: one }) => one.id)).toEqual(['A', 'C']);
  });
});
