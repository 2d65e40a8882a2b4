import { toBranchName } from '../../../base/names.ts';
import { toTerminalLine } from '../../../base/plain-text.ts';
import { STATUS_PHRASES } from '../../describe-line.ts';
import { HALT_WORDS } from '../../halt-words.ts';
import { isUngated } from '../../view.ts';
import type { HaltFacts } from './halts.ts';
import type { ReportBasis } from './facts.ts';
import {
  millisecondsBetween,
  formatCount,
  formatDollars,
  formatDuration,
  formatNumber,
  formatList,
  formatTimes,
} from './words.ts';

export function outcomeSentence(report: ReportBasis): string {
  const { record, cost, attempts, from, to } = report;
  const parts = [
    formatCount(attempts.length, 'attempt'),
    ...sentBack(report),
    ...record.takeovers.slice(-1).map(({ to }) => `taken over by ${toTerminalLine(to, 60)}`),
    ...stops(report),
    ...(record.status === 'merged' ? [merged(report)] : []),
    ...(isUngated(record) ? ['no gate, only the reviewers'] : []),
  ];
  const least = cost.total.unknown > 0 ? 'at least ' : '';
  return `${describeOutcome(report)} ${formatDuration(millisecondsBetween(from, to))} after it was dropped, for ${least}${formatDollars(cost.total.usd)} and ${formatDuration(cost.total.minutes * 60_000)} of agents: ${parts.join('; ')}.`;
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
      cost.total.unknown > 0 ? 'a lower bound' : formatCount(cost.total.calls, 'call'),
    ],
    [
      'Agents’ time',
      formatDuration(cost.total.minutes * 60_000),
      `${formatNumber(cost.total.tokensIn + cost.total.tokensOut)} tokens`,
    ],
    ['Attempts', String(report.attempts.length), ''],
    ['Judged', formatCount(judged, 'round'), record.rebuttals > 0 ? formatCount(record.rebuttals, 'rebuttal') : ''],
  ];
}

function describeOutcome({ record, undoneBy, isOver }: ReportBasis): string {
  const name = record.taskId;
  if (undoneBy !== undefined)
    return `${name} was merged into ${toBranchName(record.target)}, later undone by ${toTerminalLine(undoneBy, 60)},`;
  if (record.status === 'merged') return `${name} was merged into ${toBranchName(record.target)}`;
  if (record.status === 'erik_consultation')
    return `${name} is halted${record.halt === undefined ? '' : ` (${HALT_WORDS[record.halt.trip.breaker].phrase.toLowerCase()})`} and waits for you, now`;
  return isOver ? `${name} was given up` : `${name} is under way (${STATUS_PHRASES[record.status]}), now`;
}

function sentBack({ record, attempts }: ReportBasis): string[] {
  const numbers = new Set(attempts.map(({ number }) => number));
  const by = (who: string): number =>
    record.rejected.filter((one) => one.by === who && numbers.has(one.attempt)).length;
  const all = [
    ['by gates', by('gates')],
    ['by rules', by('rules')],
    ['by the local reviewer', by('reviewer')],
    ['by the judge', by('judge')],
    ['by a human', by('human')],
  ] as const;
  const lines = all.filter(([, number]) => number > 0).map(([who, number]) => `${formatTimes(number)} ${who}`);
  return lines.length === 0 ? [] : [`sent back ${formatList(lines)}`];
}

/** Each halt with its choice; many are counted, and only the last is listed. */
function stops({ halts, record }: ReportBasis): readonly string[] {
  const stops = halts.filter(({ choice }) => choice !== null || record.halt === undefined);
  const last = stops.at(-1);
  return stops.length <= MANY_STOPS || last === undefined
    ? stops.map(stopped)
    : [`stopped ${formatTimes(stops.length)}`, `at last ${stopped(last)}`];
}

const MANY_STOPS = 3;

const stopped = ({ trip, choice }: HaltFacts): string =>
  `stopped by ${trip.breaker}, ${choice?.answer ?? 'without a choice so far'}`;

function merged({ record, rounds }: ReportBasis): string {
  const last = rounds.findLast(({ by }) => by === 'judge');
  const judge = last === undefined ? '' : `judged ${last.verdict} in round ${last.number} and `;
  const isHuman = record.contract.roles.floorManager === 'human';
  const onWord =
    record.sided === 'PASS' ? `${toTerminalLine(record.lastChoice?.by ?? 'a human', 60)}’s word` : undefined;
  return `${judge}merged on ${onWord ?? (isHuman ? 'a human’s decision' : 'andon’s policy')}`;
}
