import { renameSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { countBytes } from '../../base/system/trash.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import { listStates, type KnownState } from './moved-state.ts';

/** An old file or folder of andon's own, due for removal. */
export interface OldState {
  readonly path: string;
  readonly bytes: number;
  /** It is the state of a whole repository. */
  readonly isState?: true;
  /** The last known path of that repository. */
  readonly root?: string | undefined;
}

/** What can be made again: runs of gates on the base, opinions of models. And logs. */
const CACHES = ['base-runs', 'opinions'];
const LOGS = 'logs';
/** Prepared folders of projects; gates may use one while andon runs. */
const PREPARED = 'setup';

/** Caches and logs of one repository that were last written before a moment. */
export const listOldCaches = (state: string, before: string): readonly OldState[] => [
  ...CACHES.flatMap((folder) => oldIn(state, folder, before)),
  ...oldIn(state, LOGS, before)
    .toSorted((one, two) => (one.path < two.path ? -1 : 1))
    .slice(0, -1), // a watchdog may write to the newest
];

/** Prepared folders made before a moment, each after the mark of its completion. */
export const listOldPrepared = (state: string, before: string): readonly OldState[] =>
  oldIn(state, PREPARED, before).toSorted((one, two) => Number(isMark(two.path)) - Number(isMark(one.path)));

const isMark = (path: string): boolean => path.endsWith('.done');

function oldIn(state: string, folder: string, before: string): readonly OldState[] {
  const door = openDir(state);
  return door.entries(folder).flatMap(({ name }) => {
    const inside = `${folder}/${name}`;
    const stat = door.stat(inside);
    return stat !== undefined && stat.mtime.toISOString() < before
      ? [{ path: door.at(inside), bytes: countBytes(door.at(inside)) }]
      : [];
  });
}

/** A repository on an unmounted disk is not gone. */
const MOUNTED = /^\/(?:media|mnt|net|Volumes|run\/media)\//;
/** Files that show when andon last worked there. */
const SIGNS = ['', 'awake', 'journal.sqlite', 'place.json', 'watched.json'];

/** The states of missing repositories, or of those in which andon never worked, unused since a moment. */
export const listDeadStates = (home: string, before: string, isHeld: (state: string) => boolean): readonly OldState[] =>
  listStates(home)
    .filter((one) => isDead(one, before, isHeld))
    .map(({ state, root }) => ({ path: state, bytes: countBytes(state), isState: true, root }));

/** Whether a listed one still is: its repository may be there again, or in use. */
export const isDeadState = (state: string, before: string, isHeld: (state: string) => boolean): boolean =>
  listStates(dirname(state)).some((one) => one.state === state && isDead(one, before, isHeld));

function isDead(
  { state, root, isThere, hasJournal }: KnownState,
  before: string,
  isHeld: (state: string) => boolean,
): boolean {
  const isGone = root === undefined ? !hasJournal : !isThere && !MOUNTED.test(root);
  if (!isGone || isHeld(state)) return false;
  const door = openDir(state);
  const last = Math.max(...SIGNS.map((name) => door.stat(name)?.mtimeMs ?? 0));
  return new Date(last).toISOString() < before;
}

/** Removes one; a state is renamed first, so that half of one is never taken for a state. */
export function removeOld({ path, isState }: OldState): void {
  if (isState !== true) return rmSync(path, { recursive: true, force: true });
  const aside = `${path}.${Date.now()}.before`;
  renameSync(path, aside);
  rmSync(aside, { recursive: true, force: true });
}

/** States that a killed clean had renamed. */
export const listHalfRemoved = (home: string, before: string): readonly OldState[] =>
  oldIn(dirname(home), basename(home), before).filter(({ path }) => path.endsWith('.before'));
