import { stripSequences } from './plain-text.ts';

/** The longest reason, in characters. */
const LONGEST_REASON = 300;
/** Bounds of the last lines that are kept of a failed program. */
const LAST_LINES = 10;
const LONGEST_LINE = 200;
/** Characters of an output's end that are kept and searched. */
const KEPT_OUTPUT = 16_000;

/**
 * The line of a failed program's output that says what failed, '' where there is none: the error above a stack, the last
 * line of a Python traceback, the message of trailing JSON, else the last line.
 */
export function findCrashReason(output: string): string {
  const lines = listLines(output);
  const found = findInJson(lines) ?? findInTraceback(lines) ?? findAboveStack(lines) ?? lines.findLast(isWords);
  return (found ?? lines.at(-1) ?? '').trim().slice(0, LONGEST_REASON);
}

/** The last lines of a failed program's output, without blank ones and frames inside of Node.js; '' where there is none. */
export const getLastLines = (output: string): string =>
  listLines(output)
    .filter((line) => !NODE_FRAME.test(line))
    .slice(-LAST_LINES)
    .map((line) => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE - 1)}…` : line))
    .join('\n');

/**
 * The words of a failed program's output, without stacks, source lines and places in source: a line number may look like
 * the status of a service, and a function may be named after a fault.
 */
export const listFaultWords = (output: string): readonly string[] =>
  listLines(output)
    .filter((line, at, all) => !FRAME.test(line) && !CARET.test(all[at + 1] ?? ''))
    .map((line) => line.replace(PLACE, ''));

/** The end of an output, in whole lines: the rest of a cut one could be that of a secret. */
const cutToEnd = (output: string): string =>
  output.length <= KEPT_OUTPUT ? output : output.slice(-KEPT_OUTPUT).replace(/^[^\n]*\n?/, '');

/** The same, to be kept and shown; it says so where nothing can be. */
export function getEnd(output: string): string {
  const end = cutToEnd(output);
  return end.trim() === '' && output.trim() !== '' ? '(the end of the output is one line too long to be kept)' : end;
}

const listLines = (output: string): readonly string[] =>
  stripSequences(cutToEnd(output))
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');

/** The message of JSON on several lines that a program such as gemini ends with. */
function findInJson(lines: readonly string[]): string | undefined {
  if (/[\p{L}\p{N}]/u.test(lines.at(-1) ?? '')) return undefined;
  return MESSAGE.exec(lines.findLast((line) => MESSAGE.test(line)) ?? '')?.[1];
}

/** More lines behind a traceback are no message of it: the program survived the error. */
const MESSAGE_LINES = 3;

/** The first line after the frames of the last traceback: a message may have a few lines more. */
function findInTraceback(lines: readonly string[]): string | undefined {
  const start = lines.findLastIndex((line) => line.startsWith('Traceback (most recent call last):'));
  const [error, ...more] = start < 0 ? [] : lines.slice(start + 1).filter(isAtMargin);
  return more.length > MESSAGE_LINES ? undefined : error;
}

/** The error above the stack that a program ends with. Node.js prints it below a caret; else it is the last error. */
function findAboveStack(lines: readonly string[]): string | undefined {
  const end = lines.findLastIndex(isWords) + 1;
  const tail = lines.slice(end);
  if (!tail.some((line) => BANNER.test(line) || FRAME.test(line))) return undefined;
  const caret = tail.some((line) => BANNER.test(line)) ? lines.findLastIndex((line) => CARET.test(line)) : -1;
  if (caret >= 0) return lines[caret + 1];
  return lines.slice(0, end).findLast((line) => ERROR.test(line));
}

const isAtMargin = (line: string): boolean => !/^\s/.test(line);
/** Whether a line is neither part of a stack nor of what a runtime prints after one. */
const isWords = (line: string): boolean =>
  isAtMargin(line) && !BANNER.test(line) && !HINT.test(line) && /[\p{L}\p{N}]/u.test(line);

const MESSAGE = /^\s*"message":\s*"(.+)",?$/;
const BANNER = /^(?:Node\.js|Bun|Deno|Python|PHP|Ruby) v?\d+\.\d[\w.+-]*(?: \(.*\))?$/i;
const FRAME = /^\s+(?:at|from) \S/;
const NODE_FRAME = /^\s+at (?:async )?(?:.*\()?node:[^)]*\)?(?: \{)?$/;
/** `cli.js:512`, `cli.js:512:17`, `line 512`. */
const PLACE = /[^\s"'(),]{1,200}(?:\.[cm]?[jt]sx?|\.py|\.rs|\.go|\.rb|:\d+):\d+|\bline \d+/gi;
const CARET = /^\s*\^+$/;
const HINT = /^(?:\(Use `node |note: run with `RUST_BACKTRACE)/;
/** A line that names an error; with its message, if it has one. */
const ERROR =
  /^(?:Uncaught |Exception in thread |Caused by: |\[)?["\w$.]*(?:Error|Exception|Rejection)\b(?: \[\w+\])?(?::|$)|^(?:error|fatal|panic): /;
