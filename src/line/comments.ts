import { toTerminalLine } from '../base/plain-text.ts';
import { countComments, formatComment, type HumanComment, type OpenComment } from '../record/comment.ts';
import type { LineRecord } from '../record/line-record.ts';

/** Adds a person's comments: required fixes for the implementer, and words that every later prompt contains. */
export function addComments(
  record: LineRecord,
  comments: readonly HumanComment[],
  { by, at }: { readonly by: string; readonly at: string },
): LineRecord {
  const about = record.change?.attempt ?? record.attempt;
  return {
    ...record,
    comments: [...record.comments, ...comments.map((one) => ({ ...one, about }))],
    words: [...record.words, { by, at, text: `on attempt ${about}: ${comments.map(formatComment).join('; ')}` }],
  };
}

/** The first `count` open comments are in the prompt of the attempt that begins. */
export const markAsked = (comments: readonly OpenComment[], count: number, attempt: number): readonly OpenComment[] =>
  comments.map((one, at) => (at < count ? { ...one, asked: attempt } : one));

/** The comments that are still required fixes once a change has passed its gates. */
export const dropAnswered = ({ comments, change }: LineRecord): readonly OpenComment[] =>
  comments.filter(({ asked }) => asked === undefined || asked > (change?.attempt ?? 0));

/** Why a change goes back, in the words of the person who commented on it. */
export const describeSendBack = (comments: readonly HumanComment[]): string =>
  `sent back with ${countComments(comments)}: ${comments.map((one) => toTerminalLine(formatComment(one), WIDTH)).join('; ')}`;

/** A reason is a line of the story; the comments themselves are kept whole. */
const WIDTH = 300;
