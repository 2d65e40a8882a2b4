import { CHILD_DAEMON_MARK } from '../adapters/processes/start-andon.ts';

export { startChildDaemon } from '../adapters/processes/start-andon.ts';

export interface ParentProcess {
  /** Hears every line that it would have printed there, and that it is gone. */
  follow(listener: (line: string) => void, gone: () => void): void;
  stop(): void;
  /** Hears no more of it: who listens does not end by himself. */
  leave(): void;
}

/** The process that started this andon as its child; undefined if a person started it. */
export function findParentProcess(env: NodeJS.ProcessEnv): ParentProcess | undefined {
  if (env[CHILD_DAEMON_MARK] === undefined || process.send === undefined) return undefined;
  return {
    follow(listener, gone) {
      process.on('message', (line) => listener(String(line)));
      process.once('disconnect', gone);
      if (!process.connected) gone();
    },
    stop: () => void (process.connected && process.send?.('stop', undefined, {}, () => {})), // one that has just ended hears nothing
    leave: () => void (process.connected && process.disconnect()),
  };
}
