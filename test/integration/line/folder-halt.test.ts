import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FILES, HANDOFF, type Status } from '../../../src/base/names.ts';
import type { TaskRecord } from '../../../src/line/record/task-record.ts';
import { LiveFloor } from '../../support/live-floor.ts';

const PAPER = `${HANDOFF}/${FILES.contract}`;

describe('a task that is quicker than the watch of its folder', () => {
  let live: LiveFloor;
  beforeEach(async () => {
    live = await LiveFloor.make();
    await live.start();
  });
  afterEach(() => live.close());

  const edit = (): void => {
    const contract = JSON.parse(live.read(PAPER)) as { limits: { max_rebuttals: number } };
    live.write(PAPER, JSON.stringify({ ...contract, limits: { ...contract.limits, max_rebuttals: 99 } }));
  };
  /** Runs a task to its end without a look at the folder in between, as one that is quicker than the watch. */
  const runUnwatched = (onStatus: (status: Status) => void): Promise<TaskRecord> =>
    new Promise((resolve) => {
      live.meanwhile = {
        noted: (entry, record) => {
          if (entry.kind !== 'moved') return;
          onStatus(entry.to);
          if (['merged', 'erik_consultation'].includes(entry.to)) resolve(record);
        },
      };
      live.drop('PLAIN-00001');
      void live.line.poll();
    });
  const expectHalt = ({ halt }: TaskRecord, breaker: string): void => {
    expect(halt?.trip.breaker).toBe(breaker);
    expect(live.merges('PLAIN-00001')).toEqual([]);
  };

  test.each<Status>(['pending_local_review', 'review_complete'])(
    'halts before its next step where its contract is edited at %s',
    async (at) => {
      const record = await runUnwatched((status) => {
        if (status === at) edit();
      });
      expectHalt(record, 'contract_tampered');
    },
  );

  test.each([
    ['an edit', edit, 'contract_tampered'],
    ['a file STOP', () => live.write(`${HANDOFF}/${FILES.stop}`, 'not tonight'), 'cord'],
  ] as const)(
    'halts as well where %s comes while the merge is prepared',
    { tags: 'thorough' },
    async (_, interfere, breaker) => {
      const record = await runUnwatched((status) => {
        if (status !== 'review_complete') return;
        live.commit({ 'notes/4.txt': 'Another note.\n' }); // so that the merge compares the target with the base
        live.meanwhile = {
          ...live.meanwhile,
          counts: (files) => {
            live.meanwhile = { ...live.meanwhile, counts: (same) => same };
            interfere();
            return files;
          },
        };
      });
      expectHalt(record, breaker);
    },
  );
});
