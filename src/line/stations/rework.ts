import type { LineRecord } from '../../record/line-record.ts';
import type { PartialAnswer } from '../../record/partial-answer.ts';

/** How the next brief differs from the first one, because of what came of the tries before. */
export interface Rework {
  /** Other files than those in question are shown too. */
  readonly neighbours: boolean;
  /** Of the files in question only the target and those that findings name are shown. */
  readonly onlyTarget: boolean;
  /** The part of the window's room that is used: half of it for each prompt that turned out too long. */
  readonly share: number;
  /** Edits that were taken; only the rest is asked again. */
  readonly partial: PartialAnswer | undefined;
  /** The difference in words, for the journal. */
  readonly words: string | undefined;
}

/** A try that failed is not repeated as it was: less is shown. */
export function reworkOf(record: LineRecord, head: string): Rework {
  const strikes = record.strikes.filter(({ station }) => station === 'implementer');
  const tooLong = strikes.filter(({ kind }) => kind === 'too-long').length;
  const partial = record.partial?.head === head ? record.partial : undefined;
  const onlyTarget = strikes.length > 1 || tooLong > 0;
  const isAgain = strikes.length > 0 || record.refusedAnswers > 0;
  return {
    neighbours: !isAgain && partial === undefined,
    onlyTarget,
    share: 0.5 ** tooLong,
    partial,
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
