import { plainOutput } from '../../test-results/test-points.ts';
import { passedIn } from './passed-in.ts';
import type { ReviewRecords } from './review-records.ts';
import { thingOf } from './tokens.ts';

/** A line of a file that a review points at. */
export interface CitedLine {
  readonly path: string;
  /** The last line that it points at, counted from 1. */
  readonly line: number;
}

/** The lines of files that a text points at: `src/a.ts:12-40`, `src/a.ts#L12`, `line 12 of src/a.ts`, `src/a.ts 12행`. */
export function citedLines(text: string): readonly CitedLine[] {
  const found: CitedLine[] = [];
  const read = text.slice(0, LONGEST);
  for (const { 0: word, index } of read.matchAll(WORDS)) {
    if (word.length > LONGEST_NAME || !/[./]/.test(word)) continue;
    const [, named, at, upTo] = BEHIND_A_SIGN.exec(word) ?? [];
    const path = (named ?? word).replace(/[.:]+$/, '');
    if (thingOf(path) !== 'path' || path.includes('://')) continue;
    const after = AFTER.exec(read.slice(index + word.length, index + word.length + NEAR));
    const before = BEFORE.exec(read.slice(Math.max(0, index - NEAR), index));
    const line = upTo ?? at ?? after?.[2] ?? after?.[1] ?? after?.[3] ?? before?.[2] ?? before?.[1];
    if (line !== undefined) found.push({ path, line: Number(line) });
    if (found.length >= MOST) break;
  }
  return found;
}

const WORDS = /[^\s`*()[\]"'“”‘’,;，。、；：（）]+/g;
const BEHIND_A_SIGN = /^(.+?)(?::|#L)(\d{1,7})(?:[-–]L?(\d{1,7}))?(?::\d+)?[.:]*$/;
const AFTER =
  /^[`*)]*,?\s?(?:(?:on |at |in |\()?(?:the )?lines? (\d{1,7})(?:\s?(?:[-–]|to|and)\s?(\d{1,7}))?|(?:의 |第)?\s?(\d{1,7})\s?(?:행|줄|번째 줄|行))/iu;
const BEFORE = /lines? (\d{1,7})(?:\s?(?:[-–]|to|and)\s?(\d{1,7}))? (?:of|in) (?:the file )?[`*]*$/iu;
/** So many characters around a path bear on it. */
const NEAR = 48;
const LONGEST_NAME = 300;
/** Of a longer text, in UTF-16 units, only the beginning is looked through. */
const LONGEST = 200_000;
/** Nobody is shown by more. */
const MOST = 200;

/**
 * What a review cites and the records show not to be there: a line beyond the end of its file, a file that the tree does
 * not hold, a test that is not in the machine-readable results of the runs. What the records do not hold is not judged.
 */
export function falselyCited(text: string, { lines, runs }: ReviewRecords): readonly string[] {
  const places = lines === undefined ? [] : citedLines(text).flatMap((cited) => wrongPlace(cited, lines) ?? []);
  const outputs = runs.map(({ output = '' }) => output);
  const areListed = outputs.length > 0 && outputs.every((output) => passedIn(output) !== undefined);
  const tests = areListed ? citedTests(text).filter((name) => !outputs.some((output) => names(output, name))) : [];
  return [...new Set([...places, ...tests.map((name) => `no run on record names a test "${name}"`)])];
}

function wrongPlace({ path, line }: CitedLine, lines: ReadonlyMap<string, number>): string | undefined {
  const all = [...lines].filter(([one]) => isSame(one, path)).map(([, count]) => count);
  if (all.length === 0) return `${path} is not in the tree of this change`;
  const most = Math.max(...all);
  return line > most || line === 0 ? `it cites line ${line} of ${path}, which has ${most}` : undefined;
}

/** The names of tests that a text puts into quotes. */
function citedTests(text: string): readonly string[] {
  const found = [...text.slice(0, LONGEST).matchAll(NAMED_TEST)].map(({ groups }) =>
    (groups?.['after'] ?? groups?.['before'] ?? '').trim(),
  );
  return found.filter((name) => /\s/.test(name) && !COMMAND.test(name)).slice(0, MOST);
}

const NAMED_TEST =
  /(?:(?<!\w)(?:tests?|specs?|test cases?)(?: named| called)?\s|(?:테스트|测试|用例)\s?)[`"“'](?<after>[^`"“”'\n]{4,120})[`"”']|[`"“'](?<before>[^`"“”'\n]{4,120})[`"”']\s?(?:(?:tests?|specs?|passes|passed|is green)(?!\w)|테스트|测试|用例)/giu;
/** Commands of tests stand in quotes too. */
const COMMAND = /^(?:npm|npx|pnpm|yarn|bun|node|deno|python3?|pytest|tox|cargo|go|make|just|mvn|gradle|\.\/)/;

const names = (output: string, name: string): boolean => {
  const said = wordsOf(name);
  return plainOutput(output).lines.some((line) => {
    const shown = new Set(wordsOf(line));
    return said.every((word) => shown.has(word));
  });
};
const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Whether two names are those of one file, where one of them may be named by its end alone. */
export const isSame = (one: string, other: string): boolean => {
  const [long, short] = one.length >= other.length ? [one, other] : [other, one];
  const bare = short.replace(/^\.\//, '');
  return long === bare || long.endsWith(`/${bare}`);
};
