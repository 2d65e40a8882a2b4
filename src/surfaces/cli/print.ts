import { styleText } from 'node:util';
import { withLocalTimes } from '../../base/local-time.ts';
import { forJson, forOneLine, forTerminal } from '../../base/plain-text.ts';

type Style = 'green' | 'red' | 'yellow' | 'dim' | 'bold' | 'cyan';

/** Text with a colour where the stream shows colours (NO_COLOR and pipes are respected). */
export const styled = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout });

/** Prints one line to standard output. */
export const line = (text = ''): void => {
  process.stdout.write(`${text}\n`);
};

/** Prints one line for a person: every moment in it is local and short. */
export const sentence = (text: string): void => line(withLocalTimes(text, new Date()));

/** Prints facts for programs. */
export const json = (value: unknown): void => line(forJson(value));

/** Says what is wrong, on one line. */
export const errorLine = (text: string): void => complain('red', forOneLine(text));

/** Says what is wrong in the lines of a problem, or of a fault of andon's own. */
export const errorLines = (text: string): void => complain('red', text);

/** Says what somebody had better know, although it goes on. */
export const warningLine = (text: string): void => complain('yellow', forOneLine(text));

const complain = (style: Style, text: string): void => {
  process.stderr.write(`${styleText(style, 'andon:', { stream: process.stderr })} ${inLog(text)}\n`);
};

/** Says what to do about it. */
export const remedyLine = (text: string): void => {
  process.stderr.write(`       ${inLog(forOneLine(text))}\n`);
};

/** No part of it is a command to the machine that keeps the log: a line that begins with `::`, or `##[` anywhere. */
const inLog = (text: string): string =>
  withLocalTimes(forTerminal(text), new Date())
    .replaceAll('##[', '## [')
    .replace(/^(\s*)::/gm, '$1: :');

/** The colour of a status word. */
export function statusStyle(status: string): Style {
  if (status === 'merged') return 'green';
  if (status === 'erik_consultation') return 'red';
  return status === 'abandoned' ? 'dim' : 'yellow';
}
