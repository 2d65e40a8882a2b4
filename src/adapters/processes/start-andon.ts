import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

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
  const child = spawn(process.execPath, [command(), ...words], {
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

/** `bin/andon.mjs` lies beside `src/` in a clone and beside `dist/` in the package. */
function command(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'bin', 'andon.mjs');
    if (existsSync(candidate)) return candidate;
  }
  throw new Error('bin/andon.mjs is missing from this installation');
}
