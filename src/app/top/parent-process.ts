import { CHILD_DAEMON_MARK } from '../../sandbox/processes/start-andon.ts';

export interface ParentProcess {
  /** Calls `listener` with each line that the parent would have printed in this terminal, and `gone` when it has ended. */
  follow(listener: (line: string) => void, gone: () => void): void;
  /** Asks the parent to stop. */
  stop(): void;
  /** Closes the channel, which would keep this process running. */
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
    stop: () => void (process.connected && process.send?.('stop', undefined, {}, () => {})), // a parent that has just ended gets no message
    leave: () => void (process.connected && process.disconnect()),
  };
}
