import { lstatSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { HANDOFF } from '../../base/names.ts';
import { Problem, createUsageError } from '../../base/problem.ts';
import { isInside } from '../../wiring/is-inside.ts';
import { hasFlag, readTextOption } from './options.ts';
import type { Invocation } from './command.ts';

/** What is printed, or written into a file. */
export type Form = 'html' | 'json';

/** The form that `--html`, `--json` or `--out` asks for. */
export function readPageForm({ options }: Invocation): Form | undefined {
  const out = readTextOption(options, 'out');
  const asked = (['html', 'json'] as const).filter((form) => hasFlag(options, form));
  if (asked.length > 1)
    throw createUsageError(
      `${asked.map((form) => `--${form}`).join(' and ')} cannot be combined.`,
      'Give one of them.',
    );
  if (asked[0] === 'json' && out !== undefined)
    throw createUsageError('--json and --out cannot be combined.', 'Leave one of them out.');
  if (out !== undefined && !/\.html?$/i.test(out))
    throw createUsageError(
      `Invalid value: --out ${out}. Expected a name that ends with .html.`,
      `Name it ${basename(out)}.html.`,
    );
  return asked[0] ?? (out === undefined ? undefined : 'html');
}

/** Folders in which no page is put. */
export interface Barred {
  readonly roots: readonly string[];
  readonly gitDirs: readonly string[];
  readonly states: readonly string[];
}

/** A kind of page, and the text by which andon knows its own. */
export interface PageKind {
  /** Its name: `report`. */
  readonly kind: string;
  readonly mark: string;
}

/** A place where nothing is lost: not git's, not the line's, and either new or a page of andon's own of this kind. */
export function checkPagePath(asked: string, { roots, gitDirs, states }: Barred, { kind, mark }: PageKind): string {
  const bad = (why: string, remedy: string): Problem => createUsageError(`${asked} ${why}.`, remedy);
  const elsewhere = `Name a file elsewhere, such as --out ../${kind}.html.`;
  const folder = resolveFolder(dirname(asked));
  if (folder === undefined || !statSync(folder).isDirectory())
    throw bad('is in a folder that does not exist', 'Make the folder first, or name another.');
  const file = join(folder, basename(asked));
  if (file.split(sep).some((part) => part.toLowerCase() === '.git') || gitDirs.some((dir) => isIn(file, dir)))
    throw bad('is inside .git', elsewhere);
  if (roots.some((root) => isIn(file, join(root, HANDOFF))))
    throw bad(`is in ${HANDOFF}/, which belongs to the line`, elsewhere);
  if (states.some((state) => isIn(file, state))) throw bad("is in andon's own state", elsewhere);
  const known = lstatSync(file, { throwIfNoEntry: false });
  if (known === undefined) return file;
  if (!known.isFile()) throw bad(`is ${known.isDirectory() ? 'a folder' : 'no plain file'}`, 'Name a file.');
  const head = beginningOf(file);
  if (head.startsWith('<!doctype html>') && head.includes(mark)) return file;
  throw new Problem(
    'file-exists',
    `${asked} exists and is no ${kind} of andon.`,
    'Name another file, or move that one away.',
  );
}

/** Written beside and renamed into place: a link is replaced, never followed, and no reader sees half a page. */
export function writePage(file: string, text: string): void {
  const beside = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`);
  try {
    writeFileSync(beside, text, { flag: 'wx' });
    renameSync(beside, file);
  } catch (error) {
    throw createUsageError(
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}).`,
      'Name a file in a folder that you may write.',
    );
  }
}

/** The first characters of a file; nothing when it cannot be read, for then it is no page of andon. */
function beginningOf(file: string): string {
  try {
    return readFileSync(file).subarray(0, 1000).toString('utf8');
  } catch {
    return '';
  }
}

/** The real path of a folder; undefined if it does not exist. */
export function resolveFolder(folder: string): string | undefined {
  try {
    return realpathSync(folder);
  } catch {
    return undefined;
  }
}

const isIn = (file: string, folder: string): boolean => isInside(file, resolveFolder(folder) ?? folder);
