/** @module-tag thorough */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { nextHalt } from '../support/halts.ts';
import { judges, answerOnce, type Stations } from '../support/scenario.ts';
import { PATH, resume, write } from '../support/versions.ts';

const FLAW = /a missing requirement|broken logic|a secret in the code/;

describe('a judge that is tried with a known-bad change', () => {
  test('and passes it stops the line; nothing of yours was judged or merged, and nothing of it is in your repository', async () => {
    const factory = await tried(1);
    const before = factory.snapshot();
    const { dog, status } = await factory.run(aContract());
    expect([status, factory.breaker()]).toEqual(['erik_consultation', 'unreadable_report']);
    const report = factory.paper('ERIK_HALT.md') ?? '';
    expect(report).toContain('the judge passed a change that is known to be bad');
    expect(report).toMatch(FLAW);
    expect(factory.calls('judge')).toHaveLength(1);
    expect(factory.merges()).toEqual([]);
    expect(factory.paper('JUDGE_REPORT.json')).toBeUndefined();
    expect(factory.paper('REVIEW_IN_PROGRESS.md')).toBeUndefined();
    const asked = factory.calls('judge')[0]?.prompt ?? '';
    const [, commit = ''] = /^commit: (\S+)$/m.exec(asked) ?? [];
    expect(commit).not.toBe((await factory.show('DOC-001')).commit);
    expect(() => factory.git('cat-file', '-e', commit)).toThrow();
    expect(withoutTask(factory.snapshot())).toEqual(before);
    await dog.stop();
  });

  test('and passes it is explained, told in the story and shown in the report; tried again it must fail another one', async () => {
    const factory = await tried(1);
    const { dog } = await factory.run(aContract());
    const explained = (await factory.andon('explain', 'DOC-001')).stdout;
    expect(explained).toContain('the judge passed a change that is known to be bad');
    expect((await factory.andon('logs')).stdout).toMatch(/PASSED a change that is known to be bad/);
    const page = join(factory.folder, 'report.html');
    expect((await factory.andon('report', 'DOC-001', '--out', page)).code).toBe(0);
    expect(readFileSync(page, 'utf8')).toContain('PASSED a change that is known to be bad');
    await resume(factory, 1);
    expect(await nextHalt({ factory, dog }, 2)).toContain('unreadable_report: the judge passed a change');
    factory.script({ judge: [answerOnce(judges('FAIL')), judges('PASS')] });
    await resume(factory, 1);
    await dog.until(() => factory.isMerged());
    expect(factory.calls('judge')).toHaveLength(4);
    expect((await factory.andon('verify')).code).toBe(0);
  });

  test('and passes it can be replaced by a human, who is not tried', async () => {
    const factory = await tried(1);
    const { dog } = await factory.run(aContract());
    await resume(factory, 2);
    await dog.until(() => factory.paper('REVIEW_REQUEST.md'));
    const request = factory.paper('REVIEW_REQUEST.md') ?? '';
    expect(request).toContain((await factory.show('DOC-001')).commit ?? 'no commit');
    expect(factory.calls('judge')).toHaveLength(1);
  });

  test.each([['FAIL'], ['CONDITIONAL'], ['CRITICAL_HALT']])(
    'and says %s is then asked about yours; one merge, one verdict, and both calls are charged',
    async (verdict) => {
      const factory = await tried(1, {
        judge: [answerOnce(judges(verdict, { required_fixes: ['x'] })), judges('PASS')],
      });
      const { dog, status } = await factory.run(aContract());
      expect(status).toBe('merged');
      expect(factory.calls('judge')).toHaveLength(2);
      const task = await factory.show('DOC-001');
      expect([task.verdict, task.review_cycles, task.cost_usd]).toEqual(['PASS', 0, 0.04]);
      expect(task.story.map(({ text }) => text).join('\n')).toContain(`and said ${verdict}, as it must`);
      expect(factory.merges()).toHaveLength(1);
      await dog.stop();
    },
  );

  test('gets the same form of request: only what it says of the change differs', async () => {
    const factory = await tried(1, { judge: [answerOnce(judges('FAIL')), judges('PASS')] });
    await factory.run(aContract());
    const [canary, real] = factory
      .calls('judge')
      .map(({ prompt, argv }) => [
        prompt.replace(/^(commit|contract_digest): \w+$/gm, '$1: …'),
        argv.filter((word) => !/^[\w-]{36}$/.test(word)),
      ]);
    expect(canary).toEqual(real);
  });

  test('is tried before the first judgement and then after every so many, over tasks and restarts', async () => {
    const factory = await tried(2, {
      implementer: [answerOnce(write(1)), answerOnce(write(2)), write(3)],
      judge: [
        answerOnce(judges('FAIL')),
        answerOnce(passes(1)),
        answerOnce(passes(2)),
        answerOnce(judges('FAIL')),
        passes(3),
      ],
    });
    for (const [number, calls] of [
      [1, 2],
      [2, 3],
      [3, 5],
    ] as const) {
      const { dog, status } = await factory.run(aContract({ task_id: `DOC-00${number}` }));
      expect([status, factory.calls('judge').length]).toEqual(['merged', calls]);
      await dog.stop();
    }
  });

  test('whose answer about it is no report is asked again, and three of those stop the line', async () => {
    const factory = await tried(1, { judge: [judges('FAIL', { commit: 'another' })] });
    const { status } = await factory.run(aContract());
    expect([status, factory.breaker()]).toEqual(['erik_consultation', 'unreadable_report']);
    expect(factory.paper('ERIK_HALT.md')).toContain('asked about a known-bad change, the judge gave no report');
    expect(factory.calls('judge')).toHaveLength(3);
  });

  test('is not tried where the budget does not cover it', async () => {
    const factory = await tried(1, { judge: [answerOnce(judges('FAIL')), judges('PASS')] });
    const { status } = await factory.run(aContract({ 'limits.cost_ceiling_usd': 0.005 }));
    expect([status, factory.breaker(), factory.calls('judge').length]).toEqual(['erik_consultation', 'budget', 0]);
  });

  test('is never tried where nobody says so, and a repository cannot say so', async () => {
    const factory = await aFactory({ projectConfig: { canary: { every: 1 } } });
    const { status } = await factory.run(aContract());
    expect([status, factory.calls('judge').length]).toEqual(['merged', 1]);
  });
});

/** A PASS that quotes what version `number` of the document brings. */
const passes = (number: number): ReturnType<typeof judges> =>
  judges('PASS', { evidence: [{ file: PATH, line: null, quote: `Version ${number}.` }] });

/** A repository whose user has the judge tried. */
async function tried(every: number, scenario: Stations = {}): Promise<Factory> {
  const factory = await aFactory({ scenario });
  const file = join(factory.folder, 'config/andon/config.yaml');
  const written = parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, stringify({ ...written, canary: { every } }));
  expect(existsSync(file)).toBe(true);
  return factory;
}

/** Everything but what every task leaves in git. */
const withoutTask = (seen: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(seen).filter(([name]) => !/refs\/heads\/task\//.test(name)));
