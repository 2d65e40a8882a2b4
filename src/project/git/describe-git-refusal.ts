import { statSync } from 'node:fs';
import { listNames } from '../../base/list-names.ts';

/** Why andon cannot work in a folder, and the remedy. */
export interface NotHere {
  readonly sentence: string;
  readonly remedy: string;
}

/** git's refusal as one sentence with the files and the remedy. */
export function describeGitRefusal(text: string): string {
  const lock = LOCK.exec(text)?.[1];
  if (lock !== undefined)
    return `${lock} is there${since(lock)}: another git is at work, or one died; when none is, delete that file`;
  const rows = text.split('\n');
  const files = listFilesInTheWay(text);
  if (files.length > 0) return describeFilesInTheWay(files);
  const words = rows.map((row) => row.replace(/^(?:fatal|error|warning): /, '').trim());
  return words
    .filter((row) => row !== '' && !row.startsWith('hint:'))
    .join('; ')
    .slice(0, 500);
}

/** Your files that git did not overwrite, by its refusal; empty where it refused for another reason. */
export const listFilesInTheWay = (text: string): readonly string[] =>
  text.includes('would be overwritten')
    ? text
        .split('\n')
        .filter((row) => row.startsWith('\t'))
        .map((row) => row.trim())
    : [];

/** The message about your files at paths of a change. */
export const describeFilesInTheWay = (files: readonly string[]): string =>
  `your own ${listNames(files)} would be overwritten; move ${files.length === 1 ? 'it' : 'them'} away, or commit what git tracks`;

/** Why git does not open the repository of `folder`, by its message. */
export function explainUnopenedRepository(folder: string, text: string): NotHere {
  const owned = /dubious ownership in repository at '(.+)'/.exec(text)?.[1];
  if (owned !== undefined)
    return createNotFound(
      `${owned} belongs to another user, so git does not open it`,
      `run andon as that user, make it your own, or trust it: git config --global --add safe.directory '${owned}'`,
    );
  if (text.includes('must be run in a work tree'))
    return createNotFound(
      `${folder} is a folder of git's own, not a checkout`,
      'run andon in the folder where your files are',
    );
  const [, remedy = SEE_STATUS] = REMEDIES.find(([pattern]) => pattern.test(text)) ?? [];
  return createNotFound(`${folder}: ${describeGitRefusal(text)}`, remedy);
}

const REMEDIES: readonly (readonly [pattern: RegExp, remedy: string])[] = [
  [/not a git repository/, 'run andon inside a git repository (`git init` makes one)'],
  [/unknown repository extension|Expected git repo version/, 'update git, or work in a clone that does without it'],
  [/config|missing value/, 'correct it, then check with `git config --list --show-origin`'],
];
const SEE_STATUS = 'correct it, then check with `git status`';

export const createNotFound = (sentence: string, remedy: string): NotHere => ({ sentence, remedy });

const LOCK = /Unable to create '(.+\.lock)': File exists/;

function since(file: string): string {
  const made = statSync(file, { throwIfNoEntry: false })?.mtime;
  return made === undefined ? '' : ` since ${made.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
