import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AskedLimits } from '../../config/cage-limits.ts';
import type { Services } from '../../wiring/services.ts';
import { poor, well } from './check.ts';
import type { Check } from './check.ts';

/** What tries to take too much of each, and how little it may have. None lasts when it is ended; a loaded machine may take a while to. */
const TRIES: readonly (readonly [what: string, limits: AskedLimits, run: string])[] = [
  [
    'memory',
    { memoryMb: 64 },
    `head -c 150000000 /dev/zero | tail -c 150000000 | { sleep 15; cat; } > /dev/null; sleep 15`,
  ],
  ['processes', { processes: 20 }, 'i=0; while [ $i -lt 40 ]; do sleep 15 & i=$((i+1)); done; wait'],
  ['written bytes', { diskMb: 16 }, 'head -c 40000000 /dev/zero > fill; sleep 15'],
  ['files', { files: 100 }, 'i=0; while [ $i -lt 400 ]; do : > "f$i"; i=$((i+1)); done; sleep 15'],
];

/** Proves the limits by passing each; says which hold, and what holds them. */
export async function examineLimits(services: Services): Promise<Check> {
  if ((await services.cage.unavailable()) !== undefined)
    return poor('limits', 'not tried: there is no cage', 'see the line about the cage');
  const held = await Promise.all(TRIES.map((one, at) => isHeld(services, one, at)));
  services.folders.tidy('doctor');
  const open = TRIES.filter((_, at) => held[at] === false).map(([what]) => what);
  const words = await services.cage.limits();
  if (open.length === 0) return well('limits', `each was passed, and ended what passed it: ${words}`);
  return poor(
    'limits',
    `not held here: ${open.join(', ')}. ${words}`,
    'a gate may take as much of these as the machine has; run gates of strangers elsewhere',
  );
}

async function isHeld(services: Services, [, limits, run]: (typeof TRIES)[number], at: number): Promise<boolean> {
  const tree = services.folders.tree('doctor', `limit-${at}`);
  mkdirSync(tree, { recursive: true });
  const { ended } = await services.cage.run({
    run,
    tree,
    network: false,
    share: [],
    limits,
    discards: await services.cage.keepsTrees(dirname(tree)),
    timeoutMs: 60_000,
    signal: new AbortController().signal,
  });
  return ended === 'limit';
}
