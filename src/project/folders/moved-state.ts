import { renameSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { parseJsonObject } from '../../base/json-object.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import type { RepositoryFacts } from '../git/repository-facts.ts';

/** Whose state a folder holds: the last path of the repository, and the identity of its folder. */
interface Owner extends RepositoryFacts {
  readonly id: string;
  readonly commit: string;
}

/** In the state folder; if it is lost with the machine, do its work by hand. */
const FILE = 'place.json';
const LARGEST = 64 * 1024;
const JOURNAL = 'journal.sqlite';
/** Repositories to search; with more, rename the folder by hand. */
const MOST = 2000;

/** Records the owner of this state, so that a moved repository finds it again. */
export function noteOwner(state: string, { root, commonDir }: RepositoryFacts, commit: string): void {
  const id = idOf(commonDir);
  if (id === undefined) return;
  const text = JSON.stringify({ root, commonDir, id, commit } satisfies Owner);
  const door = openDir(state);
  const noted = door.text(FILE, LARGEST);
  if (!noted.ok || noted.value !== text) door.put(FILE, text, 0o600);
}

/**
 * Moves the state of a repository along after the repository moved here. It has no journal under this path, and the
 * same git folder, with a known commit, had one under an abandoned path. Returns that path. Nothing is overwritten;
 * copies and states in use are left alone.
 */
export async function takeStateAlong(
  state: string,
  facts: RepositoryFacts,
  probe: { isHeld(state: string): boolean; hasCommit(commit: string): Promise<boolean> },
): Promise<string | undefined> {
  const { commonDir } = facts;
  const own = openDir(state);
  if (own.stat(JOURNAL) !== undefined) return undefined;
  const id = idOf(commonDir);
  const home = openDir(dirname(state));
  for (const { name } of home.entries('').slice(0, MOST)) {
    const owner = name === basename(state) ? undefined : ownerOf(home.at(name));
    if (owner === undefined || id === undefined || owner.id !== id || owner.commonDir === commonDir) continue;
    if (idOf(owner.commonDir) === id || home.stat(`${name}/${JOURNAL}`) === undefined || probe.isHeld(home.at(name)))
      continue;
    if (!(await probe.hasCommit(owner.commit))) continue; // numbers of disks and folders change
    if (!move(home.at(name), state)) return undefined;
    noteOwner(state, facts, owner.commit);
    return owner.root;
  }
  return undefined;
}

/** The state of one repository, and its last known path. */
export interface KnownState {
  readonly state: string;
  readonly root: string | undefined;
  readonly isThere: boolean;
  readonly hasJournal: boolean;
}

/** Every state in a folder of states, without those that were put aside for another. */
export function listStates(home: string): readonly KnownState[] {
  const door = openDir(home);
  return door
    .entries('')
    .filter((entry) => entry.isDirectory() && !entry.name.endsWith('.before'))
    .slice(0, MOST)
    .map(({ name }) => {
      const root = ownerOf(door.at(name))?.root;
      const isThere = root !== undefined && statSync(root, { throwIfNoEntry: false }) !== undefined;
      return { state: door.at(name), root, isThere, hasJournal: door.stat(`${name}/${JOURNAL}`) !== undefined };
    });
}

/** The state at the new path has no journal; it is kept aside. */
function move(from: string, to: string): boolean {
  try {
    if (openDir(dirname(to)).stat(basename(to)) !== undefined) renameSync(to, `${to}.${Date.now()}.before`);
    renameSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false; // another command was faster
    throw error;
  }
}

function ownerOf(state: string): Owner | undefined {
  const read = openDir(state).text(FILE, LARGEST);
  const found = parseJsonObject<Owner>(read.ok ? (read.value ?? '') : '', []);
  const isOwner = (['root', 'commonDir', 'id', 'commit'] as const).every((field) => typeof found?.[field] === 'string');
  return isOwner ? found : undefined;
}

/** The identity of a folder, independent of its path; a copy has another one. */
function idOf(folder: string): string | undefined {
  const stat = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? undefined : `${stat.dev}:${stat.ino}`;
}
