import type { Cage } from '../../ports/cage.ts';
import type { RunProgram } from '../processes/run.ts';
import { linkShares } from './link-shares.ts';
import { runShell } from './run-shell.ts';

/** No cage at all, because the user's own configuration says `cage: none`. Shared folders are symbolic links. */
export function noCage(run: RunProgram, environment: Readonly<Record<string, string>>): Cage {
  return {
    name: 'none',
    unavailable: () => Promise.resolve(undefined),
    run(command) {
      linkShares(command);
      return runShell(run, command, {
        program: '/bin/sh',
        args: ['-c', command.run],
        cwd: command.tree,
        env: environment,
      });
    },
  };
}
