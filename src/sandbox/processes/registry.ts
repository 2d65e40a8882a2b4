import { parseJsonObject } from '../../base/json-object.ts';
import { sha256 } from '../../base/sha256.ts';
import type { Outcome } from '../../base/outcome.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import { failpoint } from '../../base/system/failpoints.ts';
import { listDescendants, killNamed, nameProcess, processScope, listProcessesWithVariable } from './descendants.ts';
import type { ProcessName } from './process-name.ts';
import type { ProcessRegistry } from './command.ts';

/** Marks the environment of every child; inherited, so it also finds descendants of a dead agent. */
const MARK = 'ANDON_RUNNING';

/** Keeps a file per live process in `folder`, so that a start after a crash can end leftovers. */
export function processRegistry(folder: string): ProcessRegistry {
  const door = openDir(folder);
  return {
    mark: { [MARK]: markOf(folder) },
    began(name, command) {
      failpoint('processes.began.before-write');
      door.put(`${name.pid}.json`, JSON.stringify({ ...name, boot: processScope(), command }));
      failpoint('processes.began.after-write');
    },
    ended(name) {
      failpoint('processes.ended.before-remove');
      door.remove(`${name.pid}.json`);
    },
  };
}

/** A digest, because programs in the cage can read bwrap's environment. */
const markOf = (folder: string): string => sha256(folder).slice(0, 16);

/** Ends every process that an earlier andon left, and returns their number. */
export function killRegisteredProcesses(folder: string): number {
  let count = 0;
  const door = openDir(folder);
  const files = door.entries('').map(({ name }) => name);
  for (const file of files.filter((name) => name.endsWith('.json'))) {
    const name = readName(door.text(file, LARGEST));
    if (name && nameProcess(name.pid)?.startTime === name.startTime) {
      for (const child of listDescendants(name.pid)) killNamed(child);
      killNamed(name);
      count += 1;
    }
    door.remove(file);
  }
  for (const orphan of listProcessesWithVariable(MARK, markOf(folder))) {
    killNamed(orphan);
    count += 1;
  }
  return count;
}

const LARGEST = 1024 * 1024;

function readName(read: Outcome<string | undefined, string>): ProcessName | undefined {
  const value = parseJsonObject<ProcessName & { readonly boot: unknown }>(read.ok ? (read.value ?? '') : '', ['boot']);
  if (value?.boot !== processScope()) return undefined; // of an earlier boot, or of a container
  return typeof value.pid === 'number' && typeof value.startTime === 'string' ? value : undefined;
}
