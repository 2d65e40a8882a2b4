import { styleText } from 'node:util';
import { maskKnown } from '../../base/known-secrets.ts';
import { withLocalTimes } from '../../base/local-time.ts';
import { toSafeJson, toSingleLine, toTerminal, toTerminalLine } from '../../base/plain-text.ts';
import type { DoctorCheck } from '../setup/doctor/doctor-check.ts';
import type { Invocation } from './command.ts';

type Style = 'green' | 'red' | 'yellow' | 'dim' | 'bold' | 'cyan';

/** Text with a colour where the stream shows colours (NO_COLOR and pipes are respected). */
export const colourText = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout });

/** Receives output in place of the terminal, while a board has it. */
let instead: ((text: string) => void) | undefined;

/** Redirects output from now on; undefined gives it to the terminal again. */
export const redirectOutput = (to: typeof instead): void => {
  instead = to;
};

const say = (stream: 'stdout' | 'stderr', message: string): void => {
  const text = maskKnown(message);
  if (instead === undefined) process[stream].write(`${text}\n`);
  else instead(text);
};

export const printLine = (text = ''): void => say('stdout', text);

/** Prints a whole text unchanged except for known secrets, without a newline. */
export const printText = (text: string): void => void process.stdout.write(maskKnown(text));

/** Prints one line for a person: every moment in it is local and short. */
export const printSentence = (text: string): void => printLine(withLocalTimes(text, new Date()));

export const printJson = (value: unknown): void => printLine(toSafeJson(value));

/** Prints what a command did, as facts for programs or as a sentence; returns the exit code of success. */
export function printResult({ options }: Pick<Invocation, 'options'>, facts: unknown, sentence = ''): number {
  if (options['json'] === true) printJson(facts);
  else if (sentence !== '') printSentence(sentence);
  return 0;
}

export const printErrorLine = (text: string): void => complain('red', toSingleLine(text));

export const printErrorLines = (text: string): void => complain('red', text);

export const printWarning = (text: string): void => complain('yellow', toSingleLine(text));

const complain = (style: Style, text: string): void => {
  say('stderr', `${styleText(style, 'andon:', { stream: process.stderr })} ${toLogText(text)}`);
};

export const printRemedy = (text: string): void => {
  say('stderr', `       ${toLogText(toSingleLine(text))}`);
};

/** No part of it is a command to the machine that keeps the log: a line that begins with `::`, or `##[` anywhere. */
const toLogText = (text: string): string =>
  withLocalTimes(toTerminal(text), new Date())
    .replaceAll('##[', '## [')
    .replace(/^(\s*)::/gm, '$1: :');

const MARKS = {
  ok: ['green', 'ok  '],
  warn: ['yellow', 'warn'],
  fail: ['red', 'FAIL'],
  off: ['dim', 'off '],
} as const;

export function printCheck(check: Omit<DoctorCheck, 'state'> & { readonly state: keyof typeof MARKS }): void {
  const { name, state, detail, remedy, output } = check;
  const [style, mark] = MARKS[state];
  printSentence(`${colourText(style, mark)}  ${name.padEnd(16)} ${toTerminalLine(detail, 400)}`.trimEnd());
  if (state !== 'ok' && remedy !== undefined) printLine(`${INDENT}${colourText('dim', toTerminalLine(remedy, 400))}`);
  if (output !== undefined) {
    printLine(`${INDENT}${colourText('dim', 'it printed at last:')}`);
    for (const line of output.split('\n')) printLine(`${INDENT}  ${toTerminal(line)}`);
  }
}

const INDENT = ' '.repeat(24);

export function getStatusStyle(status: string): Style {
  if (status === 'merged') return 'green';
  if (status === 'erik_consultation') return 'red';
  return status === 'abandoned' ? 'dim' : 'yellow';
}
