import type { Settings } from '../../config/config.ts';
import type { Cage } from '../../ports/cage.ts';
import type { RunProgram } from '../processes/run.ts';
import { computeBounds, machineLimits, formatLimits } from './compute-bounds.ts';
import { createBubblewrap } from './bubblewrap.ts';
import { linkShares } from './link-shares.ts';
import { runShell } from './run-shell.ts';
import { createSandboxRuntime } from './sandbox-runtime.ts';
import type { CageWorld } from './sandbox-mounts.ts';

/** The cage that the user's own configuration names; there is no fallback to another one. */
export function createCage(driver: Settings['cage']['driver'], run: RunProgram, services: CageWorld): Cage {
  switch (driver) {
    case 'bubblewrap':
      return createBubblewrap(run, services);
    case 'sandbox-runtime':
      return createSandboxRuntime(run, services);
    case 'none':
      return createNoCage(run, services);
  }
}

/** No cage, because the user's own configuration says `cage: none`. Shared folders are symbolic links. */
export function createNoCage(
  run: RunProgram,
  { environment, limits = machineLimits(), groups }: Pick<CageWorld, 'environment' | 'limits' | 'groups'>,
): Cage {
  return {
    name: 'none',
    unavailable: () => Promise.resolve(undefined),
    limits: () => Promise.resolve(formatLimits(limits, groups?.(), false)),
    keepsTrees: () => Promise.resolve(false),
    run(command) {
      linkShares(command);
      const start = { program: '/bin/sh', args: ['-c', command.run], cwd: command.tree, env: environment };
      return runShell(run, command, start, computeBounds(run, command, { ...limits, ...command.limits }, []));
    },
  };
}
