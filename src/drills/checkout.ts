import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { sha256 } from '../base/sha256.ts';

/** The protected state of a user's checkout, by path: work tree, HEAD, index, configuration, stash, hooks, branches. */
export type CheckoutState = ReadonlyMap<string, string>;

/**
 * andon's own: its folder, its lock, objects, its refs; `git merge` writes ORIG_HEAD even when it refuses. Packed refs
 * are read below.
 */
const ANDONS =
  /^(?:_handoff|\.git\/(?:andon|objects|logs\/refs|ORIG_HEAD|packed-refs|refs\/andon|refs\/heads\/task))(?:\/|$)/;

/** Takes a snapshot, byte for byte. */
export function lookAtCheckout(root: string): CheckoutState {
  const seen = new Map<string, string>();
  const visit = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      const name = relative(root, path);
      if (ANDONS.test(name)) continue;
      if (entry.isDirectory()) visit(path);
      else if (entry.isSymbolicLink()) seen.set(name, `-> ${readlinkSync(path)}`);
      else if (entry.isFile()) seen.set(name, `${lstatSync(path).mode.toString(8)} ${sha256(readFileSync(path))}`);
    }
  };
  visit(root);
  return seen;
}

/** The paths that differ between two snapshots; empty = identical. */
export const listChangedPaths = (before: CheckoutState, after: CheckoutState): readonly string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path)).toSorted();
