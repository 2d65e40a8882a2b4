import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readProse } from '../../src/rules/guards/prose.ts';
import { readReview } from '../../src/rules/guards/review-gate.ts';
import { featuresOf } from '../../src/rules/guards/sentence-features.ts';
import { tokensOf } from '../../src/rules/guards/tokens.ts';
import { readRows, textOf } from '../eval/data-set.ts';
import { makeMessages } from '../eval/make-messages.ts';
import type { Lesson } from './fit.ts';

const CORPORA = join(import.meta.dirname, '../../test/corpora');
const TAUGHT = join(CORPORA, 'taught');
const MADE = join(CORPORA, 'messages.jsonl');

/** A labelled text that is learned from. */
export interface TaughtRow {
  readonly file: string;
  readonly kind: 'message' | 'review';
  readonly text: string;
  readonly isRefused: boolean;
  /** Of a review that goes on: whether it approves. */
  readonly approves: boolean | undefined;
  readonly weight: number;
}

/** All that is learned from: the files of `taught/`, the rows that came with the task, and the templates that are not held out. */
export function taughtRows(): readonly TaughtRow[] {
  const written = [...taughtFiles(), join(CORPORA, 'agent-messages.jsonl')];
  const made = makeMessages(readRows(MADE), MADE).filter(({ isHeld, id }) => !isHeld && /\.[12]$/.test(id));
  return [
    ...written.flatMap((file) =>
      readRows(file).map((row) =>
        taught(
          file.replace(/^.*[/\\]|\.jsonl$/g, ''),
          textOf(row, 'kind', file),
          textOf(row, 'expect', file),
          textOf(row, 'text', file),
          [row['tags']].flat().join(' '),
          file === PINNED ? OF_A_PIN : 1,
        ),
      ),
    ),
    ...made.map(({ kind, expect, text, tag }) => taught('templates', kind, expect, text, tag, OF_A_TEMPLATE)),
  ];
}

const taughtFiles = (): readonly string[] =>
  readdirSync(TAUGHT)
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .map((name) => join(TAUGHT, name));

/** What tests or users hold the guards to, word for word. */
const PINNED = join(TAUGHT, 'pinned.jsonl');
const OF_A_PIN = 3;
/** Texts of one template say nearly the same. */
const OF_A_TEMPLATE = 0.3;

/** By this hash a table is known to be learned from these rows as the guards read them now. */
export function hashOf(rows: readonly TaughtRow[]): string {
  const lessons = [...messageLessons(rows), ...reviewLessons(rows)];
  return createHash('sha256').update(JSON.stringify(lessons)).digest('hex').slice(0, 16);
}

function taught(file: string, kind: string, expect: string, text: string, tags: string, weight: number): TaughtRow {
  const isRefused = expect === 'reject';
  return {
    file,
    kind: kind === 'review' ? 'review' : 'message',
    text,
    isRefused,
    approves: isRefused ? true : NO_APPROVAL.test(tags) ? false : APPROVAL.test(tags) ? true : undefined,
    weight,
  };
}

/** How the authors of the rows call what does not approve, and what does and shows why. */
const NO_APPROVAL =
  /not-an-approval|not_an_approval|no.approval|rejection|request|question|needs|not approv|abst|block|finding|refus/i;
const APPROVAL = /evidence|approv/i;

/** Messages teach which of them say nothing; a review that goes on says something. */
export const messageLessons = (rows: readonly TaughtRow[]): readonly Lesson[] =>
  rows.flatMap(({ kind, text, isRefused, weight }) =>
    kind === 'review' && isRefused
      ? []
      : [{ ...proseOf(text), isYes: isRefused, weight: kind === 'review' ? weight * ANOTHER_KIND : weight }],
  );

/** Reviews teach what approves and what shows no reason; an honest message approves of nothing. */
export const reviewLessons = (rows: readonly TaughtRow[]): readonly Lesson[] =>
  rows.flatMap(({ kind, text, isRefused, approves, weight }) => {
    if (kind === 'review') return [{ ...reviewOf(text), isYes: isRefused, first: approves, weight }];
    return isRefused ? [] : [{ ...reviewOf(text), isYes: false, first: false, weight: weight * ANOTHER_KIND }];
  });

/** What the other guard is for counts less. */
const ANOTHER_KIND = 0.5;

const proseOf = (text: string): Pick<Lesson, 'said' | 'shows'> => saidIn(readProse(text));
const reviewOf = (text: string): Pick<Lesson, 'said' | 'shows'> => saidIn(readReview(text).prose);

const saidIn = ({ sentences, blocks }: ReturnType<typeof readProse>): Pick<Lesson, 'said' | 'shows'> => ({
  said: sentences.flatMap(({ text }) => (tokensOf(text).length === 0 ? [] : [featuresOf(text)])),
  shows: blocks.length > 0,
});
