import { rmSync } from 'node:fs';
import { openDir } from '../../base/system/safe-fs.ts';
import { bootId } from './descendants.ts';

/**
 * Drops unsynced caches (laid out trees and prepared folders) after a reboot: after a power loss, a file in them may be
 * empty although git takes it for whole.
 */
export function dropUnsynced(state: string): void {
  const door = openDir(state);
  const boot = bootId();
  const noted = door.text('boot', 1000);
  if (noted.ok && noted.value === boot) return;
  for (const folder of ['trees', 'setup'])
    for (const { name } of door.entries(folder)) rmSync(door.at(`${folder}/${name}`), { recursive: true, force: true });
  door.write('boot', boot);
}
