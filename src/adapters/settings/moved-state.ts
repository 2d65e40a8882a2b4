import { renameSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { objectIn } from '../../base/json-object.ts';
import { doorTo } from '../door.ts';
import type { RepositoryFacts } from '../../ports/repository.ts';

/** Whose state a folder holds: where the repository lay when andon last worked in it, and which folder that was. */
interface Owner extends RepositoryFacts {
  readonly id: string;
  /** A commit it had. */
  readonly commit: string;
}

/** In the state folder; what is lost of it with the machine only has to be done by hand. */
const FILE = 'place.json';
const LARGEST = 64 * 1024;
const JOURNAL = 'journal.sqlite';
/** So many repositories are looked through; with more, the folder is renamed by hand. */
const MOST = 2000;

/** Notes whose state this is, so that a repository that is moved finds it again. */
export function noteOwner(state: string, { root, commonDir }: RepositoryFacts, commit: string): void {
  const id = idOf(commonDir);
  if (id === undefined) return;
  const text = JSON.stringify({ root, commonDir, id, commit } satisfies Owner);
  const door = doorTo(state);
  const noted = door.text(FILE, LARGEST);
  if (!noted.ok || noted.value !== text) door.put(FILE, text, 0o600);
}

/**
 * Takes the state of a repository along that was moved here: it has no journal under this path, and the very same folder
 * of git's, with a commit it had, had one under a path where it does not lie any more. Gives back that path; nothing is ever written over, and a
 * copy, or what somebody works in, is left alone.
 */
export async function takeStateAlong(
  state: string,
  { commonDir }: RepositoryFacts,
  asked: { isHeld(state: string): boolean; hasCommit(commit: string): Promise<boolean> },
): Promise<string | undefined> {
  const own = doorTo(state);
  if (own.stat(JOURNAL) !== undefined) return undefined;
  const id = idOf(commonDir);
  const home = doorTo(dirname(state));
  for (const { name } of home.entries('').slice(0, MOST)) {
    const owner = name === basename(state) ? undefined : ownerOf(home.at(name));
    if (owner === undefined || id === undefined || owner.id !== id || owner.commonDir === commonDir) continue;
    if (idOf(owner.commonDir) === id || home.stat(`${name}/${JOURNAL}`) === undefined || asked.isHeld(home.at(name)))
      continue;
    if (!(await asked.hasCommit(owner.commit))) continue; // disks are numbered anew, and folders too
    return move(home.at(name), state) ? owner.root : undefined;
  }
  return undefined;
}

/** The state of one repository, and where that lay when andon last worked in it, as far as it was noted. */
export interface KnownState {
  readonly state: string;
  readonly root: string | undefined;
  /** Whether anything lies there now. */
  readonly isThere: boolean;
  readonly hasJournal: boolean;
}

/** Every state in a folder of states; what was put aside when another came in its place is nobody's. */
export function statesIn(home: string): readonly KnownState[] {
  const door = doorTo(home);
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

/** What lies at the new place holds no journal; it is kept beside. */
function move(from: string, to: string): boolean {
  try {
    if (doorTo(dirname(to)).stat(basename(to)) !== undefined) renameSync(to, `${to}.${Date.now()}.before`);
    renameSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false; // another command was faster
    throw error;
  }
}

function ownerOf(state: string): Owner | undefined {
  const read = doorTo(state).text(FILE, LARGEST);
  const found = objectIn<Owner>(read.ok ? (read.value ?? '') : '', []);
  const isOwner = (['root', 'commonDir', 'id', 'commit'] as const).every((field) => typeof found?.[field] === 'string');
  return isOwner ? found : undefined;
}

/** Which folder it is, wherever it lies; a copy is another one. */
function idOf(folder: string): string | undefined {
  const stat = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? undefined : `${stat.dev}:${stat.ino}`;
}
