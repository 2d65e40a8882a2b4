import { spawn } from 'node:child_process';

/** An andon in this terminal, which shows what it receives and ends with its parent. */
interface ChildDaemon {
  tell(text: string): void;
  /** Its exit code; null where a signal ended it, or it did not start. */
  readonly gone: Promise<number | null>;
  /** Makes it give the terminal back, and waits until it has. */
  end(): Promise<void>;
}

/** Marks an andon that was started this way. */
export const CHILD_DAEMON_MARK = 'ANDON_BESIDE';
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
