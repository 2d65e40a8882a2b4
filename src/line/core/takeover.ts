import { DEFAULT_CONTRACT_LIMITS } from '../../project/contract/task-contract-defaults.ts';
import type { Facts } from '../record/facts.ts';
import { getCurrentImplementer, getNextImplementer, type Takeover } from '../record/implementers.ts';
import type { Moved } from '../record/journal-entry.ts';
import type { TaskRecord } from '../record/task-record.ts';

/** The most consecutive red gates, or FAILs of the judge, of one implementer. */
const IN_A_ROW = 2;

/**
 * The next implementer and the reason for the takeover; undefined while the current one continues, and at the end of
 * the list, where breakers decide. One place at a time, never back.
 */
export function decideTakeover(record: TaskRecord): Takeover | undefined {
  const to = getNextImplementer(record);
  const why = to === undefined ? undefined : explainTakeover(record);
  return to === undefined || why === undefined ? undefined : { from: getCurrentImplementer(record), to, why };
}

export function takeOverByChoice(
  record: TaskRecord,
  { by, path, effect }: NonNullable<Facts['choice']>,
): Takeover | undefined {
  const to = effect.implementer ?? (effect.nextImplementer === true ? getNextImplementer(record) : undefined);
  return to === undefined
    ? undefined
    : {
        from: getCurrentImplementer(record),
        to,
        why: path === undefined ? `${by} sent it back` : `${by} chose path ${path}`,
      };
}

function explainTakeover({ strikes, refusedAnswers, lastFacts, inARow, gates }: TaskRecord): string | undefined {
  const strike = strikes.find(({ station }) => station === 'implementer');
  if (strike !== undefined) return `${strike.kind}: ${firstLine(strike.why)}`;
  if (refusedAnswers > DEFAULT_CONTRACT_LIMITS.refusedAnswers)
    return `${refusedAnswers} answers were refused, the last: ${firstLine(lastFacts.strike?.why ?? '')}`;
  if (inARow.red >= IN_A_ROW) {
    const names = gates?.results.filter(({ blocks }) => blocks).map(({ name }) => name) ?? [];
    return `gates red ${inARow.red} times in a row, at last ${names.join(', ')}`;
  }
  if (inARow.fail >= IN_A_ROW) return `judged FAIL ${inARow.fail} times in a row`;
  return undefined;
}

const firstLine = (text: string): string => text.trim().split('\n', 1)[0]?.slice(0, 300) ?? '';

/** The record with the next implementer: the faults of the previous one are cleared. */
export const takeOver = (record: TaskRecord, takeover: Takeover, at: string): TaskRecord => ({
  ...record,
  takeovers: [...record.takeovers, { ...takeover, at }],
  strikes: [],
  stalls: record.stalls - record.strikes.filter(({ kind }) => kind === 'stall').length,
  refusedAnswers: 0,
  partial: undefined,
  feedback: record.feedback.filter(({ from }) => from !== 'answer'),
  inARow: NOTHING_IN_A_ROW,
});

export const NOTHING_IN_A_ROW: TaskRecord['inARow'] = { red: 0, fail: 0 };

/**
 * The counts after a transition. A gate run counts for a new change of the implementer, not for a repetition on a moved
 * target; a FAIL counts when the change goes back for it, and any other verdict resets its count.
 */
export function countInARow(record: TaskRecord, { event, facts }: Moved): TaskRecord['inARow'] {
  const { red, fail } = record.inARow;
  const isRun = facts.gates !== undefined && facts.change !== undefined;
  const isFail = record.report?.verdict === 'FAIL';
  return {
    red: isRun ? (event === 'gate_red' ? red + 1 : 0) : red,
    fail: event === 'fail_agree' && isFail ? fail + 1 : facts.report !== undefined && !isFail ? 0 : fail,
  };
}
