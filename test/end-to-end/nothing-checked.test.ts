import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EVIL, ruled } from '../support/ruled.ts';

const HEADER = 'diff --git a/a.ts b/a.ts\nindex 1111111..2222222 100644\n';

describe('what looks like a check of something', () => {
  test('ends with 2 for what holds nothing to check', async () => {
    const factory = await ruled({ files: { 'src/a.ts': 'ok();\n' } });
    const files = {
      'empty.json': '{}',
      'list.json': '[]',
      'cut.patch': HEADER,
      'names.patch': `${HEADER}--- a/a.ts\n+++ b/a.ts\n`,
      'fresh.patch': 'diff --git a/a.ts b/a.ts\nnew file mode 100644\nindex 0000000..2222222\n',
      'empty.patch': '\n',
      'above.patch': '--- a/../../etc/passwd\n+++ b/../../etc/passwd\n@@ -1 +1 @@\n-a\n+b\n',
      'absolute.patch': '--- a/a.ts\n+++ /etc/passwd\n@@ -1 +1 @@\n-a\n+b\n',
    };
    for (const [name, text] of Object.entries(files)) factory.write(name, text);
    for (const [what, args] of [
      ['a plan that is not there', ['--plan', 'plan.md']],
      ['a plan in a folder that is not there', ['--plan', 'docs/plan']],
      ['a folder as the plan', ['--plan', 'src']],
      ['a contract without anything in it', ['--contract', 'empty.json']],
      ['a list as a contract', ['--contract', 'list.json']],
      ['a diff that ends after the header of a file', ['--diff', 'cut.patch']],
      ['a diff that ends after the names of a file', ['--diff', 'names.patch']],
      ['a diff that ends before any text of a new file', ['--diff', 'fresh.patch']],
      ['an empty diff', ['--diff', 'empty.patch']],
      ['a diff of a file above the repository', ['--diff', 'above.patch']],
      ['a diff of a file anywhere on the machine', ['--diff', 'absolute.patch']],
    ] as const) {
      const ended = await factory.andon('check', ...args);
      expect(ended.code, what).toBe(2);
      expect(ended.stderr).toMatch(/^andon: .+\n {7}.+\n$/);
    }
  });

  test('passes for a plan in words that names a path, and for an empty diff that was meant', async () => {
    const factory = await ruled();
    expect(await factory.andon('check', '--plan', 'Change src/a.ts')).toMatchObject({ code: 0 });
    factory.write('empty.patch', '');
    expect(await factory.andon('check', '--diff', 'empty.patch', '--allow-empty')).toMatchObject({ code: 0 });
  });

  test.each(['.andon/config.yaml', '.rulebound/config.json', '.andon/waivers.yaml', '.andon/baseline.json'])(
    'ends with 2 when %s is a pipe or a folder',
    { tags: 'thorough' },
    async (name) => {
      const factory = await ruled({ files: { 'src/a.ts': 'ok();\n' } });
      const path = join(factory.repo, name);
      for (const make of [() => void execFileSync('mkfifo', [path]), () => mkdirSync(path)]) {
        mkdirSync(join(path, '..'), { recursive: true });
        rmSync(path, { force: true, recursive: true });
        make();
        const ended = await factory.andon('check', '--file', 'src/a.ts');
        expect(ended.code).toBe(2);
        expect(ended.stderr).toContain(name);
        expect(ended.stderr).toContain('not a plain file');
      }
    },
  );

  test('never lets a name begin a line, or a command of the machine that keeps the log', async () => {
    const factory = await ruled({ files: { 'src/a.ts': EVIL } });
    const ended = await factory.andon('check', '--file', 'none\n::error::gone\n##[error]x');
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/^andon: .+\n {7}.+\n$/);
    expect(ended.stderr).not.toContain('##[');
    writeFileSync(join(factory.folder, 'none'), '');
    const of = await factory.andon('check', '--plan', '\n::error::gone/x.md'.trim());
    expect(of.stderr).not.toMatch(/^\s*::/m);
  });
});
