import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FILES, HANDOFF } from '../../formats/names.ts';
import { failure, success } from '../../formats/outcome.ts';
import type { Outcome } from '../../formats/outcome.ts';
import { Problem } from '../../problems/problem.ts';
import type { Handoff } from '../../ports/handoff.ts';
import { appendLine, makeFolder, moveFile, removeFile, replaceFile } from '../durable.ts';
import { moveToFree, takeFile } from './take-file.ts';

/** Files larger than this are not read at all; a contract may have 1 MB. */
const READ_CAP = 4 * 1024 * 1024;

/** The `_handoff/` folder of a project. */
export function handoffFolder(root: string): Handoff {
  const folder = join(root, HANDOFF);
  const at = (name: string): string => join(folder, name);
  return {
    folder,
    prepare() {
      if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false)
        throw new Problem(
          'file-exists',
          `${folder} is not a folder`,
          'move that file away; andon keeps its papers there',
          1,
        );
      makeFolder(at(FILES.queue));
      if (!existsSync(at('.gitignore')))
        replaceFile(at('.gitignore'), '# Work in progress of andon; nothing here belongs into a commit.\n*\n');
    },
    read: (name) => readPaper(at(name)),
    write: (name, text, mayReplace) => replaceFile(at(name), text, mayReplace),
    append: (name, line) => appendLine(at(name), line),
    rename: (from, to) => moveFile(at(from), at(to)),
    renameToFree: (from, to, isMeant) => moveToFree(at(from), at(to), (aside) => holds(aside, isMeant)),
    remove: (name) => removeFile(at(name)),
    take: (name, isMeant) => takeFile(at(name), (aside) => holds(aside, isMeant)),
    exists: (name) => existsSync(at(name)),
    queued() {
      try {
        return readdirSync(at(FILES.queue))
          .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
          .map((name) => ({
            name,
            arrived: lstatSync(at(join(FILES.queue, name)), { throwIfNoEntry: false })?.mtimeMs ?? 0,
          }))
          .toSorted((a, b) => a.arrived - b.arrived || a.name.localeCompare(b.name))
          .map(({ name }) => name);
      } catch {
        return [];
      }
    },
  };
}

/** Whether a file is a plain one whose text is the one that is meant. */
function holds(path: string, isMeant: (text: string) => boolean): boolean {
  const read = readPaper(path);
  return read.ok && read.value !== undefined && isMeant(read.value);
}

/** The text of a plain file; nothing is waited for, no link is followed. */
function readPaper(path: string): Outcome<string | undefined, string> {
  // Without O_NONBLOCK a FIFO would block the daemon; without O_NOFOLLOW a link could lead anywhere.
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return success(undefined);
    return failure(
      code === 'ELOOP' ? 'is a symbolic link; it must be a plain file' : `cannot be read (${code ?? 'unknown error'})`,
    );
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return failure('is not a plain file');
    if (stat.size > READ_CAP) return failure(`is too large (${stat.size} bytes)`);
    const bytes = readFileSync(file);
    try {
      return success(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    } catch {
      return failure('is not valid UTF-8');
    }
  } finally {
    closeSync(file);
  }
}
