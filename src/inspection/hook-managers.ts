import { existsSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { Problem } from '../base/problem.ts';
import { readIfThere } from '../wiring/files.ts';

/** A program that rewrites the hooks of a repository, so andon's line belongs in its configuration. */
interface HookManager {
  readonly name: string;
  /** Its configuration, relative to the root. */
  readonly file: string;
  /** What to write there, as one sentence. */
  readonly advice: string;
}

/** Asks andon and never a package of that name from the registry. */
const LINE = 'npx --no andon check --staged';

/** Configurations of lefthook, the pre-commit framework and simple-git-hooks. */
const FILES = [
  'lefthook.yml',
  '.lefthook.yml',
  'lefthook.yaml',
  '.lefthook.yaml',
  '.config/lefthook.yml',
  '.pre-commit-config.yaml',
  '.simple-git-hooks.json',
  '.simple-git-hooks.cjs',
  '.simple-git-hooks.js',
];

/** The manager of a repository's hooks; `folder` is git's hooks folder. Undefined without one. */
export function findHookManager(root: string, folder: string): HookManager | undefined {
  const there = (name: string): boolean => existsSync(join(root, name));
  const husky = huskyFolder(folder);
  if (husky !== undefined) {
    const file = join(relative(root, husky), 'pre-commit');
    return { name: 'husky', file, advice: `add the line \`${LINE}\` to ${file}` };
  }
  const file =
    FILES.find(there) ?? (isNamedIn(root, 'package.json', '"simple-git-hooks"') ? 'package.json' : undefined);
  return file === undefined
    ? undefined
    : { name: file, file, advice: `add \`${LINE}\` to the pre-commit hook in ${file}, then run its install command` };
}

/** The folder with the project's own hooks, where husky 8 or 9 has set git's hooks folder. */
function huskyFolder(folder: string): string | undefined {
  if (basename(folder) === '_' && existsSync(join(folder, 'h'))) return dirname(folder);
  return existsSync(join(folder, '_', 'husky.sh')) ? folder : undefined;
}

/** Whether a manager's configuration asks andon already. */
export const isAndonConfigured = (root: string, { file }: HookManager): boolean =>
  isNamedIn(root, file, 'andon check --staged');

const isNamedIn = (root: string, file: string, text: string): boolean =>
  readIfThere(join(root, file))?.includes(text) === true;

/** A hook beside such a manager would be lost at its next run. */
export const describeManagedHook = ({ name, advice }: HookManager): Problem =>
  new Problem('conflict', `${name} keeps the hooks of this repository and rewrites them`, advice);
