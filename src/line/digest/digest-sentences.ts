import { formatCount, formatDollars, formatDuration, formatNumber, shortId } from '../documents/task-report/words.ts';
import type { Ceiling, Digest, MergedTask, SentBack, UsedAmount, WaitingItem } from './digest.ts';

/** The whole digest in one sentence without its full stop. */
export function digestHeadline({ needs_you, merged, sent_back, given_up, waits, spent }: Digest): string {
  const gone = given_up.length === 0 ? [] : [`${given_up.length} given up`];
  const out = merged.filter(({ undone_as }) => undone_as !== null).length;
  const counts = [
    `${needs_you.length} ${needs_you.length === 1 ? 'needs' : 'need'} you`,
    `${merged.length} merged${out === 0 ? '' : ` (${out} of them taken out again)`}`,
    `${sent_back.length} sent back`,
    ...gone,
    `${waits.length} ${waits.length === 1 ? 'waits' : 'wait'}`,
  ];
  return `${counts.join(', ')}; spent: ${price(spent.together)}`;
}

export function formatMerge({ target, commit, undone_as: undone, held, ...merged }: MergedTask): string {
  if (undone !== null) return `was merged into ${target} and is taken out again, as ${shortId(undone)}`;
  const by = merged.decided_by === null ? [] : [`on the word of ${merged.decided_by}`];
  const judged = merged.verdict === null ? 'not judged' : `judged ${merged.verdict}`;
  const outside = merged.judged_outside ? ' from outside, held to its quotes' : '';
  const gates =
    merged.gates === 0
      ? 'no gate, only the reviewers'
      : `${merged.gates_green} of ${merged.gates} gates green${formatSecondRun(merged.second_look_seconds)}`;
  const gone = held === false ? [`but ${target} does not hold it any more`] : [];
  return [`merged into ${target} as ${shortId(commit)}`, `${judged}${outside}`, gates, ...by, ...gone].join('; ');
}

/** That the gates ran again, with the tests of base and change swapped. */
const formatSecondRun = (seconds: number | null): string =>
  seconds === null ? '' : `, run again with swapped tests${seconds === 0 ? '' : ` (${seconds} s)`}`;

/** How often a change went back, and its outcome. */
export function formatSentBack({ rounds, halts, status }: SentBack): string {
  const answered = [...new Set(status === 'erik_consultation' ? halts.slice(0, -1) : halts)].join(', ');
  const halted = answered === '' ? '' : `, halted by ${answered}`;
  return `sent back ${formatCount(rounds.length, 'time')}${halted}; now ${NOW[status] ?? `at ${status}`}`;
}

/** The distinct reasons with their counts; the reviewer's last words are quoted. */
export function formatRejectionReasons({ rounds }: SentBack): readonly string[] {
  const known = new Map<string, number>();
  for (const { why } of rounds) known.set(why, (known.get(why) ?? 0) + 1);
  const last = rounds.findLast(({ says }) => says !== null);
  return [
    ...[...known].map(([why, times]) => (times === 1 ? why : `${times} times: ${why}`)),
    ...(last === undefined ? [] : [`the ${last.by === 'judge' ? 'judge' : 'local reviewer'} says: ${last.says ?? ''}`]),
  ];
}

const NOW: Readonly<Record<string, string>> = {
  merged: 'merged',
  abandoned: 'given up',
  erik_consultation: 'halted: it needs you',
};

/** Usage in both currencies; unreported usage is unknown, never zero. */
export const formatUsed = (used: UsedAmount): string =>
  `${formatCount(used.calls, 'call')}, ${price(used)}, ${tokens(used)}, ${formatDuration(used.minutes * 60_000)} of agents`;

function price({ usd, usd_known: known, calls_without_price: unknown }: UsedAmount): string {
  if (usd !== null) return formatDollars(usd);
  const of = `${formatCount(unknown, 'call')} of unknown price`;
  return known > 0 ? `${formatDollars(known)} and ${of}` : of;
}

function tokens({ tokens: sum, tokens_known: known, calls_without_tokens: unknown }: UsedAmount): string {
  if (sum !== null) return `${formatNumber(sum)} tokens`;
  return `${known > 0 ? `at least ${formatNumber(known)}` : 'unknown'} tokens (${formatCount(unknown, 'call')} did not say)`;
}

/** Usage of the task's ceilings since it began. */
export const formatCeilings = (ceilings: readonly Ceiling[]): string =>
  ceilings.length === 0 ? 'no ceiling' : `of its ceilings: ${ceilings.map(ceilingInWords).join(', ')}`;

function ceilingInWords({ of, used, at_least: least, ceiling }: Ceiling): string {
  const show = SHOWN[of];
  const spent = used === null ? (least > 0 ? `at least ${show(least)}` : 'unknown') : show(used);
  return `${spent} of ${show(ceiling)}${of === 'usd' ? '' : ` ${of}`}`;
}

const SHOWN = {
  usd: (value: number): string => formatDollars(value),
  tokens: (value: number): string => formatNumber(value),
  minutes: (value: number): string => String(Math.round(value * 10) / 10),
} as const;

export const describeWaitingItem = (waits: WaitingItem, when: (at: string) => string): string =>
  `waits for ${waits.for}${waits.since === null ? '' : `, since ${when(waits.since)}`}`;
