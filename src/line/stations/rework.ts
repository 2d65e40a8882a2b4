import type { TaskRecord } from '../record/task-record.ts';
import type { PartialAnswer } from '../record/facts.ts';

/** How the next brief differs from the first one, after the previous tries. */
export type Rework = ReturnType<typeof computeRework>;

/** Refused answers in a row after which only the failed blocks are asked again. */
const MOST_CORRECTIONS = 2;

/** The next brief shows less where its length may be why the last try failed. */
export function computeRework(record: TaskRecord, head: string) {
  const own = record.strikes.filter(({ station }) => station === 'implementer');
  const tooLong = own.filter(({ kind }) => kind === 'too-long').length;
  // A program that crashed did not read too much, and a person's answer begins anew.
  const strikes = own.filter(({ kind, isAnswered }) => kind !== 'crash' && isAnswered !== true);
  // An implementer that corrects blocks in vain is asked for the whole change again, also after a halt.
  const isStuck = record.refusedAnswers > MOST_CORRECTIONS;
  const last = record.partial?.head === head ? record.partial : undefined;
  const partial = isStuck ? undefined : last;
  const onlyTarget = strikes.length > 1 || strikes.some(({ kind }) => kind === 'too-long');
  const isAgain = strikes.length > 0 || (record.refusedAnswers > 0 && !isAnsweredSince(record));
  return {
    // Whether to include neighbours.
    neighbours: !isAgain && partial === undefined,
    // Whether to include only the target and files named by findings, of the change, or named by red gates.
    onlyTarget,
    // The used share of the window: halved for each prompt that was too long.
    share: 0.5 ** tooLong,
    // Accepted edits; only the rest is requested again.
    partial,
    // Blocks that were corrected in vain: their files and the reasons are shown.
    givenUp: isStuck ? last : undefined,
    // The difference in words, for the journal.
    words: words(strikes.at(-1)?.kind, onlyTarget, partial, isAgain),
  };
}

/** Whether a person answered a halt after the last refused answer. */
function isAnsweredSince({ history }: TaskRecord): boolean {
  const answered = history.findLastIndex(({ event }) => event === 'resume' || event === 'sent_back');
  return answered > history.findLastIndex(({ event }) => event === 'answer_refused');
}

function words(
  strike: string | undefined,
  onlyTarget: boolean,
  partial: PartialAnswer | undefined,
  isAgain: boolean,
): string | undefined {
  const why = strike === undefined ? 'the last answer was refused' : `the last try failed (${strike})`;
  if (partial !== undefined) return `only what found no place is asked again, because ${why}`;
  if (onlyTarget) return `only the target, the change and what findings name, because ${why}`;
  return isAgain ? `without related files, because ${why}` : undefined;
}
