import { existsSync, readFileSync } from 'node:fs';
import type { JournalEntry } from '../record/journal-entry.ts';
import type { LineRecord } from '../record/line-record.ts';

/** What the line counted, as a drill compares it: from the journal, and from the stand-ins' own account of their calls. */
export const FIGURES = [
  'attempts',
  'review cycles',
  'rebuttals',
  'refusals for scope',
  'strikes',
  'stalls',
  'unreadable reports',
  'waits',
  'interrupted calls',
  'implementer calls',
  'reviewer calls',
  'judge calls',
  'lines lost',
  'lines of the project',
  'lines of the diff',
  'cents',
  'merges',
] as const;
export type Figures = Readonly<Record<(typeof FIGURES)[number], number>>;

/** What the line counted, from the journal's story of a task and from the stand-ins' own account of their calls. */
export function figuresOf(record: LineRecord, entries: readonly JournalEntry[], scenario: string): Figures {
  const moves = entries.filter((entry) => entry.kind === 'moved');
  const calls = stationsCalled(`${scenario}.log`);
  const count = <Item>(items: readonly Item[], isSo: (item: Item) => boolean): number => items.filter(isSo).length;
  const { change } = record;
  return {
    attempts: record.attempt,
    'review cycles': record.reviewCycles,
    rebuttals: record.rebuttals,
    'refusals for scope': count(
      moves,
      ({ facts }) => facts.scopeRefused !== undefined || facts.protectedRefused !== undefined,
    ),
    strikes: count(moves, ({ facts }) => facts.strike !== undefined && facts.strike.kind !== 'refused'),
    stalls: record.stalls,
    'unreadable reports': record.unreadableReports,
    waits: count(entries, ({ kind }) => kind === 'held'),
    'interrupted calls': count(entries, ({ kind }) => kind === 'interrupted'),
    'implementer calls': count(calls, (station) => station === 'implementer'),
    'reviewer calls': count(calls, (station) => station === 'reviewer'),
    'judge calls': count(calls, (station) => station === 'judge'),
    'lines lost': change?.lost ?? 0,
    'lines of the project': change?.projectLines ?? 0,
    'lines of the diff': (change?.added ?? 0) + (change?.deleted ?? 0),
    cents: Math.round(record.spent.usd * 100),
    merges: count(moves, ({ to }) => to === 'merged'),
  };
}

/** The station of every call that read a prompt, as the stand-ins wrote it down. */
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
