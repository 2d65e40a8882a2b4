import { isPath } from './things.ts';

/** A line of a file that a review points at. */
export interface CitedLine {
  readonly path: string;
  /** The last line that it points at, counted from 1. */
  readonly line: number;
}

/** The lines of files that a text cites: `src/a.ts:12-40`, `src/a.ts#L12`. */
export const citedLines = (text: string): readonly CitedLine[] =>
  [...text.slice(0, LONGEST).matchAll(WORDS)]
    .flatMap(([word]) => {
      const [, path, at, upTo = at] = WITH_LINE.exec(word) ?? [];
      return path === undefined || !isPath(path) || path.includes('://') ? [] : [{ path, line: Number(upTo) }];
    })
    .slice(0, MOST);

const WORDS = /[^\s`*()[\]"'“”‘’,;，。、；：（）]+/g;
const WITH_LINE = /^(.+?)(?::|#L)(\d{1,7})(?:[-–]L?(\d{1,7}))?(?::\d+)?[.:]*$/;
/** In UTF-16 units. */
const LONGEST = 200_000;
const MOST = 200;
