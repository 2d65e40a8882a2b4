import type { Settings } from '../../config/config.ts';
import type { Cage } from '../../ports/cage.ts';
import type { RunProgram } from '../processes/run.ts';
import { boundsOf, limitsHere, limitsInWords } from './bounds-of.ts';
import { bubblewrap } from './bubblewrap.ts';
import { linkShares } from './link-shares.ts';
import { runShell } from './run-shell.ts';
import { sandboxRuntime } from './sandbox-runtime.ts';
import type { CageWorld } from './what-is-seen.ts';

/** The cage that the user's own configuration names; there is no fallback to another one. */
export function cage(driver: Settings['cage']['driver'], run: RunProgram, services: CageWorld): Cage {
  switch (driver) {
    case 'bubblewrap':
      return bubblewrap(run, services);
    case 'sandbox-runtime':
      return sandboxRuntime(run, services);
    case 'none':
      return noCage(run, services);
  }
}

/** No cage, because the user's own configuration says `cage: none`. Shared folders are symbolic links. */
export function noCage(
  run: RunProgram,
  { environment, limits = limitsHere(), groups }: Pick<CageWorld, 'environment' | 'limits' | 'groups'>,
): Cage {
  return {
    name: 'none',
    unavailable: () => Promise.resolve(undefined),
    limits: () => Promise.resolve(limitsInWords(limits, groups?.(), false)),
    keepsTrees: () => Promise.resolve(false),
    run(command) {
      linkShares(command);
      const start = { program: '/bin/sh', args: ['-c', command.run], cwd: command.tree, env: environment };
      return runShell(run, command, start, boundsOf(run, command, { ...limits, ...command.limits }, []));
    },
  };
}
