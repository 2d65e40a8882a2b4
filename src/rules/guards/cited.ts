import { isPath } from './things.ts';

/** A line of a file that a review points at. */
export interface CitedLine {
  readonly path: string;
  /** The last line that it points at, counted from 1. */
  readonly line: number;
}

/** The lines of files that a text cites: `src/a.ts:12-40`, `src/a.ts#L12`, `line 12 of src/a.ts`, `src/a.ts 12행`. */
export function citedLines(text: string): readonly CitedLine[] {
  const found: CitedLine[] = [];
  const read = text.slice(0, LONGEST);
  for (const { 0: word, index } of read.matchAll(WORDS)) {
    const [, named, at, upTo] = WITH_LINE.exec(word) ?? [];
    const path = (named ?? word).replace(/[.:]+$/, '');
    if (!isPath(path) || path.includes('://')) continue;
    const after = AFTER.exec(read.slice(index + word.length, index + word.length + NEAR));
    const before = BEFORE.exec(read.slice(Math.max(0, index - NEAR), index));
    const line = upTo ?? at ?? after?.[2] ?? after?.[1] ?? after?.[3] ?? before?.[2] ?? before?.[1];
    if (line !== undefined) found.push({ path, line: Number(line) });
    if (found.length >= MOST) break;
  }
  return found;
}

const WORDS = /[^\s`*()[\]"'“”‘’,;，。、；：（）]+/g;
const WITH_LINE = /^(.+?)(?::|#L)(\d{1,7})(?:[-–]L?(\d{1,7}))?(?::\d+)?[.:]*$/;
const AFTER =
  /^[`*)]*,?\s?(?:(?:on |at |in |\()?(?:the )?lines? (\d{1,7})(?:\s?(?:[-–]|to|and)\s?(\d{1,7}))?|(?:의 |第)?\s?(\d{1,7})\s?(?:행|줄|번째 줄|行))/iu;
const BEFORE = /lines? (\d{1,7})(?:\s?(?:[-–]|to|and)\s?(\d{1,7}))? (?:of|in) (?:the file )?[`*]*$/iu;
/** The characters around a path that may hold its line. */
const NEAR = 48;
/** In UTF-16 units. */
const LONGEST = 200_000;
const MOST = 200;
