import { join } from 'node:path';
import { sweepHalfWritten } from '../adapters/handoff/sweep.ts';
import { currentHolder } from '../adapters/locks/holder.ts';
import { dropUnsynced } from '../adapters/processes/other-boot.ts';
import { endLeftovers } from '../adapters/processes/registry.ts';
import { HOMES } from '../adapters/agents/private-folder.ts';
import { putAway, removePutAway } from '../adapters/put-away.ts';
import { HANDOFF } from '../base/names.ts';
import type { Place } from './open-place.ts';

/** Ends every process that is noted as running for this repository, and says how many there were. */
export const endProcesses = (place: Place): number => endLeftovers(join(place.state, 'running'));

/** Takes away what a crashed andon left half done: its processes, of which it says how many there were, and its files. */
export function clearLeftovers(place: Place): number {
  const left = endProcesses(place);
  sweepHalfWritten(join(place.inboxRoot, HANDOFF), place.state, place.facts.commonDir);
  dropUnsynced(place.state);
  for (const folder of ['trees', 'desks', HOMES]) removePutAway(join(place.state, folder));
  void putAway(join(place.state, HOMES));
  return left;
}

/** Drops what an earlier boot of the machine left half written, as a watchdog does at its start; one that runs did so. */
export function dropEarlierBoot(place: Place): void {
  if (currentHolder({ stateFolder: place.state, commonDir: place.facts.commonDir }) === undefined)
    dropUnsynced(place.state);
}
