import { styleText } from 'node:util';
import { forJson, forTerminal } from '../../formats/plain-text.ts';

type Style = 'green' | 'red' | 'yellow' | 'dim' | 'bold' | 'cyan';

/** Text with a colour where the stream shows colours (NO_COLOR and pipes are respected). */
export const styled = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout });

/** Prints one line to standard output. */
export const line = (text = ''): void => {
  process.stdout.write(`${text}\n`);
};

/** Prints facts for programs. */
export const json = (value: unknown): void => line(forJson(value));

/** Says what is wrong. */
export const errorLine = (text: string): void => complain('red', text);

/** Says what somebody had better know, although it goes on. */
export const warningLine = (text: string): void => complain('yellow', text);

const complain = (style: Style, text: string): void => {
  process.stderr.write(`${styleText(style, 'andon:', { stream: process.stderr })} ${inLog(text)}\n`);
};

/** Says what to do about it. */
export const remedyLine = (text: string): void => {
  process.stderr.write(`       ${inLog(text)}\n`);
};

/** No part of it is a command to the machine that keeps the log: a line that begins with `::`, or `##[` anywhere. */
const inLog = (text: string): string =>
  forTerminal(text)
    .replaceAll('##[', '## [')
    .replace(/^(\s*)::/gm, '$1: :');

/** The colour of a status word. */
export function statusStyle(status: string): Style {
  if (status === 'merged') return 'green';
  if (status === 'erik_consultation') return 'red';
  return status === 'abandoned' ? 'dim' : 'yellow';
}
