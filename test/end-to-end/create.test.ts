import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hashOf } from '../support/contract.ts';
import { AUTH_V1, aFactory } from '../support/factory.ts';

const SPEC = `# Spec: One login document
**Complexity:** major

## Source Files
- \`docs/auth_v1.md\`

## Target
- \`docs/auth_final.md\`

## Requirements
- [ ] Merge both documents into one
- [x] Keep the links

## Acceptance criteria
- Links resolve

## Constraints
- **Allowed paths:** \`docs/\`
- **Max diff size:** 150 lines

## Gates
- there=true
`;

describe('andon new --spec', () => {
  test('makes a whole contract of a spec from anywhere, and the line merges it', async () => {
    const factory = await aFactory();
    const elsewhere = join(factory.folder, 'specs');
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'login.md'), SPEC);
    const dog = await factory.watch();
    const made = await factory.andonIn(
      elsewhere,
      'create',
      '--project',
      '../Project-A',
      '--spec',
      'login.md',
      '--json',
    );
    expect(JSON.parse(made.stdout)).toMatchObject({
      task_id: 'ONE-LOGIN-DOCUMENT',
      file: '_handoff/TASK_CONTRACT.json',
      queued: false,
      contract: {
        project: 'Project-A',
        complexity: 'major',
        limits: { max_rebuttals: 4, budget: { usd: 2 } },
        constraints: { allowed_paths: ['docs/'], max_diff_size: 150 },
        specification: {
          source_files: [{ path: 'docs/auth_v1.md', hash: hashOf(AUTH_V1) }],
          target_file: 'docs/auth_final.md',
          requirements: ['Merge both documents into one', 'Keep the links'],
          acceptance_criteria: ['Links resolve'],
        },
        gates: [{ name: 'there', run: 'true' }],
        title: 'One login document',
      },
    });
    expect(await factory.end(dog, 'ONE-LOGIN-DOCUMENT')).toBe('merged');
  });

  test('flags win over the spec and fill its gaps; what is still missing is named with its flag', async () => {
    const factory = await aFactory();
    factory.write('../s.md', '# Überschrift\n\nJust prose.\n');
    const { code, stderr } = await factory.andon('create', '--spec', '../s.md');
    expect(code).toBe(2);
    for (const part of ['--require', '--allow']) expect(stderr).toContain(part);
    const flags = ['--id', 'X-1', '--require', 'It is so', '--allow', 'docs/', '--complexity', 'trivial', '--print'];
    const { stdout } = await factory.andon('create', '--spec', '../s.md', ...flags);
    expect(JSON.parse(stdout)).toMatchObject({
      task_id: 'X-1',
      complexity: 'trivial',
      title: 'Überschrift',
    });
    expect(factory.has('_handoff')).toBe(false);
  });

  test('refuses a forbidden path with words behind it, strips quotes, and notes a path without a file', async () => {
    const factory = await aFactory();
    factory.write('../s.md', `${SPEC}\n## Forbidden paths\n- docs/auth_v2.md (the old one)\n`);
    const refused = await factory.andon('create', '--spec', '../s.md');
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('"docs/auth_v2.md (the old one)"') });
    factory.write('../s.md', `${SPEC}\n## Forbidden paths\n- "docs/auth_v2.md"\n- docs/none.md\n`);
    const made = await factory.andon('create', '--spec', '../s.md', '--print');
    expect(JSON.parse(made.stdout)).toMatchObject({
      constraints: { forbidden_paths: ['docs/auth_v2.md', 'docs/none.md'] },
    });
    expect(made.stderr).toContain('"docs/none.md" matches no file of the repository');
    expect(made.stderr).not.toContain('auth_v2');
  });

  test('what in the spec is not gone by is said, in characters that cannot steer a terminal', async () => {
    const factory = await aFactory();
    factory.write('../s.md', `${SPEC}\n## His\u001b]0;owned\u0007tory\nLong ago\n`);
    const { code, stderr } = await factory.andon('create', '--spec', '../s.md');
    expect(code).toBe(0);
    expect(stderr).toContain('is not read; known headings are Requirements, Acceptance criteria, Allowed paths');
    expect(stderr).not.toContain('\u001b]0;');
  });

  test('refuses wrong words with exit code 2, no stack trace and nothing written', async () => {
    const factory = await aFactory();
    factory.write('../s.md', SPEC);
    factory.write('../bad.md', SPEC.replace('Allowed paths', 'Alowed paths'));
    writeFileSync(join(factory.folder, 'latin.md'), Buffer.from([0x23, 0x20, 0xfc]));
    for (const [args, about] of [
      [['create'], 'Missing options: --require, --allow'],
      [['create', '--spec', 'none.md'], 'There is no file none.md.'],
      [['create', '--spec', 'docs'], 'docs is not a plain file'],
      [['create', '--spec', '../s.md', '--project', '../nowhere'], 'There is no folder'],
      [['create', '--spec', '../bad.md'], 'Alowed paths'],
      [['create', '--spec', '../latin.md'], 'not valid UTF-8'],
      [['create', '--spec', '../s.md', '--allow', 'src/'], '--target-file ($.specification.target_file)'],
    ] as const) {
      const { code, stdout, stderr } = await factory.andon(...args);
      expect({ code, stdout }, about).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(about);
      expect(stderr).not.toMatch(/\n\s+at /);
      expect(factory.has('_handoff')).toBe(false);
    }
  });

  test(
    'shows the notes of a spec to everybody who works on it, as data between fences',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory();
      factory.write('../s.md', `${SPEC}\n## Notes\nThe old page was written in 2019.\n`);
      const dog = await factory.watch();
      expect((await factory.andon('create', '--spec', '../s.md')).code).toBe(0);
      expect(await factory.end(dog, 'ONE-LOGIN-DOCUMENT')).toBe('merged');
      for (const [station, label] of [
        ['implementer', 'contract'],
        ['reviewer', 'what was asked'],
      ] as const) {
        const { prompt = '' } = factory.calls(station)[0] ?? {};
        const [, inside = ''] = new RegExp(`<<<DATA \\w+ ${label}\\n([\\s\\S]*?)\\nDATA \\w+>>>`).exec(prompt) ?? [];
        expect(inside).toContain('Notes (background; what must hold is above):\nThe old page was written in 2019.');
      }
    },
  );
});
