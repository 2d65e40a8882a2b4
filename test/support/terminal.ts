import { spawn, spawnSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject, onTestFinished } from 'vitest';
import { patience } from './patience.ts';

/** A prompt hides the cursor when it begins; what stands before was said by an earlier one. */
const PROMPT_BEGINS = '\u001b[?25l';

/** Keys as a terminal sends them. */
export const KEYS = {
  enter: '\r',
  escape: '\u001b',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  down: '\u001b[B',
  up: '\u001b[A',
  erase: '\u0015',
};

/** Whether this machine can make a pseudo-terminal; where it cannot, the tests that need one are skipped and say so. */
export const HAS_TERMINAL = /util-linux/.test(String(spawnSync('script', ['--version']).stdout));

/** A conversation with an andon that believes it sits at a terminal. */
export interface Conversation {
  /** Waits until a question with this text is open, then answers with these keys. */
  answer(question: string, ...keys: readonly string[]): Promise<void>;
  /** Presses keys at the question that is open. */
  type(...keys: readonly string[]): void;
  /** Waits for a text that is no question. */
  see(text: string): Promise<void>;
  /** Ends the input, as a terminal that is closed does. */
  hangUp(): void;
  /** Everything shown, without colours and cursor movements. */
  shown(): string;
  /** Every byte shown. */
  raw(): string;
  readonly ended: Promise<number | null>;
}

/** Starts andon in a pseudo-terminal of 200 columns, made by `script` of util-linux. */
export function inTerminal(
  { repo, env }: { readonly repo: string; readonly env: Readonly<Record<string, string>> },
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Conversation {
  const words = [process.execPath, '--disable-warning=ExperimentalWarning', inject('andon'), ...args];
  const command = `stty cols 200 rows 60; exec ${words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')}`;
  const child = spawn('script', ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], {
    cwd: repo,
    env: { ...env, TERM: 'xterm-256color', SHELL: '/bin/sh', ...more },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  let read = 0;
  let isOver = false;
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      isOver = true;
      resolve(code);
    });
  });
  const until = async (text: string, from: () => number): Promise<void> => {
    for (const began = performance.now(); ; await sleep(10)) {
      const begin = from();
      const at = begin === -1 ? -1 : output.indexOf(text, begin);
      if (at !== -1) {
        read = at + text.length;
        return;
      }
      if (isOver || performance.now() - began > patience())
        throw new Error(
          `"${text}" was not shown${isOver ? ' before the end' : ''}:\n${stripVTControlCharacters(output)}`,
        );
    }
  };
  const type = (...keys: readonly string[]): void => void child.stdin.write(keys.join(''));
  return {
    async answer(question, ...keys) {
      await until(question, () => output.indexOf(PROMPT_BEGINS, read));
      type(...keys);
    },
    type,
    see: (text) => until(text, () => read),
    hangUp: () => child.stdin.end(),
    shown: () => stripVTControlCharacters(output),
    raw: () => output,
    ended,
  };
}
