/** @module-tag thorough */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Factory } from '../support/factory.ts';
import { THREE_RULES, forbids, ruleFile } from '../support/rule-files.ts';
import { EVIL, asked, ruled } from '../support/ruled.ts';

const WAIVED = '- { rule: dynamic-code, reason: r, owner: o, expires: 2999-01-01 }\n';
const ADVISORY = 'enforcement:\n  mode: advisory\n';

/** The ways in which a project's rules are disarmed. */
const DISARMED: readonly (readonly [string, (factory: Factory) => void])[] = [
  ['removes the rules', (factory) => rmSync(join(factory.repo, '.andon'), { recursive: true })],
  ['lowers a rule', (factory) => factory.write('.andon/rules/app.yaml', THREE_RULES.replaceAll('eval', 'never'))],
  ['sets the mode', (factory) => factory.write('.andon/config.yaml', ADVISORY)],
  ['waives', (factory) => factory.write('.andon/waivers.yaml', WAIVED)],
];

function commit(factory: Factory): void {
  factory.git('add', '--all');
  factory.git('commit', '--quiet', '--message=A change');
}

describe('a change is held against rules that it cannot edit', () => {
  test.each(DISARMED)('in a work tree that %s, what is staged is checked all the same', async (_, disarm) => {
    const factory = await ruled();
    factory.write('a.ts', EVIL);
    factory.git('add', 'a.ts');
    disarm(factory);
    const said = await asked(factory, 'check', '--staged');
    expect(said).toMatchObject({ exit: 1, mode: 'strict', findings: [{ rule: 'dynamic-code', file: 'a.ts' }] });
    expect(said.findings[0]).not.toHaveProperty('suppressed');
    expect(said.warnings.filter((one) => one.includes('in the work tree'))).toHaveLength(1);
  });

  test.each(DISARMED)('a commit that %s and violates is stopped, and who objected is said', async (_, disarm) => {
    const factory = await ruled();
    factory.write('a.ts', EVIL);
    disarm(factory);
    factory.git('add', '--all');
    const said = await asked(factory, 'check', '--staged');
    expect(said).toMatchObject({ exit: 1, mode: 'strict' });
    expect(said.findings.filter(({ file }) => file === 'a.ts')).toHaveLength(1);
    const note = said.warnings.find((one) => one.startsWith('this change also changes its own rules'));
    expect(note).toContain('both versions count: the version of HEAD does not pass it with 1 finding');
  });

  test.each(DISARMED)('a branch that %s does not pass its own andon ci', async (_, disarm) => {
    const factory = await ruled();
    factory.git('checkout', '--quiet', '-b', 'feature');
    factory.write('a.ts', EVIL);
    disarm(factory);
    commit(factory);
    const said = await asked(factory, 'ci');
    expect(said).toMatchObject({ exit: 1, mode: 'strict' });
    const shown = await factory.andon('ci', '--format', 'github');
    expect(shown.code).toBe(1);
    expect(shown.stdout).toMatch(/^::error file=a\.ts,line=1/m);
    expect(shown.stdout).toMatch(
      /^::warning::this change also changes its own rules: .* does not pass it with 1 finding/m,
    );
  });

  test('a branch that brings its own baseline does not pass by it', async () => {
    const factory = await ruled();
    factory.git('checkout', '--quiet', '-b', 'feature');
    factory.write('a.ts', EVIL);
    await factory.andon('check', '--file', 'a.ts', '--update-baseline');
    commit(factory);
    expect(await asked(factory, 'ci')).toMatchObject({ exit: 1, findings: [{ file: 'a.ts' }] });
  });

  test('a branch that brings the first rules is held against those', async () => {
    const factory = await ruled({ files: { '.andon/rules/app.yaml': THREE_RULES } });
    factory.git('rm', '--quiet', '-r', '--cached', '.andon');
    factory.git('commit', '--quiet', '--message=No rules yet');
    factory.git('checkout', '--quiet', '-b', 'feature');
    factory.write('a.ts', EVIL);
    commit(factory);
    const said = await asked(factory, 'ci');
    expect(said).toMatchObject({ exit: 1, findings: [{ file: 'a.ts' }] });
    expect(said.warnings.join()).not.toContain('both versions');
  });

  test('a new rule counts at once, and rules that git does not have yet count from the work tree', async () => {
    const factory = await ruled({}, 'strict', THREE_RULES.replaceAll('eval', 'never'));
    factory.write('a.ts', EVIL);
    factory.write('.andon/rules/app.yaml', THREE_RULES);
    factory.git('add', '--all');
    const said = await asked(factory, 'check', '--staged');
    expect(said.exit).toBe(1);
    expect(said.warnings.join()).toContain(
      'the version of HEAD passes it with no finding, the version that is staged does not pass it',
    );
    factory.git('rm', '--quiet', '-r', '--cached', '.andon');
    factory.git('commit', '--quiet', '--no-verify', '--message=Without');
    factory.write('b.ts', EVIL);
    factory.git('add', 'b.ts');
    expect(await asked(factory, 'check', '--staged')).toMatchObject({ exit: 1, findings: [{ file: 'b.ts' }] });
  });

  test('what is broken before is mended by a change, and what a change breaks does not pass', async () => {
    const factory = await ruled({ files: { '.andon/waivers.yaml': '- { rule: [\n' } });
    factory.write('.andon/waivers.yaml', WAIVED);
    factory.git('add', '--all');
    expect(await asked(factory, 'check', '--staged')).toMatchObject({ exit: 0 });
    factory.git('commit', '--quiet', '--message=Mended');
    factory.write('.andon/waivers.yaml', '- { rule: [\n');
    factory.git('add', '--all');
    expect((await factory.andon('check', '--staged')).code).toBe(2);
  });

  test.each(['no rules', 'other rules'])(
    'a branch from when main had %s is held against those of main',
    async (had) => {
      const factory = await ruled({}, 'advisory', THREE_RULES.replaceAll('eval', 'never'));
      if (had === 'no rules') {
        factory.git('rm', '--quiet', '-r', '.andon');
        commit(factory);
      }
      factory.git('branch', 'feature');
      factory.write('.andon/rules/app.yaml', THREE_RULES);
      factory.write('.andon/config.yaml', 'enforcement:\n  mode: strict\n');
      factory.write('late.ts', EVIL);
      commit(factory);
      factory.git('checkout', '--quiet', 'feature');
      factory.write('a.ts', EVIL);
      commit(factory);
      const said = await asked(factory, 'ci', '--base', 'main');
      expect(said).toMatchObject({ exit: 1, mode: 'strict', findings: [{ rule: 'dynamic-code', file: 'a.ts' }] });
      expect(said.findings).toHaveLength(1);
      expect(said.warnings.join()).toMatch(
        /the branch it goes into has got other rules or settings; they count as well: the version of main \([0-9a-f]{7}\) does not pass it with 1 finding/,
      );
      expect(said.warnings.join()).not.toMatch(/this change also changes|has no rules/);
    },
  );

  test('a branch from before a file that the rules of main require need not hold it', async () => {
    const required = { severity: 'HIGH', match: undefined, checks: [{ type: 'file_presence', path: 'SECURITY.md' }] };
    const factory = await ruled();
    factory.git('branch', 'feature');
    factory.write('.andon/rules/app.yaml', ruleFile(forbids('security', 'x', required)));
    factory.write('SECURITY.md', 'Write to us.\n');
    commit(factory);
    factory.git('checkout', '--quiet', 'feature');
    factory.write('a.ts', 'ok();\n');
    commit(factory);
    expect(await asked(factory, 'ci')).toMatchObject({ exit: 0, findings: [] });
  });

  test('a branch is not passed by rules of main that cannot be read', async () => {
    const factory = await ruled();
    factory.git('branch', 'feature');
    factory.write('.andon/rules/app.yaml', 'rules: [\n');
    commit(factory);
    factory.git('checkout', '--quiet', 'feature');
    factory.write('a.ts', 'ok();\n');
    commit(factory);
    const ended = await factory.andon('ci');
    expect(ended.code).toBe(2);
    expect(ended.stdout).toMatch(/of the version of main \([0-9a-f]{7}\)/);
  });

  test('the branch that a pull request goes into is what CI says, not what the branch says of itself', async () => {
    const factory = await ruled();
    factory.git('checkout', '--quiet', '-b', 'feature');
    factory.write('a.ts', EVIL);
    factory.write('.andon/config.yaml', 'target: feature\nenforcement:\n  mode: strict\n');
    commit(factory);
    Object.assign(factory.env, { GITHUB_BASE_REF: 'main' });
    expect((await factory.andon('ci')).code).toBe(1);
  });
});
