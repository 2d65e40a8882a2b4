import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openDir } from '../../base/system/safe-fs.ts';
import { removeHalfWritten } from '../../project/handoff/remove-half-written.ts';
import { readCurrentHolder } from '../../project/locks/holder.ts';
import { bootId } from '../../sandbox/processes/descendants.ts';
import { killRegisteredProcesses } from '../../sandbox/processes/registry.ts';
import { clearTails } from '../../project/folders/live-tails.ts';
import { moveToTrash, removePutAway } from '../../base/system/trash.ts';
import { HANDOFF } from '../../base/names.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { HOMES } from '../../agents/drivers/private-folder.ts';

/** Ends every process that is noted as running for this repository, and says how many there were. */
export const endNotedProcesses = (place: Workspace): number => killRegisteredProcesses(join(place.state, 'running'));

/** Takes away what a crashed andon left half done: its processes, of which it says how many there were, and its files. */
export function clearLeftovers(place: Workspace): number {
  const left = endNotedProcesses(place);
  removeHalfWritten(join(place.inboxRoot, HANDOFF), place.state, place.facts.commonDir);
  dropUnsynced(place.state);
  for (const folder of ['trees', 'desks', HOMES]) removePutAway(join(place.state, folder));
  void moveToTrash(join(place.state, HOMES));
  for (const folder of ['trees', 'desks']) clearOldDoctors(join(place.state, folder));
  clearTails(place.state);
  return left;
}

const DAY_MS = 86_400_000;

/** Puts away the trees in which a doctor worked: none works for a day, and no task id has a dot. */
function clearOldDoctors(folder: string): void {
  const door = openDir(folder);
  for (const { name } of door.entries(''))
    if (name.startsWith('doctor.') && Date.now() - (door.stat(name)?.mtimeMs ?? Infinity) > DAY_MS)
      void moveToTrash(join(folder, name));
}

/** Drops what an earlier boot of the machine left half written, as a watchdog does at its start; one that runs did so. */
export function dropEarlierBoot(place: Workspace): void {
  if (readCurrentHolder({ stateFolder: place.state, commonDir: place.facts.commonDir }) === undefined)
    dropUnsynced(place.state);
}

/**
 * Drops unsynced caches (laid out trees and prepared folders) after a reboot: after a power loss, a file in them may be
 * empty although git takes it for whole.
 */
function dropUnsynced(state: string): void {
  const door = openDir(state);
  const boot = bootId();
  const noted = door.text('boot', 1000);
  if (noted.ok && noted.value === boot) return;
  for (const folder of ['trees', 'setup'])
    for (const { name } of door.entries(folder)) rmSync(door.at(`${folder}/${name}`), { recursive: true, force: true });
  door.write('boot', boot);
}
