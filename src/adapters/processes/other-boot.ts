import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../durable.ts';
import { bootId } from './descendants.ts';

/**
 * Drops what only saves work, laid out trees and prepared folders, when the machine was started anew: none of it is
 * synced, so after a power loss a file of it may be empty although git takes it for whole.
 */
export function dropUnsynced(state: string): void {
  const file = join(state, 'boot');
  const boot = bootId();
  if (existsSync(file) && readFileSync(file, 'utf8') === boot) return;
  for (const folder of ['trees', 'setup'].map((name) => join(state, name)))
    for (const name of existsSync(folder) ? readdirSync(folder) : [])
      rmSync(join(folder, name), { recursive: true, force: true });
  replaceFile(file, boot);
}
