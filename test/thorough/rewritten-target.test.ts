/** @module-tag thorough */
import * as fc from '../support/properties.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { LiveFloor } from '../support/live-floor.ts';

/** Three commits, each with a file of its own: what is dropped is known by it. */
const HISTORY = [{ 'one.txt': 'one\n' }, { 'two.txt': 'two\n' }, { 'three.txt': 'three\n' }];
/** What a clean run writes into the journal, and more. */
const MOMENTS = 16;

/** What a user does to the branch that a task is to be merged into. */
const DEEDS: Readonly<Record<string, (live: LiveFloor) => void>> = {
  reset: (live) => live.git('reset', '--quiet', '--hard', 'HEAD~1'),
  'reset far': (live) => live.git('reset', '--quiet', '--hard', 'start'),
  amend: (live) => {
    live.write('amended.txt', 'amended\n');
    live.git('add', '--all');
    live.git('commit', '--quiet', '--amend', '--message=Amended');
  },
  rebase(live) {
    const tree = live.git('rev-parse', 'HEAD^{tree}');
    const rebased = live.git('commit-tree', tree, '-p', 'start', '-m', 'Rebased');
    live.git('reset', '--quiet', '--hard', rebased);
  },
  'force-update': (live) => live.git('reset', '--quiet', '--hard', 'other'),
  commit: (live) => void live.commit({ 'forward.txt': `${live.git('rev-parse', 'HEAD')}\n` }),
  'edit of the same file': (live) => void live.commit({ 'notes/1.txt': 'A note by hand.\n' }),
};

async function aHistory(): Promise<LiveFloor> {
  const live = await LiveFloor.make();
  onTestFinished(() => live.close());
  live.git('branch', 'start');
  live.git('switch', '--quiet', '--create', 'other');
  live.commit({ 'other.txt': 'other\n' }, 'Another history');
  live.git('switch', '--quiet', 'main');
  for (const files of HISTORY) live.commit(files);
  return live;
}

describe('A target that is rewritten while a task runs', () => {
  test.each(['reset', 'amend', 'rebase', 'force-update'])(
    'by %s before the judge has spoken: the task is built again on it and judged again, and nothing dropped comes back',
    async (deed) => {
      const live = await aHistory();
      const dropped = live.git('rev-parse', 'main');
      await live.start();
      live.meanwhile = {
        noted: (entry) => {
          if (entry.kind !== 'started' || entry.station !== 'judge' || entry.call > 3) return;
          DEEDS[deed]?.(live);
        },
      };
      live.drop('PLAIN-1');
      const record = await live.untilEnd();
      expect(record.status).toBe('merged');
      const [merge = ''] = live.merges('PLAIN-1');
      expect(live.merges('PLAIN-1')).toHaveLength(1);
      expect(live.git('rev-list', 'main').split('\n')).not.toContain(dropped);
      expect(live.git('diff', '--name-only', `${merge}^1`, merge)).toBe('notes/1.txt');
      expect(live.git('rev-parse', `${merge}^2^1`)).toBe(live.git('rev-parse', `${merge}^1`));
      // The same attempt, judged twice: what was merged is what was judged last.
      expect(record.attempt).toBe(1);
      expect(record.rounds).toHaveLength(2);
      expect(live.git('rev-parse', `${record.rounds.at(-1)?.commit ?? ''}^{tree}`)).toBe(
        live.git('rev-parse', `${merge}^2^{tree}`),
      );
    },
  );

  test('in a way that conflicts halts the line in plain words, and the way on builds on the new target', async () => {
    const live = await aHistory();
    live.commit({ 'notes/1.txt': 'A note of the fourth commit.\n' });
    const dropped = live.git('rev-parse', 'main');
    await live.start();
    live.meanwhile = {
      noted: (entry) => {
        if (entry.kind !== 'started' || entry.station !== 'judge') return;
        live.meanwhile = {};
        live.git('reset', '--quiet', '--hard', 'HEAD~1');
        live.commit({ 'notes/1.txt': 'Quite another note.\n' });
      },
    };
    live.drop('PLAIN-1');
    const halted = await live.untilEnd();
    expect(halted.halt?.trip.breaker).toBe('merge_blocked');
    expect(halted.halt?.trip.reason).toContain('main was rewritten');
    expect(halted.halt?.trip.reason).toContain('notes/1.txt');
    await live.resume({ taskId: 'PLAIN-1', path: 1, haltId: undefined, by: 'erik', how: 'test' });
    expect((await live.untilEnd()).status).toBe('merged');
    expect(live.git('rev-list', 'main').split('\n')).not.toContain(dropped);
  });

  test('at any moment, in any way, any number of times: nothing that was dropped comes back, and only the change comes in', async () => {
    const deed = fc.record({
      at: fc.nat(MOMENTS),
      deed: fc.constantFrom(...Object.keys(DEEDS)),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(deed, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        fc.constantFrom('PLAIN-1', 'REWORK-1', 'GATE-1'),
        async (deeds, isElsewhere, taskId) => {
          const live = await aHistory();
          try {
            await runThrough(live, deeds, isElsewhere, taskId);
          } finally {
            await live.close();
          }
        },
      ),
      {
        numRuns: Number(process.env['ANDON_RUNS'] ?? 5),
        endOnFailure: true,
        // Reset to what the merge that is about to land was built on, and one commit further back.
        examples: [
          [
            [
              { at: 3, deed: 'reset' },
              { at: MOMENTS, deed: 'reset' },
            ],
            false,
            'GATE-1',
          ],
        ],
      },
    );
  });
});

async function runThrough(
  live: LiveFloor,
  deeds: readonly { at: number; deed: string }[],
  isElsewhere: boolean,
  taskId: string,
): Promise<void> {
  const known = new Set(live.git('rev-list', 'main').split('\n'));
  let moment = 0;
  let tip = live.git('rev-parse', 'main');
  const seen = new Set<string>();
  const act = (deed: string): void => {
    if (isElsewhere) live.git('switch', '--quiet', 'main');
    try {
      DEEDS[deed]?.(live);
    } catch {
      // such as an amend of what is there already
    }
    tip = live.git('rev-parse', 'main');
    for (const commit of live.git('rev-list', 'main').split('\n')) known.add(commit);
    if (isElsewhere) live.git('switch', '--quiet', '--detach');
  };
  if (isElsewhere) live.git('switch', '--quiet', '--detach');
  await live.start();
  live.meanwhile = {
    noted: (entry) => {
      if (entry.kind === 'moved' && (entry.to === 'merged' || entry.facts.merge !== undefined)) return;
      for (const { at, deed } of deeds) if (at === moment) act(deed);
      moment += 1;
    },
    beforeLanding: () => {
      for (const { at, deed } of deeds)
        if (at >= moment && !seen.has(`${at}`)) {
          seen.add(`${at}`);
          act(deed);
        }
    },
  };
  live.drop(taskId);
  const record = await live.untilEnd();
  if (record.status !== 'merged') {
    expect(record.halt?.trip.breaker).toBe('merge_blocked');
    expect(live.merges(taskId)).toEqual([]);
    return;
  }
  const [merge = '', ...others] = live.merges(taskId);
  expect(others).toEqual([]);
  expect(live.git('rev-parse', `${merge}^1`)).toBe(tip);
  expect(live.git('diff', '--name-only', tip, merge)).toBe('notes/1.txt');
  const mine = new Set(live.git('rev-list', tip).split('\n'));
  const back = live
    .git('rev-list', 'main')
    .split('\n')
    .filter((commit) => known.has(commit) && !mine.has(commit));
  expect(back).toEqual([]);
}
