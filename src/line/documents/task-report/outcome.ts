import { diffStat } from '../../../record/change.ts';
import { branchName } from '../../../base/names.ts';
import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { isUngated } from '../../view.ts';
import { waited } from './facts.ts';
import type { TaskReport } from './facts.ts';
import type { HaltTold } from './halts.ts';
import { between, count, dollars, duration, grouped, listed, times } from './words.ts';

/** The outcome in one sentence: events, duration, cost, decisions. */
export function outcomeSentence(report: TaskReport): string {
  const { record, cost, attempts, from, to } = report;
  const parts = [
    count(attempts.length, 'attempt'),
    ...sentBack(report),
    ...record.takeovers.slice(-1).map(({ to }) => `taken over by ${inOneTerminalLine(to, 60)}`),
    ...stops(report),
    ...(record.status === 'merged' ? [merged(report)] : []),
    ...(isUngated(record) ? ['no gate, only the reviewers'] : []),
  ];
  const least = cost.total.unknown > 0 ? 'at least ' : '';
  return `${whatHappened(report)} ${duration(between(from, to))} after it was dropped, for ${least}${dollars(cost.total.usd)} and ${duration(cost.total.minutes * 60_000)} of agents: ${parts.join('; ')}.`;
}

/** The word for the state of the task, and whether it is good news. */
export function outcomeWord({ record, isOver }: TaskReport): { readonly word: string; readonly tone: string } {
  if (record.undone !== undefined) return { word: 'merged, then undone', tone: 'stopped' };
  if (record.status === 'merged') return { word: 'merged', tone: 'good' };
  if (record.status === 'erik_consultation') return { word: 'waits for you', tone: 'stopped' };
  return isOver ? { word: 'given up', tone: 'stopped' } : { word: 'under way', tone: 'running' };
}

/** The figures beside the sentence: name, value, note. */
export function keyFigures(report: TaskReport): readonly (readonly [name: string, value: string, more: string])[] {
  const { record, cost, from, to, rounds } = report;
  const { human, agents } = waited(report);
  const waits = [
    ...(human > 0 ? [`${duration(human)} of it waiting for a human`] : []),
    ...(agents > 0 ? [`${duration(agents)} for agents`] : []),
  ];
  const judged = rounds.filter(({ by }) => by === 'judge').length;
  return [
    ['Time', duration(between(from, to)), waits.join(', ')],
    ['Dollars', dollars(cost.total.usd), cost.total.unknown > 0 ? 'a lower bound' : count(cost.total.calls, 'call')],
    [
      'Agents’ time',
      duration(cost.total.minutes * 60_000),
      `${grouped(cost.total.tokensIn + cost.total.tokensOut)} tokens`,
    ],
    ['Attempts', String(report.attempts.length), sentBack(report).join(', ')],
    ['Judged', count(judged, 'round'), record.rebuttals > 0 ? count(record.rebuttals, 'rebuttal') : ''],
    ['Change', record.change === undefined ? 'none' : diffStat(record.change), ''],
  ];
}

function whatHappened({ record, undoneBy, isOver }: TaskReport): string {
  const name = record.taskId;
  if (undoneBy !== undefined)
    return `${name} was merged into ${branchName(record.target)}, later undone by ${inOneTerminalLine(undoneBy, 60)},`;
  if (record.status === 'merged') return `${name} was merged into ${branchName(record.target)}`;
  if (record.status === 'erik_consultation')
    return `${name} is stopped by ${record.halt?.trip.breaker ?? 'a halt'} and waits for you, now`;
  return isOver ? `${name} was given up` : `${name} is at ${record.status}, now`;
}

function sentBack({ record, attempts }: TaskReport): string[] {
  const numbers = new Set(attempts.map(({ number }) => number));
  const by = (who: string): number =>
    record.rejected.filter((one) => one.by === who && numbers.has(one.attempt)).length;
  const all = [
    ['by gates', by('gates')],
    ['by the local reviewer', by('reviewer')],
    ['by the judge', by('judge')],
    ['by a human', by('human')],
  ] as const;
  const said = all.filter(([, number]) => number > 0).map(([who, number]) => `${times(number)} ${who}`);
  return said.length === 0 ? [] : [`sent back ${listed(said)}`];
}

/** Each halt with its choice; many are counted, and only the last is listed. */
function stops({ halts, record }: TaskReport): readonly string[] {
  const told = halts.filter(({ choice }) => choice !== undefined || record.halt === undefined);
  const last = told.at(-1);
  return told.length <= MANY_STOPS || last === undefined
    ? told.map(stopped)
    : [`stopped ${times(told.length)}`, `at last ${stopped(last)}`];
}

const MANY_STOPS = 3;

function stopped({ halt, choice }: HaltTold): string {
  const what = `stopped by ${halt.trip.breaker}`;
  if (choice === undefined) return `${what}, without a choice so far`;
  return choice.path === undefined ? `${what}, ${choice.by}` : `${what}, ${choice.by} chose path ${choice.path}`;
}

function merged({ record, rounds }: TaskReport): string {
  const last = rounds.findLast(({ by }) => by === 'judge');
  const judge = last === undefined ? '' : `judged ${last.verdict} in round ${last.number} and `;
  const isHuman = record.contract.roles.floorManager === 'human';
  const onWord =
    record.sided === 'PASS' ? `${inOneTerminalLine(record.lastChoice?.by ?? 'a human', 60)}’s word` : undefined;
  return `${judge}merged on ${onWord ?? (isHuman ? 'a human’s decision' : 'andon’s policy')}`;
}
