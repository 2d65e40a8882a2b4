import { existsSync, readFileSync } from 'node:fs';
import type { JournalEntry } from '../../line/record/journal-entry.ts';
import type { TaskRecord } from '../../line/record/task-record.ts';

/** Sources: the journal's story of a task, and the stand-ins' call log. */
interface Accounts {
  readonly record: TaskRecord;
  readonly entries: readonly JournalEntry[];
  readonly moves: readonly Extract<JournalEntry, { kind: 'moved' }>[];
  readonly calls: ReturnType<typeof stationsCalled>;
}

const count = <Item>(items: readonly Item[], isSo: (item: Item) => boolean): number => items.filter(isSo).length;

const COUNTED = {
  attempts: ({ record }) => record.attempt,
  'review cycles': ({ record }) => record.reviewCycles,
  rebuttals: ({ record }) => record.rebuttals,
  'refusals for scope': ({ moves }) =>
    count(moves, ({ facts }) => facts.scopeRefused !== undefined || facts.protectedRefused !== undefined),
  strikes: ({ moves }) => count(moves, ({ facts }) => facts.strike !== undefined && facts.strike.kind !== 'refused'),
  stalls: ({ record }) => record.stalls,
  'unreadable reports': ({ record }) => record.unreadableReports,
  waits: ({ entries }) => count(entries, ({ kind }) => kind === 'held'),
  'interrupted calls': ({ entries }) => count(entries, ({ kind }) => kind === 'interrupted'),
  'implementer calls': ({ calls }) => count(calls, (station) => station === 'implementer'),
  'reviewer calls': ({ calls }) => count(calls, (station) => station === 'reviewer'),
  'judge calls': ({ calls }) => count(calls, (station) => station === 'judge'),
  'lines lost': ({ record }) => record.change?.lost ?? 0,
  'lines of the project': ({ record }) => record.change?.projectLines ?? 0,
  'lines of the diff': ({ record }) => (record.change?.added ?? 0) + (record.change?.deleted ?? 0),
  cents: ({ record }) => Math.round(record.spent.usd * 100),
  merges: ({ moves }) => count(moves, ({ to }) => to === 'merged'),
} as const satisfies Readonly<Record<string, (accounts: Accounts) => number>>;

/** The line's counts, as a drill compares them. */
export type Figures = Readonly<Record<keyof typeof COUNTED, number>>;
export const FIGURES = Object.keys(COUNTED) as readonly (keyof Figures)[];

export function readFigures(record: TaskRecord, entries: readonly JournalEntry[], scenario: string): Figures {
  const moves = entries.filter((entry) => entry.kind === 'moved');
  const accounts = { record, entries, moves, calls: stationsCalled(`${scenario}.log`) };
  return Object.fromEntries(FIGURES.map((name) => [name, COUNTED[name](accounts)])) as Figures;
}

/** The station of every call that read a prompt, from the stand-ins' log. */
function stationsCalled(log: string): readonly ('implementer' | 'reviewer' | 'judge')[] {
  if (!existsSync(log)) return [];
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const { program, argv, prompt } = JSON.parse(line) as { program: string; argv: string[]; prompt: string | null };
      if (prompt === null || prompt.trim() === '') return [];
      if (program === 'claude') return ['judge' as const];
      return [argv.some((word) => word.startsWith('deepseek-r1')) ? ('reviewer' as const) : ('implementer' as const)];
    });
}
