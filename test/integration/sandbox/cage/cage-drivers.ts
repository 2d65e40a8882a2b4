import { createBubblewrap } from '../../../../src/sandbox/cage/bubblewrap.ts';
import type { CageWorld } from '../../../../src/sandbox/cage/sandbox-mounts.ts';
import { createSandboxRuntime } from '../../../../src/sandbox/cage/sandbox-runtime.ts';
import type { Cage } from '../../../../src/sandbox/cage.ts';
import { aRunner } from '../processes/a-runner.ts';
import { ENVIRONMENT } from './attacks.ts';

/** What a cage is made from where a test changes nothing of it. */
export const WORLD = { home: '/root', environment: ENVIRONMENT, hide: [], read: [] };

const DRIVERS: readonly (readonly [string, (world: CageWorld) => Cage])[] = [
  ['bubblewrap', (world) => createBubblewrap(aRunner().run, world)],
  ['sandbox-runtime', (world) => createSandboxRuntime(aRunner().run, world)],
];

/** Both kinds of cage, and why one cannot be used on this machine. */
export const cageDrivers = await Promise.all(
  DRIVERS.map(async ([name, make]) => ({ name, make, why: await make(WORLD).unavailable() })),
);
