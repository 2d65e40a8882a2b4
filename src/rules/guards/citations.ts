import { isPath, isSame } from './named-files.ts';

interface CitedLine {
  readonly path: string;
  /** The last line that is cited, counted from 1. */
  readonly line: number;
}

export type LineCounts = ReadonlyMap<string, number>;

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
const LONGEST = 200_000;
const MOST = 200;

/** Why citations are wrong: a line beyond the end of its file, or a file that is not there. */
export const wrongCitations = (text: string, lines: LineCounts | undefined): readonly string[] =>
  lines === undefined ? [] : [...new Set(citedLines(text).flatMap((cited) => wrongPlace(cited, lines) ?? []))];

function wrongPlace({ path, line }: CitedLine, lines: LineCounts): string | undefined {
  const counts = [...lines].filter(([one]) => isSame(one, path)).map(([, count]) => count);
  if (counts.length === 0) return `${path} is not in the tree of this change`;
  const most = Math.max(...counts);
  return line > most || line === 0 ? `it cites line ${line} of ${path}, which has ${most}` : undefined;
}
