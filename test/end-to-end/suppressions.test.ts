import { describe, expect, test } from 'vitest';
import { forbids, ruleFile } from '../support/rule-files.ts';
import { EVIL, asked, ruled } from '../support/ruled.ts';

const WAIVED = '- { rule: dynamic-code, reason: until the rewrite, owner: ann, expires: 2999-12-31 }\n';

describe('what keeps a finding from counting', () => {
  test('is a waiver, which stays visible', async () => {
    const factory = await ruled({ files: { 'src/a.ts': EVIL, '.andon/waivers.yaml': WAIVED } });
    const ended = await factory.andon('check', '--file', 'src/a.ts');
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('suppressed by a waiver (ann, until 2999-12-31): until the rewrite');
  });

  test('is a baseline, also when lines move, and a new violation counts again', { tags: 'thorough' }, async () => {
    const factory = await ruled({ files: { 'src/a.ts': EVIL } });
    const taken = await factory.andon('check', '--file', 'src/a.ts', '--update-baseline');
    expect(taken).toMatchObject({ code: 0, stdout: expect.stringContaining('the baseline holds 1 finding') });
    factory.write('src/a.ts', `\n\n${EVIL}`);
    expect(await asked(factory, 'check', '--file', 'src/a.ts')).toMatchObject({
      exit: 0,
      findings: [{ suppressed: { by: 'baseline' } }],
    });
    factory.write('src/a.ts', `\n\n${EVIL}eval(more);\n`);
    expect(await asked(factory, 'check', '--file', 'src/a.ts')).toMatchObject({ exit: 1 });
    factory.write('src/a.ts', 'ok();\n');
    expect((await asked(factory, 'check', '--file', 'src/a.ts')).warnings.join()).toContain(
      '--update-baseline forgets them',
    );
    expect((await asked(factory, 'check', '--file', 'src/a.ts', '--phase', 'TEST')).warnings.join()).not.toContain(
      '--update-baseline',
    );
    await factory.andon('check', '--file', 'src/a.ts', '--update-baseline');
    expect(factory.read('.andon/baseline.json')).not.toContain('fingerprint');
  });

  test('is a baseline without the findings of a deleted file', { tags: 'thorough' }, async () => {
    const factory = await ruled({ files: { 'src/a.ts': EVIL, 'src/b.ts': 'ok();\n' } });
    await factory.andon('check', '--file', 'src/a.ts', '--update-baseline');
    factory.git('add', '--all');
    factory.git('commit', '--quiet', '--message=The baseline');
    factory.git('rm', '--quiet', 'src/a.ts');
    expect((await asked(factory, 'check', '--staged')).warnings.join()).toContain(
      "1 of the baseline's findings is gone",
    );
    await factory.andon('check', '--file', 'src/b.ts', '--update-baseline');
    expect(factory.read('.andon/baseline.json')).not.toContain('fingerprint');
  });

  test('is no baseline that cannot be read, and taking one keeps what is there', { tags: 'thorough' }, async () => {
    const factory = await ruled({ files: { 'src/a.ts': EVIL, '.andon/baseline.json': '<<<<<<< HEAD\n' } });
    const wrong = await factory.andon('check', '--file', 'src/a.ts');
    expect(wrong).toMatchObject({ code: 2, stdout: expect.stringContaining('.andon/baseline.json:1') });
    const taken = await factory.andon('check', '--file', 'src/a.ts', '--update-baseline');
    expect(taken).toMatchObject({ code: 2, stderr: expect.stringContaining('the baseline is not written') });
    expect(factory.read('.andon/baseline.json')).toBe('<<<<<<< HEAD\n');
    const narrowed = await factory.andon('check', '--file', 'src/a.ts', '--phase', 'TEST', '--update-baseline');
    expect(narrowed).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be combined') });
  });

  test('is for a P0 rule only a waiver that a human signed', { tags: 'thorough' }, async () => {
    const rules = ruleFile(forbids('dynamic-code', 'eval', { severity: 'CRITICAL', handler: 'TERMINATE' }));
    const factory = await ruled(
      { files: { 'src/a.ts': `// andon-allow dynamic-code: because\n${EVIL}` } },
      'strict',
      rules,
    );
    expect((await factory.andon('check', '--file', 'src/a.ts', '--update-baseline')).stdout).toContain(
      '1 of hard constraints or P0 rules is left out',
    );
    factory.write('.andon/waivers.yaml', WAIVED);
    expect(await factory.andon('check', '--file', 'src/a.ts')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('enforced_by: hard_constraint'),
    });
    factory.write('.andon/waivers.yaml', WAIVED.replace(' }', ', signed_by: Ann Lee }'));
    expect(await factory.andon('check', '--file', 'src/a.ts')).toMatchObject({ code: 0 });
  });
});
