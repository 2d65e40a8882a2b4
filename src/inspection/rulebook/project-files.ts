import { join } from 'node:path';
import { readIfThere, readOwn } from '../../wiring/files.ts';
import { findRuleFiles } from './rule-files.ts';
import type { FoundFiles } from './rule-files.ts';

/** What a project is held against, wherever it is read from: the work tree, or a tree that git keeps. */
export interface ProjectFiles {
  /** A file's text; undefined when there is none. */
  text(name: string): string | undefined;
  /** The files of rules below these folders. */
  rules(folders: readonly string[]): FoundFiles;
}

/** Larger files that are named here are not read; a baseline grows with the project. */
export const LARGEST_NAMED = 5_000_000;

/** The files as they lie in the work tree. */
export const workTree = (root: string): ProjectFiles => ({
  text: (name) =>
    name.startsWith('.andon/') ? readOwn(root, name, LARGEST_NAMED) : readIfThere(join(root, name), LARGEST_NAMED),
  rules: (folders) => findRuleFiles(root, folders),
});
