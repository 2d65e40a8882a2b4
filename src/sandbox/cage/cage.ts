import type { CageDriver } from '../cage-limits.ts';
import type { Cage } from '../cage.ts';
import type { RunProgram } from '../processes/run.ts';
import { computeBounds, machineLimits, formatLimits } from './compute-bounds.ts';
import { createBubblewrap } from './bubblewrap.ts';
import { linkShares } from './link-shares.ts';
import { runShell } from './run-shell.ts';
import { createSandboxRuntime } from './sandbox-runtime.ts';
import { buildCommandEnvironment, type CageWorld } from './sandbox-mounts.ts';

/** The cage that the user's own configuration names; there is no fallback to another one. */
export function createCage(driver: CageDriver, run: RunProgram, services: CageWorld): Cage {
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
export function createNoCage(run: RunProgram, world: Pick<CageWorld, 'environment' | 'proxies' | 'limits'>): Cage {
  const { limits = machineLimits() } = world;
  return {
    name: 'none',
    unavailable: () => Promise.resolve(undefined),
    limits: () => Promise.resolve(formatLimits(limits, false)),
    keepsTrees: () => Promise.resolve(false),
    run(command) {
      linkShares(command);
      // Here a gate has the network of the machine, so it gets the proxies too.
      const env = buildCommandEnvironment(world, { ...command, network: true });
      const start = { program: '/bin/sh', args: ['-c', command.run], cwd: command.tree, env };
      return runShell(run, command, start, computeBounds(run, command, { ...limits, ...command.limits }, []));
    },
  };
}
