import type { JournalEntry } from '../../src/line/record/journal-entry.ts';
import type { LineFacts } from '../../src/line/words/line-facts.ts';
import type { Digest } from '../../src/line/digest/digest.ts';
import { gatherDigest } from '../../src/line/digest/gather-digest.ts';
import type { RepositoryNight } from '../../src/line/digest/repository-night.ts';
import type { PlacedEntry } from '../../src/line/journal/journal.ts';
import { aContract, admitted } from './records.ts';

export const ROOT = '/home/me/shop';
export const FROM = '2026-01-16T00:00:00.000Z';
export const TO = '2026-01-17T07:00:00.000Z';

/** A line that a watchdog moves, and in which nothing is wrong. */
export const A_LINE: LineFacts = {
  watchdog: { pid: 1, doing: 'watch', waits: null },
  paused: null,
  night: null,
  blocked: null,
  task: null,
  activity: null,
  parked: [],
  next_try: null,
  judge_is_outside: false,
  waiting: [],
  queue: [],
  refusals: [],
  proposal: null,
  decision: null,
  edited: null,
  former_repository: null,
  barred: null,
  journal_lost: null,
  unwell: [],
};

/** What a queue says of a contract that is the next one. */
export const ORDER = {
  priority: 0,
  after: [],
  not_before: null,
  by_hand: false,
  waits_for: 'its turn',
  tasks: [],
} as const satisfies Partial<LineFacts['queue'][number]>;

/** The entries of one task, its contract first. */
export const task = (taskId: string, ...entries: readonly JournalEntry[]): readonly PlacedEntry[] =>
  [admitted({ contract: { ...aContract(), taskId } }), ...entries].map((entry) => ({ seq: 0, taskId, entry }));

/** What a journal tells that was written in this order. */
export const journal = (...parts: readonly (readonly PlacedEntry[])[]): readonly PlacedEntry[] =>
  parts.flat().map((one, at) => ({ ...one, seq: at + 1 }));

/** A repository in which every entry is new. */
export const aNight = (entries: readonly PlacedEntry[], changes: Partial<RepositoryNight> = {}): RepositoryNight => ({
  name: 'shop',
  root: ROOT,
  entries,
  since: 0,
  line: A_LINE,
  damage: undefined,
  held: new Map(),
  notKnown: [],
  ...changes,
});

/** The digest of one night. */
export const digest = (night: RepositoryNight): Digest => gatherDigest([night], { from: FROM, to: TO });
