import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { placeOfAndon } from '../own-files.ts';

/** An andon that runs as a process of its own; nothing of what it started ends with it. */
export interface OtherAndon {
  readonly pid: number;
  /** Everything it printed. */
  output(): string;
  /** Ends it by a signal and waits until it is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts andon as a process of its own, for drills that kill it; the runner would end its orphans, and so hide them. */
export function startAndon(words: readonly string[], cwd: string, env: NodeJS.ProcessEnv): OtherAndon {
  const child = spawn(process.execPath, [join(placeOfAndon(), 'bin', 'andon.mjs'), ...words], {
    cwd,
    env: { ...env, ANDON_CWD: cwd },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.on('error', (error) => (output += error.message));
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  return {
    pid: child.pid ?? 0,
    output: () => output,
    async end(signal) {
      child.kill(signal);
      await gone;
      for (const stream of [child.stdout, child.stderr]) stream.destroy(); // orphans may hold the pipes
    },
  };
}
