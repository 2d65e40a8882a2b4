import { availableParallelism, loadavg } from 'node:os';

/** The most that limits are stretched: beside forty busy processes on two cores everything takes twenty times as long. */
const MOST = 25;

/** How many times as long everything takes here and now, because the machine has more to do than it has cores; at least 1. */
export const slowness = (): number => Math.min(MOST, Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()));

/**
 * How long anything in this suite may take before it counts as not happening, in milliseconds: it ends what hangs and
 * measures nothing, so on a busy machine it is as much longer as everything is.
 */
export const patience = (): number => 90_000 * slowness();
