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

  test('is not a waiver that has expired, or that cannot be read', async () => {
    const factory = await ruled({ files: { 'src/a.ts': EVIL } });
    factory.write('.andon/waivers.yaml', WAIVED.replace('2999', '2020'));
    const expired = await factory.andon('check', '--file', 'src/a.ts');
    expect(expired).toMatchObject({ code: 1, stdout: expect.stringContaining('expired on 2020-12-31') });
    factory.write('.andon/waivers.yaml', WAIVED.replace('2999-12-31', 'someday'));
    const wrong = await factory.andon('check', '--file', 'src/a.ts');
    expect(wrong).toMatchObject({ code: 2, stdout: expect.stringContaining('.andon/waivers.yaml') });
    expect(wrong.stdout).toContain('dynamic-code');
  });

  test('is a comment with a reason, and one that suppresses nothing is said', async () => {
    const factory = await ruled({
      files: {
        'src/a.ts': `// andon-allow dynamic-code: a sandbox of its own\n${EVIL}ok(); // andon-allow open-ends: none\n`,
      },
    });
    const report = await asked(factory, 'check', '--file', 'src/a.ts');
    expect(report).toMatchObject({ exit: 0, findings: [{ suppressed: { by: 'inline' } }] });
    expect(report.warnings).toEqual(['src/a.ts:3: andon-allow open-ends suppresses nothing']);
  });

  test('is a baseline, also when lines move, and a new violation counts again', async () => {
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

  test('is a baseline without the findings of a deleted file', async () => {
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

  test('is no baseline that cannot be read, and taking one keeps what is there', async () => {
    const factory = await ruled({ files: { 'src/a.ts': EVIL, '.andon/baseline.json': '<<<<<<< HEAD\n' } });
    const wrong = await factory.andon('check', '--file', 'src/a.ts');
    expect(wrong).toMatchObject({ code: 2, stdout: expect.stringContaining('.andon/baseline.json:1') });
    const taken = await factory.andon('check', '--file', 'src/a.ts', '--update-baseline');
    expect(taken).toMatchObject({ code: 2, stderr: expect.stringContaining('the baseline is not written') });
    expect(factory.read('.andon/baseline.json')).toBe('<<<<<<< HEAD\n');
    const narrowed = await factory.andon('check', '--file', 'src/a.ts', '--phase', 'TEST', '--update-baseline');
    expect(narrowed).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be combined') });
  });

  test(
    'is not a baseline for a new violation that a branch adds to a file, nor for its line a second time',
    { tags: 'thorough' },
    async () => {
      const factory = await ruled({ files: { 'src/a.ts': EVIL } });
      await factory.andon('check', '--file', 'src/a.ts', '--update-baseline');
      factory.git('add', '--all');
      factory.git('commit', '--quiet', '--message=The baseline');
      factory.git('checkout', '--quiet', '-b', 'feature');
      for (const added of ['eval(req.body);\n', EVIL]) {
        factory.write('src/a.ts', added + EVIL);
        factory.git('commit', '--quiet', '--all', '--message=A change');
        const { findings, exit } = await asked(factory, 'ci', '--base', 'main');
        expect([exit, findings.filter(({ suppressed }) => suppressed === undefined)]).toMatchObject([
          1,
          [{ file: 'src/a.ts' }],
        ]);
        expect(findings[0]).not.toHaveProperty('matched');
      }
    },
  );

  test('is a baseline of a measure only for as long as the measure has not grown', async () => {
    const short = { id: 'short-files', checks: [{ type: 'metric', metric: 'file_lines', max: 12 }] };
    const factory = await ruled(
      { files: { 'src/a.ts': 'x();\n'.repeat(14) } },
      'strict',
      ruleFile(forbids('open-ends', 'FIXME', { match: undefined, ...short })),
    );
    await factory.andon('check', '--file', 'src/a.ts', '--update-baseline');
    for (const [lines, exit] of [
      [14, 0],
      [13, 0],
      [902, 1],
    ] as const) {
      factory.write('src/a.ts', 'x();\n'.repeat(lines));
      expect(await asked(factory, 'check', '--file', 'src/a.ts')).toMatchObject({ exit });
    }
  });

  test('is for a P0 rule only a waiver that a human signed', async () => {
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

describe('andon rules feedback', () => {
  test('notes that a rule was wrong, and rules stats counts it', async () => {
    const factory = await ruled({ files: { 'src/a.ts': EVIL } });
    const { findings } = await asked(factory, 'check', '--file', 'src/a.ts');
    const id = findings[0]?.fingerprint.slice(0, 12) ?? '';
    expect(await factory.andon('feedback', 'dynamic-code', id, '--false', 'it is a test')).toMatchObject({ code: 0 });
    expect(await factory.andon('feedback', 'dynamic-code', 'src/a.ts:1', '--false', 'it is a test')).toMatchObject({
      code: 0,
    });
    expect((await factory.andon('rules', 'stats', '--json')).stdout).toContain('dynamic-code');
  });

  test.each([
    ['a rule that is not there', ['no-such', 'src/a.ts:1', '--false', 'x']],
    ['no reason', ['dynamic-code', 'src/a.ts:1']],
    ['neither an id nor a place', ['dynamic-code', 'somewhere', '--false', 'x']],
  ])('with %s ends with 2', async (_, args) => {
    const factory = await ruled();
    expect((await factory.andon('feedback', ...args)).code).toBe(2);
  });
});
