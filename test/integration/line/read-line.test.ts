import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { openLedgerIn, getStatesHome } from '../../../src/line/calls/open-ledger.ts';
import { describeTrouble } from '../../../src/line/words/describe-line.ts';
import { holdToWatch } from '../../../src/line/daemon/watchdog.ts';
import { openTasks } from '../../../src/line/journal/active-task.ts';
import { readTaskReport } from '../../../src/line/readers/read-task-report.ts';
import { readLine } from '../../../src/line/readers/read-line.ts';
import { openWritableJournal } from '../../../src/line/journal/open-journal.ts';
import { LiveFloor } from '../../support/live-floor.ts';
import { AT, aContract, aHalt, admitted, moved, started } from '../../support/records.ts';

test('readLine calls no journal cut that a running andon has continued since it was read, and names the lost end of one that is shorter on the disk, too', async () => {
  const live = await LiveFloor.make();
  onTestFinished(() => live.close());
  const place = await live.place();
  const journal = openWritableJournal(place);
  onTestFinished(() => journal.close());
  journal.append('A-1', [admitted(), started()]);
  mkdirSync(live.path('_handoff'));
  const lostAfter = async (sequence: number): Promise<string | null> => {
    writeFileSync(live.path('_handoff/transition.ndjson'), `${JSON.stringify({ sequence })}\n`);
    return (await readLine(place, { ...journal, head: () => 1 })).journal_lost;
  };
  expect(await lostAfter(2)).toBeNull();
  expect(await lostAfter(9)).toMatch(/ends at entry 2, .* tells of entry 9/);
});

test.each([
  [
    'names the stopped night that holds a watchdog of an earlier start',
    0,
    /^the night was stopped at \S+; `andon night/,
  ],
  ['knows that a watchdog which started after the stopped night goes on', 1, null],
])('readLine %s', async (_, stopBefore, expected) => {
  const live = await LiveFloor.make();
  onTestFinished(() => live.close());
  const place = await live.place();
  const { lock } = await holdToWatch(place, { stopBefore });
  onTestFinished(() => lock.release());
  const ledger = openLedgerIn(getStatesHome(place));
  onTestFinished(() => ledger.close());
  const from = new Date().toISOString();
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const night = ledger.openNight({ from, until, usd: null, tokens: null });
  ledger.endNight(night?.id ?? 0, from, 'stopped');
  const facts = await readLine(place, undefined);
  if (expected === null) expect(facts).toMatchObject({ blocked: null });
  else expect(facts).toMatchObject({ blocked: expect.stringMatching(expected) as string, night: null });
  const commands = describeTrouble(facts).map(({ text }) => text.trim());
  expect(commands.includes('andon night --stop --keep-watching')).toBe(expected !== null);
});

test('a decision that has no effect is named wherever it is, also in the folder of a parked task', async () => {
  const live = await LiveFloor.make();
  onTestFinished(() => live.close());
  const place = await live.place();
  const journal = openWritableJournal(place);
  onTestFinished(() => journal.close());
  journal.append('A-1', [
    admitted({ contract: { ...aContract(), taskId: 'A-1' } }),
    moved('judge_complete', 'pending_implementer', 'erik_consultation', { halt: aHalt({ reach: 'task' }) }),
    { kind: 'parked', at: AT, halt: 'A-1-1' },
  ]);
  const folder = '_handoff/tasks/A-1/DECISION.json';
  const decide = (file: string, task_id: string): void =>
    live.write(file, JSON.stringify({ task_id, halt: 'A-1-1', path: 1 }));
  const decision = async () => (await readLine(place, journal)).decision;
  expect(await decision()).toBeNull();
  decide(folder, 'A-1');
  expect(await decision()).toBe(`${folder} is there; andon watch reads it`);
  decide(folder, 'B-1');
  decide('_handoff/DECISION.json', 'B-1');
  const why = (where: string): string =>
    `has no effect now: no task B-1 is ${where}; correct its \`task_id\`, or remove the file`;
  expect(await decision()).toBe(`_handoff/DECISION.json ${why('on the line')}. ${folder} ${why('in this folder')}`);
});

test('the report of a task whose agent was cut off says that it waits for a watchdog, as the line does', async () => {
  const live = await LiveFloor.make();
  onTestFinished(() => live.close());
  const place = await live.place();
  const journal = openWritableJournal(place);
  onTestFinished(() => journal.close());
  journal.append('DOC-001', [admitted({ base: live.git('rev-parse', 'HEAD') }), started()]);
  const [record] = openTasks({ journal });
  if (record === undefined) throw new Error('the task is open');
  const outcome = async () => (await readTaskReport(place, journal, record, { patch: false })).details.report.outcome;
  expect((await readLine(place, journal)).activity?.phrase).toBe('waits for a watchdog');
  expect(await outcome()).toMatch(/^Waits for a watchdog · submitted /);
  const { lock } = await holdToWatch(place, {});
  onTestFinished(() => lock.release());
  expect(await outcome()).toMatch(/^The implementer works · submitted /);
});
