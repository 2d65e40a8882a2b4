/** What a command sees of where it was typed. */
export interface Shell {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Listens to a signal from now on, which then does not end the process by itself. */
  readonly onSignal: (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP', listener: () => void) => void;
}

/** The shell that started this process; `npm start -- …` runs in andon's own folder, and the bootstrap says where the user typed. */
export const readShell = (): Shell => ({
  cwd: process.env['ANDON_CWD'] ?? process.cwd(),
  env: process.env,
  onSignal: (signal, listener) => void process.on(signal, listener),
});
