import { z } from 'zod';
import { formatPlace } from '../../base/format-place.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { closedObject } from '../../base/shape.ts';

/** A person comments on a change, and does not write a second contract. */
const LONGEST_COMMENT = 2000;
/** The most comments in one answer, and of those that wait for an attempt. */
export const MOST_COMMENTS = 20;
export const MOST_OPEN_COMMENTS = 50;
/** The longest part of the commented line that is quoted. */
export const LONGEST_QUOTE = 200;

/** A comment as a person gives it: at a line, at a file, or on the change as a whole. */
const givenCommentSchema = closedObject(() => ({
  file: z.string().min(1).max(1000).optional().describe('A file of the change; without it, the whole change.'),
  line: z.int().positive().optional().describe('A line of this file, as the change leaves it.'),
  text: z.string().trim().min(1).max(LONGEST_COMMENT).describe('What must become different.'),
}));
export type GivenComment = z.infer<ReturnType<typeof givenCommentSchema>>;

/** `src/a.ts:12 Use a map` as a comment at its place; a text that begins with no place is about the whole change. */
export function splitComment(written: string): GivenComment {
  const [, place = '', text = ''] = /^(\S+:\d{1,9})\s+(.+)$/su.exec(written.trim()) ?? [];
  const found = parsePlace(place);
  return found === undefined ? { text: written.trim() } : { ...found, text: text.trim() };
}

/** A comment that is within the limits, or which limit it passes. */
export function parseComment(comment: GivenComment): Outcome<GivenComment, string> {
  const read = givenCommentSchema().safeParse(comment);
  if (read.success) return success(read.data);
  const [{ path, message } = { path: [], message: '' }] = read.error.issues;
  return failure(`${path.join('.')}: ${message}`);
}

/** `src/a.ts:12` as a file and a line; undefined for any other text. */
export function parsePlace(text: string): { readonly file: string; readonly line: number } | undefined {
  const [, file, line] = /^(\S(?:.*\S)?):(\d{1,9})$/u.exec(text) ?? [];
  return file === undefined || Number(line) < 1 ? undefined : { file, line: Number(line) };
}

export const givenCommentsSchema = () =>
  z.array(givenCommentSchema()).min(1).max(MOST_COMMENTS).describe('Comments on the change; they send it back.');

/** Comments as a program sends them: bound to the change that it read, and to the halt that it answers. */
export const sentCommentsSchema = () =>
  z.strictObject({
    task_id: z.string().describe('The id of a contract.'),
    commit: z.string().describe('The commit of the change that was read, as andon_task names it.'),
    halt_id: z.string().optional().describe('The halt that is answered, as andon_halt names it; needed at a halt.'),
    comments: givenCommentsSchema(),
  });

/** The same as a JSON schema. */
export const describeSentComments = (): object => z.toJSONSchema(sentCommentsSchema(), { io: 'input' });

export const humanCommentSchema = closedObject(() => ({
  file: z.string().optional(),
  line: z.int().positive().optional(),
  quote: z.string().optional().describe('The commented line.'),
  text: z.string(),
}));
export type HumanComment = z.infer<ReturnType<typeof humanCommentSchema>>;

/** A comment that is a required fix until an attempt that was asked for it passes its gates. */
export interface OpenComment extends HumanComment {
  readonly about: number;
  /** The newest attempt whose prompt contains it; undefined before the first. */
  readonly asked?: number | undefined;
}

/** `src/a.ts:12: text`, on one line. */
export const formatComment = ({ file, line, text }: GivenComment): string =>
  `${file === undefined ? '' : `${formatPlace(file, line)}: `}${text.replace(/\s+/g, ' ').trim()}`;

export const countComments = (comments: readonly unknown[]): string =>
  `${comments.length} comment${comments.length === 1 ? '' : 's'}`;
