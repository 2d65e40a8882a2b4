import { stripSequences } from './plain-text.ts';

/**
 * The relevant part of a failed command's output, without terminal sequences: its beginning, its end, and the lines about
 * failures between. Where it is too long, lines about passed tests are left out.
 */
export function extractFailures(output: string, characters: number): string {
  const lines = stripSequences(output).trimEnd().split(/\r?\n/).map(cut);
  if (lines.reduce((sum, line) => sum + line.length + 1, 0) <= characters) return lines.join('\n');
  const kept = new Set<number>();
  let left = characters - MARKER;
  /** Takes a line if it still fits, with the marker that a gap before it needs. */
  const take = (at: number): boolean => {
    const line = lines[at];
    if (line === undefined || kept.has(at)) return line !== undefined;
    if (PASSED.test(line) || NOISE.test(line) || LEFT_OUT.test(line)) return true;
    const cost = line.length + 1 + (kept.has(at - 1) || kept.has(at + 1) ? 0 : MARKER);
    if (cost > left) return false;
    kept.add(at);
    left -= cost;
    return true;
  };
  const keepFree = (share: number): number => characters * (1 - share);
  for (let at = lines.length - 1; left > keepFree(TAIL) && take(at); at -= 1);
  for (let at = 0; left > keepFree(TAIL + HEAD) && take(at); at += 1);
  // A failure's whole block, with what was expected and found: as many lines as fit.
  takeBlocks(lines, take, () => left);
  // What certainly reports a failure comes first: words such as "error" are also in names of passed tests.
  for (const pattern of [CERTAIN, FAILURE])
    for (const [at, line] of lines.entries()) {
      if (!pattern.test(line) || QUIET.test(line)) continue;
      if (![at, at + 1, at + 2, at - 1, at + 3, at + 4].every(take) && left < MARKER) break;
    }
  return render(lines, kept);
}

/** Takes the lines below each certain failure, up to the next one, to the end of its block or to its stack. */
function takeBlocks(lines: readonly string[], take: (at: number) => boolean, left: () => number): void {
  for (const [at, line] of lines.entries()) {
    if (!CERTAIN.test(line) || QUIET.test(line) || PASSED.test(line)) continue;
    if (left() < MARKER) return;
    take(at);
    for (let below = at + 1; below <= at + BLOCK; below += 1) {
      const next = lines[below] ?? '';
      if (STACK.test(next) || (CERTAIN.test(next) && below > at + 1) || PASSED.test(next) || !take(below)) break;
    }
  }
}

/** An output without the lines about passed tests. */
export const withoutPassed = (output: string): string =>
  output
    .split('\n')
    .filter((line) => !PASSED.test(line))
    .join('\n');

/** The lines from the first certain failure on, without those of passed tests and of stacks; undefined without one. */
export function listFailureLines(output: string): readonly string[] | undefined {
  const lines = stripSequences(output).split(/\r?\n/);
  const at = lines.findIndex((line) => CERTAIN.test(line) && !QUIET.test(line));
  return at === -1
    ? undefined
    : lines
        .slice(at)
        .filter((line) => !PASSED.test(line) && !STACK.test(line))
        .map(cut);
}

/** The line of a failed command's output that best says why: the first error, else the last line about a failure. */
export function findFailureLine(output: string): string | undefined {
  const lines = stripSequences(output)
    .split(/\r?\n/)
    .filter((line) => !PASSED.test(line) && !QUIET.test(line));
  return lines.find((line) => CAUSE.test(line)) ?? lines.findLast((line) => /fail|error|not ok/i.test(line));
}

function render(lines: readonly string[], kept: ReadonlySet<number>): string {
  const shown: string[] = [];
  let skipped = 0;
  for (const [at, line] of lines.entries()) {
    if (!kept.has(at)) {
      // What was left out before counts with what is left out now.
      skipped += Number(LEFT_OUT.exec(line)?.[1] ?? 1);
      continue;
    }
    if (skipped > 0) shown.push(`[${skipped} lines left out]`);
    skipped = 0;
    shown.push(line);
  }
  if (skipped > 0) shown.push(`[${skipped} lines left out]`);
  return shown.join('\n');
}

const cut = (line: string): string => (line.length > LINE ? `${line.slice(0, LINE - 1)}…` : line);

/** Shares of the room: for the end, with its summary of failures, and for the beginning. */
const TAIL = 0.45;
const HEAD = 0.1;
const LINE = 300;
const MARKER = '[10000000 lines left out]\n'.length;
const FAILURE =
  /\b(?:fail(?:s|ed|ure|ures|ing)?|errors?|exception|traceback|panic(?:ked)?|assert\w*|expected|received|actual|undefined|cannot|not ok|unexpected|mismatch)\b|[✗✘✖×❌]|^E\s|Error:/i;
/** Lines that name an error with its reason. */
const CAUSE =
  /^(?:\S*\s+)?[\w.]*(?:Error|Exception)(?: \[\w+\])?: \S|\berror(?:\[\w+\]|\s+[A-Z]+\d+)?: \S|^\s+\d+:\d+\s+error\s|^not ok \d/;
/** Lines that report a failure, and not a word of a test's name. */
const CERTAIN = new RegExp(`${CAUSE.source}|^\\s*(?:FAIL|FAILED|ERROR|--- FAIL)\\b|^\\s*not ok\\b|^E\\s|^\\s*[✗✘✖×❌]`);
/** Lines about one passed test, as most runners print them. */
const PASSED = /^\s*(?:[✓✔√]|ok \d|ok\s+\S+\s+[\d.(]|--- PASS|=== RUN|PASS\b|test .* \.\.\. ok$)|^\S+::\S+ PASSED\b/;
/** What npm says of every script that failed. */
const NOISE =
  /^npm (?:error|ERR!) (?:Lifecycle script|Test failed|code (?:\d+|ELIFECYCLE)$|path |workspace |location |command |errno \d+$|A complete log)/;
/** The mark of an earlier cut. */
const LEFT_OUT = /^\[(\d+) lines left out\]$/;
const STACK = /^\s+at \S|^\s+stack:/;
/** The most lines of a failure's block. */
const BLOCK = 20;
/** Lines that report zero failures, the names of tests in TAP, and what npm says that it runs. */
const QUIET = /\b(?:0|no) (?:fail|error|warning)|^\s*# (?!fail)|^> /i;

/** The failed tests of a gate with the first lines of their messages; empty where none is known. */
export function describeFailedTests(
  failures: readonly { readonly name: string; readonly message?: string | undefined }[] = [],
): string {
  if (failures.length === 0) return '';
  const rows = failures.map(({ name, message }) =>
    message === undefined ? `- ${name}` : `- ${name}\n${message.replace(/^\s*/gm, '    ')}`,
  );
  return [FAILED_TESTS, ...rows].join('\n');
}

/** The first line of what `describeFailedTests` returns. */
export const FAILED_TESTS = 'Failed tests:';
