import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Stage } from './stage.ts';
import type { Shift, Word } from './worker.ts';

const WORKER = join(import.meta.dirname, 'worker.ts');

/** Starts a process that works a shift; `heard` gets every word of it. `ended` says how, and fails with the reason when andon stopped by itself. */
export function runShift(
  { env }: Stage,
  shift: Shift,
  heard: (word: Word) => void,
): { readonly ended: Promise<NodeJS.Signals | number | null>; kill(): void; endSoon(): void } {
  const flags = ['--expose-gc', '--disable-warning=ExperimentalWarning'];
  const child = spawn(process.execPath, [...flags, WORKER, JSON.stringify(shift)], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true, // the parent forwards Ctrl-C
  });
  const kill = (): void => {
    child.kill('SIGKILL');
  };
  process.prependOnceListener('exit', kill); // a run that is stopped leaves nothing behind
  let broke: string | undefined;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const word = readWord(line);
    if (word?.kind === 'broke') broke = word.reason;
    if (word !== undefined) heard(word);
  });
  const ended = new Promise<NodeJS.Signals | number | null>((resolve, reject) => {
    child.once('close', (code, signal) => {
      process.off('exit', kill);
      if (broke === undefined) resolve(signal ?? code);
      else reject(new Error(broke));
    });
  });
  return { ended, kill, endSoon: () => void child.kill('SIGINT') };
}

/** Undefined for a line that a kill cut off. */
function readWord(line: string): Word | undefined {
  try {
    return JSON.parse(line) as Word;
  } catch {
    return undefined;
  }
}
