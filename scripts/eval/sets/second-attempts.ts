import { hallucinationLoop } from '../../../src/line/breakers/hallucination-loop.ts';
import type { Change } from '../../../src/line/record/change.ts';
import { takeFingerprint } from '../../../src/source/change-fingerprint.ts';
import { computeForms } from '../../../src/source/compute-forms.ts';
import type { TaskRecord } from '../../../src/line/record/task-record.ts';
import { share, textOf, type DataSet, type Figure, type Row } from '../data-set.ts';

/** Changes that follow a rejected one: the same again in other clothes, or an honest second attempt. */
export const SECOND_ATTEMPTS: DataSet = {
  name: 'second-attempts',
  async measure(rows, file) {
    const asked = await Promise.all(rows.map(async (row) => ({ row, trips: await trips(row, file) })));
    return {
      rows: rows.length,
      figures: HALVES.flatMap((half) => figuresOf(half, asked)),
      misses: asked
        .filter(({ row, trips: is }) => is !== (row['label'] === 'repeat'))
        .map(({ row }) => `${String(row['half'])}, ${String(row['label'])}: ${String(row['id'])}`),
    };
  },
};

/** `fresh` was written last, most of it under other names and in another turn; its misses were never read. */
const HALVES = ['seen', 'held-out', 'fresh'] as const;

interface Asked {
  readonly row: Row;
  readonly trips: boolean;
}

/** Of the half that the likeness may be mended with, and of the one that only tells how good it is. */
function figuresOf(half: string, all: readonly Asked[]): readonly Figure[] {
  const ofHalf = all.filter(({ row }) => row['half'] === half);
  const tripped = (label: string): number => {
    const labelled = ofHalf.filter(({ row }) => row['label'] === label);
    return share(labelled.filter(({ trips: is }) => is).length, labelled.length);
  };
  return [
    {
      name: `${half}: repeats caught`,
      value: tripped('repeat'),
      isShare: true,
      ...(half === 'fresh' ? {} : goal('at least', REPEATS)), // no goal: a goal would make people read its rows
    },
    { name: `${half}: honest attempts stopped`, value: tripped('honest'), isShare: true, ...goal('at most', HONEST) },
  ];
}

/** The held-out half was caught by 52 % when it was first measured, and has been read since; a miss costs one more round. */
const REPEATS = 0.75;
/** An honest attempt that is stopped costs a human. */
const HONEST = 0.05;
const goal = (must: 'at least' | 'at most', limit: number) => ({ goal: { must, limit } });

/** Whether the breaker takes the second attempt for the rejected one. */
async function trips(row: Row, file: string): Promise<boolean> {
  const text = (key: string): string => textOf(row, key, file);
  const base = new Set(text('base').split('\n'));
  const print = async (content: string) =>
    takeFingerprint(
      new Map([[text('path'), content]]),
      content.split('\n').filter((line) => !base.has(line)),
      await computeForms([[text('path'), content]]),
    );
  const before = { attempt: 1, commit: '1', tree: '1', by: text('by'), why: text('why') };
  const record = {
    contract: { roles: { implementers: ['writer'] } },
    takeovers: [],
    change: { attempt: 2, tree: '2', notes: '', print: await print(text('again')) } as unknown as Change,
    grants: { approved: [] },
    rejected: [{ ...before, print: await print(text('rejected')) }],
  };
  return hallucinationLoop.check(record as unknown as TaskRecord) !== undefined;
}
