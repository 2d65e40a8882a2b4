import { countComments, type HumanComment } from '../../../record/comment.ts';
import type { JournalEntry } from '../../../record/journal-entry.ts';
import { toTerminalLine } from '../../../base/plain-text.ts';
import type { Halt } from '../../../record/trip.ts';

export interface HaltAnswer {
  readonly at: string;
  /** Undefined when the task was given up without a path, or sent back. */
  readonly path: 1 | 2 | undefined;
  /** Comments that sent the change back. */
  readonly comments?: readonly HumanComment[] | undefined;
  readonly by: string;
  readonly how: string;
}

/** Who answered a halt, and how. */
export const describeHaltAnswer = ({ path, comments, by }: HaltAnswer): string =>
  comments !== undefined
    ? `${by} sent it back with ${countComments(comments)}`
    : path === undefined
      ? by
      : `${by} chose path ${path}`;

/** One halt, and its choice. */
export interface HaltTold {
  readonly at: string;
  readonly halt: Halt;
  readonly choice: HaltAnswer | undefined;
}

/** A longer name is invalid. */
const NAME = 60;

/** Every halt of a task with the choice that ended it, oldest first. */
export function listHalts(entries: readonly JournalEntry[]): readonly HaltTold[] {
  const halts: HaltTold[] = [];
  for (const entry of entries) {
    if (entry.kind !== 'moved') continue;
    const last = halts.at(-1);
    if (entry.from === 'erik_consultation' && last !== undefined && last.choice === undefined) {
      const { choice } = entry.facts;
      const chosen = {
        path: choice?.path,
        ...(choice?.comments === undefined ? {} : { comments: choice.comments }),
        by: toTerminalLine(choice?.by ?? entry.reason, NAME),
        how: choice?.how ?? entry.event,
      };
      halts[halts.length - 1] = { ...last, choice: { at: entry.at, ...chosen } };
    }
    if (entry.facts.halt !== undefined) halts.push({ at: entry.at, halt: entry.facts.halt, choice: undefined });
  }
  return halts;
}
