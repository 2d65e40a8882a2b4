import { quoteForShell, toShellWord } from '../../base/shell-word.ts';
import { closeSync, constants, fstatSync, openSync, readlinkSync, statSync } from 'node:fs';
import { Problem } from '../../base/problem.ts';
import type { RepositoryFacts } from '../../project/git/repository-facts.ts';

/**
 * Holds a repository by its two folders, the checkout's and git's. While they are open no other folder can have their
 * identity, and on Linux the kernel knows where they were moved.
 */
export function holdRepository({ root, commonDir }: RepositoryFacts) {
  const held = [root, commonDir].map((path) => ({ path, handle: openSync(path, FOLDER) }));
  let isHeld = true;
  return {
    /** Throws when this repository is no longer at its path, and names where it is. */
    mustBeHere() {
      if (!isHeld) throw new Error(`${root} was released`); // no use after release
      const gone = held.find(({ path, handle }) => !isAt(path, handle));
      if (gone === undefined) return;
      const [checkout] = held;
      const now = checkout === undefined ? undefined : placeOf(checkout.handle);
      throw createMoved(root, {
        now: now === root ? undefined : now,
        replaced: statSync(root, { throwIfNoEntry: false }) !== undefined,
      });
    },
    letGo() {
      if (isHeld) for (const { handle } of held) closeSync(handle);
      isHeld = false;
    },
  };
}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY;

function isAt(path: string, handle: number): boolean {
  const [there, held] = [statSync(path, { bigint: true, throwIfNoEntry: false }), fstatSync(handle, { bigint: true })];
  return there !== undefined && there.dev === held.dev && there.ino === held.ino;
}

/** The path of an open folder; undefined where the kernel does not report it, or the folder was deleted. */
function placeOf(handle: number): string | undefined {
  try {
    const path = readlinkSync(`/proc/self/fd/${handle}`);
    return isAt(path, handle) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** The repository is no longer at its path: further work there would hit another one, or nothing. */
function createMoved(
  path: string,
  { now, replaced }: { readonly now: string | undefined; readonly replaced: boolean },
): Problem {
  const what = replaced ? `another repository is at ${path} now` : `the repository is not at ${path} any more`;
  const where = now === undefined ? 'the path of the watched one is unknown' : `the watched one is at ${now}`;
  const next =
    now === undefined
      ? 'andon watch, in the folder where it is'
      : `andon watch ${toShellWord(now) ?? quoteForShell(now)}`;
  return new Problem('conflict', `${what}; ${where}. Nothing more was done here; it goes on with: ${next}`, next, 1);
}
