import { existsSync, mkdirSync } from 'node:fs';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { HUMAN } from '../../../src/base/names.ts';
import { getReportNonce } from '../../../src/line/core/find-outside-wait.ts';
import { foldJournal } from '../../../src/line/core/fold-journal.ts';
import { decideOnReport } from '../../../src/line/halt-answers/decide-on-report.ts';
import { openWritableJournal } from '../../../src/line/journal/open-journal.ts';
import { readLine } from '../../../src/line/readers/read-line.ts';
import { LiveFloor } from '../../support/live-floor.ts';
import { aContract, aReport, admitted, moved } from '../../support/records.ts';

const DECISION = '_handoff/DECISION.json';

/** A task that waits for a person's decision on its report. */
async function anAwaitingTask() {
  const live = await LiveFloor.make();
  onTestFinished(() => live.close());
  const place = await live.place();
  const journal = openWritableJournal(place);
  onTestFinished(() => journal.close());
  const contract = aContract();
  journal.append('DOC-001', [
    admitted({ contract: { ...contract, roles: { ...contract.roles, floorManager: HUMAN } } }),
    moved('judge_complete', 'review_in_progress', 'review_complete', { report: aReport() }),
  ]);
  mkdirSync(live.path('_handoff'));
  const record = foldJournal(journal.entries('DOC-001'));
  if (record === undefined) throw new Error('the task is known');
  const nonce = getReportNonce(record) ?? '';
  const merge = { task_id: 'DOC-001', decision: 'merge', nonce } as const;
  return {
    live,
    nonce,
    decide: () => decideOnReport(place, journal, record, merge),
    told: async () => (await readLine(place, journal)).decision,
    merge: `${JSON.stringify(merge, null, 2)}\n`,
  };
}

const REFUSED = [
  ['a rebuttal without evidence', { task_id: 'DOC-001', decision: 'rebut', nonce: 'NONCE' }, 'a rebuttal needs'],
  ['a decision on an older report', { task_id: 'DOC-001', decision: 'merge', nonce: 'old' }, 'another nonce'],
  ['one for a task that is not on the line', { task_id: 'DOC-009', decision: 'merge', nonce: 'x' }, 'no task DOC-009'],
  ['an answer to a halt that is over', { task_id: 'DOC-001', halt: 'DOC-001-3', path: 1 }, 'DOC-001 is not halted'],
  ['a text that was cut', '{"task_id":"DOC-001","decision":', '$.decision'],
] as const;

describe('a decision on a report, beside a DECISION.json that is there', () => {
  test.each(REFUSED)('is written where %s counts for nothing, and that one is kept', async (_, file, why) => {
    const { live, nonce, decide, told, merge } = await anAwaitingTask();
    const text = (typeof file === 'string' ? file : JSON.stringify(file)).replace('NONCE', nonce);
    live.write(DECISION, text);
    const soon = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    onTestFinished(() => soon.mockRestore());
    expect(await told()).toContain(why);
    decide();
    expect(live.read(DECISION)).toBe(merge);
    expect(live.read('_handoff/archive/DOC-001/refused.DECISION.json')).toBe(text);
    live.write(DECISION, text);
    decide();
    expect(live.read('_handoff/archive/DOC-001/refused.2.DECISION.json')).toBe(text);
  });

  test('is refused while the other may count, or is being written', async () => {
    const { live, nonce, decide, told } = await anAwaitingTask();
    for (const text of [JSON.stringify({ task_id: 'DOC-001', decision: 'fix', fixes: ['x'], nonce }), '{"task_id":']) {
      live.write(DECISION, text);
      expect(decide).toThrow('is there already, and may count');
      expect(live.read(DECISION)).toBe(text);
    }
    expect(existsSync(live.path('_handoff/archive'))).toBe(false);
    live.write(DECISION, JSON.stringify({ task_id: 'DOC-001', decision: 'merge', nonce }));
    expect(await told()).toBe(`${DECISION} is there; andon watch reads it`);
  });
});
