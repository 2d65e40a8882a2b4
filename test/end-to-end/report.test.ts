import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import type { Factory } from '../support/factory.ts';
import { judges } from '../support/scenario.ts';
import { HOSTILE, anEventfulTask, page } from '../support/eventful-task.ts';

/** A merged task without any adventure. */
async function aMergedTask(): Promise<Factory> {
  const factory = await aFactory();
  const { dog } = await factory.run(aContract());
  await dog.stop();
  return factory;
}

describe('andon report', () => {
  test('tells a task with a red gate, a FAIL, a halt and a merge, and writes nothing by itself', async () => {
    const factory = await anEventfulTask(`Merge both; ${HOSTILE}`);
    const before = [factory.snapshot(), readdirSync(factory.repo)];
    const { code, stdout, stderr } = await factory.andon('report', 'DOC-001');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const text of [
      /^DOC-001 was merged into main .* 4 attempts; sent back once by gates, once by the judge and once by a human; stopped by judge\\?_halt, .* chose path 1; judged PASS in round 3 and merged on andon’s policy\.$/m,
      /^\| Judge 1 \| 2 \| FAIL \| 1 \| 1 \| 0 \| 0 \| 1 of 1 \|$/m,
      /^\| Judge 2 \| 3 \| CRITICAL_HALT \|/m,
      /^\| 1 \| not one \| red \| 1 \|/m,
      /^- Path 1 \*\*\(chosen\)\*\*: /m,
      /^\+Version 4\.$/m,
      new RegExp(`^\\| Merge commit \\| ${factory.merges()[0]} \\|$`, 'm'),
      new RegExp(`^\\| 4 \\| .* refs/andon/DOC-001/4 \\| merged into main`, 'm'),
    ])
      expect(stdout).toMatch(text);
    expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
    const html = await page(factory);
    expect(html).toContain('refs/andon/DOC-001/4');
    expect(html).not.toMatch(/<script|<img|<svg onload/);
    const facts = JSON.parse((await factory.andon('report', 'DOC-001', '--json')).stdout) as object;
    expect(facts).toMatchObject({
      status: 'merged',
      journal_is_whole: true,
      halts: [{ trip: { breaker: 'judge_halt' }, choice: { path: 1, how: 'andon resume' } }],
      rounds: { 1: { by: 'judge', verdict: 'FAIL', blocking: [{ gone_in_next_round: true }] } },
      attempts: [{ gates: [{ outcome: 'red' }] }, {}, {}, { ref: 'refs/andon/DOC-001/4' }],
    });
    expect([factory.snapshot(), readdirSync(factory.repo)]).toEqual(before);
  });

  test('tells a task that waits for you, and one that nobody knows is refused', { tags: 'thorough' }, async () => {
    const factory = await aFactory({ scenario: { judge: [judges('CRITICAL_HALT')] } });
    await factory.run(aContract());
    const { stdout } = await factory.andon('report', 'DOC-001');
    expect(stdout).toMatch(/^# DOC-001: waits for you$/m);
    expect(stdout).toContain('Nobody has chosen yet.');
    for (const text of [stdout, await page(factory)])
      expect(text).toMatch(/andon resume DOC-001 --path 2 --halt DOC-001-\d/);
    expect(await factory.andon('report', 'NO-1')).toMatchObject({ code: 2, stdout: '' });
  });

  test(
    'goes where --out says, as the name of the file says, and replaces only a report',
    { tags: 'thorough' },
    async () => {
      const factory = await aMergedTask();
      const write = (...args: string[]) => factory.andon('report', 'DOC-001', ...args);
      for (const round of ['new', 'replaced'])
        for (const [file, start] of [
          ['report.html', '<!doctype html>'],
          ['report.md', '<!-- andon report -->'],
        ] as const) {
          expect([round, (await write('--out', file)).stdout]).toEqual([round, `wrote ${join(factory.repo, file)}\n`]);
          expect(factory.read(file).startsWith(start)).toBe(true);
        }
      expect((await write('--md', '--out', 'page.html')).code).toBe(0);
      expect(factory.read('page.html').startsWith('<!-- andon report -->')).toBe(true);
      expect(readdirSync(factory.repo).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    },
  );

  test(
    'refuses a place where something could be lost, in one sentence, and leaves it as it was',
    { tags: 'thorough' },
    async () => {
      const factory = await aMergedTask();
      symlinkSync('.git', join(factory.repo, 'sneaky'));
      symlinkSync('README.md', join(factory.repo, 'link.html'));
      mkdirSync(join(factory.repo, 'folder'));
      writeFileSync(join(factory.repo, 'mine.html'), '<!doctype html><title>mine</title>');
      const readme = factory.read('README.md');
      const states = join(factory.folder, 'state/andon/repositories');
      const state = join(states, readdirSync(states)[0] ?? '');
      for (const [place, sentence] of [
        ['README.md', 'is there already and is no report of andon'],
        ['mine.html', 'is there already and is no report of andon'],
        ['.git/report.html', 'lies inside .git'],
        ['sneaky/report.html', 'lies inside .git'],
        ['sneaky', 'is no plain file'],
        ['link.html', 'is no plain file'],
        ['_handoff/TASK_CONTRACT.json', 'belongs to the line'],
        ['folder', 'is a folder'],
        ['nowhere/report.html', 'lies in a folder that is not there'],
        [join(state, 'report.html'), "lies in andon's own state"],
      ] as const) {
        const { code, stdout, stderr } = await factory.andon('report', 'DOC-001', '--out', place);
        expect({ place, code, stdout }).toEqual({ place, code: 2, stdout: '' });
        expect(stderr).toContain(sentence);
        expect(stderr).not.toContain('    at ');
      }
      expect(factory.read('README.md')).toBe(readme);
      expect(factory.read('mine.html')).toBe('<!doctype html><title>mine</title>');
      expect(existsSync(join(factory.repo, '.git/report.html'))).toBe(false);
      expect(existsSync(join(factory.handoff, 'TASK_CONTRACT.json'))).toBe(false);
      const two = await factory.andon('report', 'DOC-001', '--html', '--md');
      expect([two.code, two.stderr]).toEqual([2, expect.stringContaining('--html and --md are two forms')]);
      const kept = await factory.andon('report', 'DOC-001', '--json', '--out', 'facts.json');
      expect([kept.code, existsSync(join(factory.repo, 'facts.json'))]).toEqual([2, false]);
    },
  );
});
