import { describe, expect, test } from 'vitest';
import { forbids, ruleFile } from '../support/rule-files.ts';
import { EVIL, ruled } from '../support/ruled.ts';

const RULES = ruleFile(
  forbids('security.no-eval', 'eval', { category: 'security' }),
  forbids('style.no-hack', 'HACK', { severity: 'LOW' }),
);
const AGENTS = JSON.stringify({
  agents: {
    'claude-admin': { roles: ['security'], rules: ['security/*'], enforcement: 'strict' },
    stylist: { roles: ['qa'], rules: ['style/*'] },
    codex: { rules: ['all'] },
  },
});
const world = (text: string) =>
  ruled({ files: { 'src/a.ts': text, '.rulebound/agents.json': AGENTS } }, 'advisory', RULES);
const BOTH = ['--agents', 'claude-admin,stylist'];

describe('andon review', () => {
  test('passes what every agent passes, and shows each', async () => {
    const factory = await world('export const a = 1;\n');
    const { code, stdout } = await factory.andon('review', ...BOTH, '--file', 'src/a.ts');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^claude-admin \(security\): PASS.*\nstylist \(qa\): PASS.*\n\nPASS {2}claude-admin, stylist passed it\n$/,
    );
    expect(factory.git('status', '--porcelain')).toBe('');
  });

  test('fails a change that violates a MUST rule of one of them, in whatever order they are named', async () => {
    const factory = await world(EVIL);
    for (const agents of ['claude-admin,stylist', 'stylist,claude-admin']) {
      const { code, stdout } = await factory.andon('review', '--agents', agents, '--file', 'src/a.ts', '--json');
      expect(code).toBe(1);
      expect(JSON.parse(stdout)).toMatchObject({ status: 'FAIL', decided_by: 'security' });
    }
  });

  test('warns of what violates no MUST rule, and lets the higher role pass it', async () => {
    const factory = await world('export const a = 1; // HACK\n');
    const alone = await factory.andon('review', '--agents', 'stylist', '--file', 'src/a.ts');
    expect(alone).toMatchObject({ code: 0, stdout: expect.stringContaining('\nWARN  stylist') as string });
    const both = await factory.andon('review', ...BOTH, '--file', 'src/a.ts', '--json');
    expect(JSON.parse(both.stdout)).toMatchObject({ status: 'PASS', decided_by: 'security' });
  });

  test('reviews what the branch changed where nothing else is named', { tags: 'thorough' }, async () => {
    const factory = await world('export const a = 1;\n');
    factory.git('switch', '-q', '-c', 'feature');
    factory.write('src/b.ts', EVIL);
    factory.git('add', '--all');
    factory.git('commit', '-qm', 'more');
    const { code, stdout } = await factory.andon('review', ...BOTH, '--base', 'main');
    expect(code).toBe(1);
    expect(stdout).toContain('src/b.ts:1');
    const bare = await factory.andon('review', ...BOTH, '--diff');
    expect(bare).toMatchObject({ code: 1, stdout: expect.stringContaining('src/b.ts:1') as string });
    const beside = await factory.andon('review', ...BOTH, '--plan', 'Rename a file', '--diff');
    expect(beside).toMatchObject({ code: 1, stdout: expect.stringContaining('src/b.ts:1') as string });
    const twice = await factory.andon('review', ...BOTH, '--diff', '--file', 'src/a.ts');
    expect(twice).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be combined') as string });
  });

  test('passes nothing that no rule of theirs is about', async () => {
    const factory = await world('export const a = 1;\n');
    const { code, stdout } = await factory.andon('review', ...BOTH, '--file', 'README.md');
    expect(code).toBe(2);
    expect(stdout).toContain('UNDECIDED');
  });

  test('names of wrong agents end with 2 and say what there is', async () => {
    const factory = await world('');
    for (const [args, why] of [
      [['--agents', 'nobody'], 'available agents: claude-admin, stylist, codex'],
      [['--agents', 'stylist,stylist'], 'each name once'],
      [['--agents', 'stylist,'], 'Missing argument: --agents'],
      [[], 'Missing argument: --agents'],
    ] as const) {
      const { code, stderr } = await factory.andon('review', ...args, '--file', 'src/a.ts');
      expect(code, why).toBe(2);
      expect(stderr).toContain(why);
    }
  });
});
