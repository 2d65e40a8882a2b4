import type { LineRecord } from '../../record/line-record.ts';
import type { PartialAnswer } from '../../record/partial-answer.ts';

/** How the next brief differs from the first one, because of what came of the tries before. */
export type Rework = ReturnType<typeof reworkOf>;

/** A try that failed is not repeated as it was: less is shown. */
export function reworkOf(record: LineRecord, head: string) {
  const strikes = record.strikes.filter(({ station }) => station === 'implementer');
  const tooLong = strikes.filter(({ kind }) => kind === 'too-long').length;
  const partial = record.partial?.head === head ? record.partial : undefined;
  const onlyTarget = strikes.length > 1 || tooLong > 0;
  const isAgain = strikes.length > 0 || record.refusedAnswers > 0;
  return {
    // Other files than those in question are shown too.
    neighbours: !isAgain && partial === undefined,
    // Of the files in question only the target and those that findings name are shown.
    onlyTarget,
    // The part of the window's room that is used: half of it for each prompt that turned out too long.
    share: 0.5 ** tooLong,
    // Edits that were taken; only the rest is asked again.
    partial,
    // The difference in words, for the journal.
    words: words(strikes.at(-1)?.kind, onlyTarget, partial, isAgain),
  };
}

function words(
  strike: string | undefined,
  onlyTarget: boolean,
  partial: PartialAnswer | undefined,
  isAgain: boolean,
): string | undefined {
  const why = strike === undefined ? 'the last answer was refused' : `the last try failed (${strike})`;
  if (partial !== undefined) return `only what found no place is asked again, because ${why}`;
  if (onlyTarget) return `only the target and what findings name, because ${why}`;
  return isAgain ? `without neighbours, because ${why}` : undefined;
}
