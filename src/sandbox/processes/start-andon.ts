import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { openDir } from '../../base/system/safe-fs.ts';
import { installRoot } from '../../base/system/install-root.ts';

/**
 * Starts andon as a process of its own, for drills that kill it; the process runner would end its orphans, and so hide
 * them.
 */
export function startAndon(words: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
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
    /** Everything it printed. */
    output: () => output,
    /** Ends it by a signal and waits until it is gone. */
    async end(signal: NodeJS.Signals): Promise<void> {
      child.kill(signal);
      await gone;
      for (const stream of [child.stdout, child.stderr]) stream.destroy(); // orphans may hold the pipes
    },
  };
}

/** Marks a background watchdog: it reports to its log only. */
export const IN_BACKGROUND = 'ANDON_BACKGROUND';

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
) {
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
    /** Its exit code or signal, or why it could not start. */
    ended: new Promise<string>((resolve) => {
      child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code ?? 1}`));
      child.once('error', (error) => resolve(error.message));
    }),
    /** Lets this process end first. */
    release: (): void => child.unref(),
    kill: (signal: NodeJS.Signals): void => void child.kill(signal),
  };
}

/** A program that does not give the terminal back in this time is ended. */
const PATIENCE_MS = 3000;

/** Starts andon once more in this terminal; `onStopRequest` is called when it asks its parent to stop. */
export function startChildDaemon(words: readonly string[], env: NodeJS.ProcessEnv, onStopRequest: () => void) {
  const flags = process.execArgv.filter((flag) => flag.startsWith('--disable-warning'));
  const child = spawn(process.execPath, [...flags, process.argv[1] ?? '', ...words], {
    env: { ...env, [CHILD_DAEMON_MARK]: '1' },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  child.on('message', onStopRequest);
  const gone = new Promise<number | null>((resolve) => {
    child.once('exit', resolve);
    child.once('error', () => resolve(null));
  });
  return {
    tell: (text: string): void => void (child.connected && child.send(text, () => {})), // a process that has just ended gets no message
    /** Its exit code; null where a signal ended it, or it did not start. */
    gone,
    /** Makes it give the terminal back, and waits until it has. */
    async end(): Promise<void> {
      if (child.connected) child.disconnect();
      const asking = setTimeout(() => child.kill('SIGTERM'), PATIENCE_MS);
      const ending = setTimeout(() => child.kill('SIGKILL'), 2 * PATIENCE_MS); // one that blocks signals
      await gone;
      clearTimeout(asking);
      clearTimeout(ending);
    },
  };
}
