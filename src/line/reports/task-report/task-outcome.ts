import { toBranchName } from '../../../base/names.ts';
import { toTerminalLine } from '../../../base/plain-text.ts';
import { toSentence } from '../../../base/to-sentence.ts';
import type { JournalEntry } from '../../record/journal-entry.ts';
import { classifyEvent, type EventSource } from '../../record/step-event.ts';
import { phraseOfHalt } from '../../halts/halt-words.ts';
import { isUngated } from '../../words/view-task.ts';
import type { HaltFacts } from './list-halts.ts';
import type { ReportBasis } from './gather-facts.ts';
import { formatCount } from '../../../base/format-count.ts';
import {
  millisecondsBetween,
  formatDollars,
  formatPaid,
  formatDuration,
  formatTokens,
  formatList,
  formatTimes,
} from './format-figures.ts';

export function outcomeSentence(report: ReportBasis): string {
  const { record, activity, cost, attempts, from, to } = report;
  const happened = [
    ...describeRejections(report),
    ...record.takeovers.slice(-1).map(({ to }) => `taken over by ${toTerminalLine(to, 60)}`),
    ...describeHalts(report),
  ];
  const took = formatDuration(millisecondsBetween(from, to));
  const paid = formatPaid(cost.total);
  if (!report.isOver && record.halt === undefined)
    return `${[toSentence(activity.phrase), `submitted ${took} ago`, paid, ...happened].join(' · ')}.`;
  const parts = [
    formatCount(attempts.length, 'attempt'),
    ...happened,
    ...(record.status === 'merged' ? describeMerge(report) : []),
    ...(isUngated(record) ? ['no gate, only the reviewers'] : []),
  ];
  return `${describeOutcome(report)} ${took} after it was submitted, for ${paid} and ${formatDuration(cost.total.minutes * 60_000)} of agents’ time: ${parts.join('; ')}.`;
}

export function outcomeWord({ record, isOver }: ReportBasis): { readonly word: string; readonly tone: string } {
  if (record.undone !== undefined) return { word: 'merged, then undone', tone: 'bad' };
  if (record.status === 'merged') return { word: 'merged', tone: 'good' };
  if (record.status === 'erik_consultation') return { word: 'waits for you', tone: 'bad' };
  return isOver ? { word: 'given up', tone: 'bad' } : { word: 'under way', tone: 'wait' };
}

/** The figures beside the sentence: name, value, note. */
export function keyFigures(report: ReportBasis): readonly (readonly [name: string, value: string, more: string])[] {
  const { record, cost, from, to, rounds } = report;
  const { human, agents } = report.waits;
  const waits = [
    ...(human > 0 ? [`${formatDuration(human)} of it waiting for a human`] : []),
    ...(agents > 0 ? [`${formatDuration(agents)} for agents`] : []),
  ];
  const judged = rounds.filter(({ by }) => by === 'judge').length;
  return [
    ['Time', formatDuration(millisecondsBetween(from, to)), waits.join(', ')],
    [
      'Dollars',
      formatDollars(cost.total.usd),
      cost.total.unpriced > 0 ? 'a lower bound' : formatCount(cost.total.calls, 'call'),
    ],
    [
      'Agents’ time',
      formatDuration(cost.total.minutes * 60_000),
      formatTokens(cost.total.tokensIn + cost.total.tokensOut, cost.total.unknownTokens),
    ],
    ['Attempts', String(report.attempts.length), ''],
    ['Judged', formatCount(judged, 'round'), record.rebuttals > 0 ? formatCount(record.rebuttals, 'rebuttal') : ''],
  ];
}

function describeOutcome({ record, undoneBy }: ReportBasis): string {
  const name = record.taskId;
  if (undoneBy !== undefined)
    return `${name} was merged into ${toBranchName(record.target)}, later undone by ${toTerminalLine(undoneBy, 60)},`;
  if (record.status === 'merged') return `${name} was merged into ${toBranchName(record.target)}`;
  return record.halt === undefined
    ? `${name} was given up`
    : `${name} is halted (${phraseOfHalt(record.halt.trip.breaker)}) and waits for you, now`;
}

const SOURCES = [
  ['gates', 'by gates'],
  ['rules', 'by rules'],
  ['reviewer', 'by the local reviewer'],
  ['judge', 'by the judge'],
  ['human', 'by a human'],
] as const;

/** What sent a change back to the implementer. */
function findRejecter(entry: JournalEntry): EventSource | undefined {
  if (entry.kind !== 'moved' || entry.to !== 'pending_implementer' || entry.facts.halt !== undefined) return undefined;
  const { of, by } = classifyEvent(entry.event);
  return of === 'change' && by !== 'human' ? by : undefined;
}

function describeRejections({ record, attempts, story }: ReportBasis): string[] {
  const numbers = new Set(attempts.map(({ number }) => number));
  const sources = [
    ...story.flatMap((entry) => findRejecter(entry) ?? []),
    // A person sends a change back at a halt as well.
    ...record.rejected.flatMap(({ by, attempt }) => (by === 'human' && numbers.has(attempt) ? [by] : [])),
  ];
  const lines = SOURCES.map(([by, who]) => [sources.filter((one) => one === by).length, who] as const)
    .filter(([number]) => number > 0)
    .map(([number, who]) => `${formatTimes(number)} ${who}`);
  return lines.length === 0 ? [] : [`sent back ${formatList(lines)}`];
}

/** Each halt with its answer; many are counted, and only the last is listed. */
function describeHalts({ halts, record }: ReportBasis): readonly string[] {
  const stops = halts.filter(({ choice }) => choice !== null || record.halt === undefined);
  const last = stops.at(-1);
  return stops.length <= MANY_STOPS || last === undefined
    ? stops.map(describeHalt)
    : [`halted ${formatTimes(stops.length)}`, `at last ${describeHalt(last)}`];
}

const MANY_STOPS = 3;

const describeHalt = ({ trip, choice }: HaltFacts): string =>
  `halted (${phraseOfHalt(trip.breaker)}), ${choice?.answer ?? 'without an answer so far'}`;

/** By whom the change was merged, after which verdict. */
function describeMerge({ record, rounds }: ReportBasis): readonly string[] {
  const last = rounds.findLast(({ by }) => by === 'judge');
  const judge = last === undefined ? '' : `judged ${last.verdict} in round ${last.number} and `;
  if (record.sided === 'PASS')
    return [`${judge}merged on ${toTerminalLine(record.lastChoice?.by ?? 'a human', 60)}’s word`];
  if (record.contract.roles.floorManager === 'human') return [`${judge}merged on a human’s decision`];
  return last === undefined ? [] : [`${judge}merged automatically`];
}
