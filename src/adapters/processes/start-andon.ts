import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { openDir } from '../safe-fs.ts';
import { installRoot } from '../install-root.ts';

/** An andon in a process of its own; its children do not end with it. */
interface OtherAndon {
  readonly pid: number;
  /** Everything it printed. */
  output(): string;
  /** Ends it by a signal and waits until it is gone. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/**
 * Starts andon as a process of its own, for drills that kill it; the process runner would end its orphans, and so hide
 * them.
 */
export function startAndon(words: readonly string[], cwd: string, env: NodeJS.ProcessEnv): OtherAndon {
  const child = spawn(process.execPath, [join(installRoot(), 'bin', 'andon.mjs'), ...words], {
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

/** Marks a background watchdog: it reports to its log only. */
export const IN_BACKGROUND = 'ANDON_BACKGROUND';

/** An andon that outlives its parent and the terminal. */
interface BackgroundAndon {
  readonly pid: number;
  /** Its exit code or signal, or why it could not start. */
  readonly ended: Promise<string>;
  /** Lets this process end first. */
  release(): void;
  kill(signal: NodeJS.Signals): void;
}

/** Marks an andon in the terminal of its parent. */
export const CHILD_DAEMON_MARK = 'ANDON_BESIDE';

/** Variables of the parent's shell and terminal, which the background process must not inherit. */
const NOT_INHERITED = ['ANDON_CWD', 'INIT_CWD', 'PWD', 'OLDPWD', '_', 'SHLVL', 'COLUMNS', 'LINES', CHILD_DAEMON_MARK];

/**
 * Starts andon in a session of its own, in `/`, so that no closed terminal or removed folder ends it. It inherits the
 * other variables and the limits (ulimit) of this process; its output goes to `file` in `folder`.
 */
export function startInBackground(
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  { folder, file }: { readonly folder: string; readonly file: string },
): BackgroundAndon {
  const door = openDir(folder);
  door.put(file, '', 0o600);
  const output = openSync(door.plain(file), 'a');
  const inherited = Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_INHERITED.includes(name)));
  const child = spawn(process.execPath, [join(installRoot(), 'bin', 'andon.mjs'), ...words], {
    cwd: '/',
    detached: true,
    env: { ...inherited, [IN_BACKGROUND]: '1' },
    stdio: ['ignore', output, output],
  });
  closeSync(output);
  return {
    pid: child.pid ?? 0,
    ended: new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code ?? 1}`));
      child.once('error', (error) => resolve(error.message));
    }),
    release: () => child.unref(),
    kill: (signal) => void child.kill(signal),
  };
}

/** An andon in this terminal, which shows what it receives and ends with its parent. */
interface ChildDaemon {
  tell(text: string): void;
  /** Its exit code; null where a signal ended it, or it did not start. */
  readonly gone: Promise<number | null>;
  /** Makes it give the terminal back, and waits until it has. */
  end(): Promise<void>;
}

/** A program that does not give the terminal back in this time is ended. */
const PATIENCE_MS = 3000;

/** Starts andon once more in this terminal; `asked` is called when it asks its parent to stop. */
export function startChildDaemon(words: readonly string[], env: NodeJS.ProcessEnv, asked: () => void): ChildDaemon {
  const flags = process.execArgv.filter((flag) => flag.startsWith('--disable-warning'));
  const child = spawn(process.execPath, [...flags, process.argv[1] ?? '', ...words], {
    env: { ...env, [CHILD_DAEMON_MARK]: '1' },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  child.on('message', asked);
  const gone = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
    child.once('error', () => resolve(null));
  });
  return {
    tell: (text) => void (child.connected && child.send(text, () => {})), // a process that has just ended gets no message
    gone,
    async end() {
      if (child.connected) child.disconnect();
      const asking = setTimeout(() => child.kill('SIGTERM'), PATIENCE_MS);
      const ending = setTimeout(() => child.kill('SIGKILL'), 2 * PATIENCE_MS); // one that blocks signals
      await gone;
      clearTimeout(asking);
      clearTimeout(ending);
    },
  };
}
