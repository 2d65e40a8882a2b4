/** @module-tag thorough */
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { judges } from '../support/scenario.ts';
import { HOSTILE, anEventfulTask } from '../support/eventful-task.ts';

/** A merged task without any adventure. */
async function aMergedTask(): Promise<Factory> {
  const factory = await aFactory();
  const { dog } = await factory.run(aContract());
  await dog.stop();
  return factory;
}

describe('andon show --report', () => {
  test('tells a task with a red gate, a FAIL, a halt and a merge, and writes nothing by itself', async () => {
    const factory = await anEventfulTask(`Merge both; ${HOSTILE}`);
    const before = [factory.snapshot(), readdirSync(factory.repo)];
    const { code, stdout, stderr } = await factory.andon('report', 'DOC-001');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const text = stdout.replaceAll(/<style>.*?<\/style>|<[^>]*>/gs, ' ').replaceAll(/\s+/g, ' ');
    for (const part of [
      /DOC-001 was merged into main .* 4 attempts; sent back once by gates, once by the judge and once by a human; halted \(the judge stopped the task\), .* chose path 1; judged PASS in round 3 and merged automatically\./,
      /Judge 1: FAIL attempt 2, /,
      /Judge 2: CRITICAL_HALT attempt 3, /,
      / \+ Version 4\. /,
      new RegExp(`Merge commit ${factory.merges()[0]} `),
      /refs\/andon\/DOC-001\/4/,
    ])
      expect(text).toMatch(part);
    expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
    expect(stdout).not.toMatch(/<script|<img|<svg onload/);
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

  test('tells a task that waits for you, and one that nobody knows is refused', async () => {
    const factory = await aFactory({ scenario: { judge: [judges('CRITICAL_HALT')] } });
    await factory.run(aContract());
    const { stdout } = await factory.andon('report', 'DOC-001');
    expect(stdout).toContain('waits for you');
    expect(stdout).toMatch(/andon resume DOC-001 --path 2 --halt DOC-001-\d/);
    expect(await factory.andon('report', 'NO-1')).toMatchObject({ code: 2, stdout: '' });
  });

  test('writes the page where --out says, and replaces only a report', async () => {
    const factory = await aMergedTask();
    const write = (...args: string[]) => factory.andon('report', 'DOC-001', ...args);
    for (const round of ['new', 'replaced']) {
      const { stdout } = await write('--out', 'report.html');
      expect([round, stdout]).toEqual([round, `wrote ${join(factory.repo, 'report.html')}\n`]);
      expect(factory.read('report.html').startsWith('<!doctype html>')).toBe(true);
    }
    expect(readdirSync(factory.repo).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('refuses a place where something could be lost, in one sentence, and leaves it as it was', async () => {
    const factory = await aMergedTask();
    symlinkSync('README.md', join(factory.repo, 'link.html'));
    mkdirSync(join(factory.repo, 'folder.html'));
    writeFileSync(join(factory.repo, 'mine.html'), '<!doctype html><title>mine</title>');
    const readme = factory.read('README.md');
    for (const [place, sentence] of [
      ['README.md', 'ends with .html'],
      ['mine.html', 'exists and is not a report of andon'],
      ['link.html', 'is not a report of andon'],
      ['folder.html', 'is not a report of andon'],
      ['nowhere/report.html', 'There is no folder'],
    ] as const) {
      const { code, stdout, stderr } = await factory.andon('report', 'DOC-001', '--out', place);
      expect({ place, code, stdout }).toEqual({ place, code: 2, stdout: '' });
      expect(stderr).toContain(sentence);
      expect(stderr).not.toContain('    at ');
    }
    expect(factory.read('README.md')).toBe(readme);
    expect(factory.read('mine.html')).toBe('<!doctype html><title>mine</title>');
    const two = await factory.andon('report', 'DOC-001', '--html', '--json');
    expect([two.code, two.stderr]).toEqual([2, expect.stringContaining('--html and --json cannot be combined')]);
    const kept = await factory.andon('report', 'DOC-001', '--json', '--out', 'facts.json');
    expect([kept.code, existsSync(join(factory.repo, 'facts.json'))]).toEqual([2, false]);
  });
});
