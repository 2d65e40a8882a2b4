import { FILES, HANDOFF, TASK_PAPERS, isProposalPlan } from '../../base/names.ts';
import { success } from '../../base/outcome.ts';
import { Problem } from '../../base/problem.ts';
import { countBytes } from '../../base/system/trash.ts';
import { openDir } from '../../base/system/safe-fs.ts';
import { moveToFree, removeFolder, takeFile } from './take-file.ts';

/** Larger files are not read; a contract may have 1 MB. */
const READ_CAP = 4 * 1024 * 1024;
/** Only this much of the log for scripts is read, from its end. */
const LOG_END = 1024 * 1024;
/** A larger log becomes `.1`, the only old one kept. */
const LOG_CAP = 5 * 1024 * 1024;
const IGNORED = '# Work in progress of andon; nothing here belongs into a commit.\n*\n';

/** The `_handoff/` folder of a project. Every write is atomic, and durable when it returns. */
export type Handoff = ReturnType<typeof createHandoff>;

export function createHandoff(root: string) {
  const door = openDir(root);
  const own = (name: string): string => (name === '' ? HANDOFF : `${HANDOFF}/${name}`);
  const at = (name: string): string => door.at(own(name));
  const holds = (path: string, isMeant: (text: string) => boolean): boolean => {
    const read = door.text(path.slice(root.length + 1), READ_CAP);
    return read.ok && read.value !== undefined && isMeant(read.value);
  };
  /** The papers of tasks, as this process left them: a file (its inode and time), or nothing. */
  const papers = new Map<string, string>();
  const printOf = (name: string): string => {
    const stat = door.stat(own(name));
    return stat === undefined ? '' : `${stat.ino} ${stat.ctimeMs}`;
  };
  const note = (name: string, isThere: boolean): void => {
    const print = printOf(name);
    if (isThere === (print !== '') && TASK_PAPERS.some((paper) => paper === name)) papers.set(name, print);
  };
  const foldersIn = (name: string): readonly string[] =>
    door.entries(own(name)).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  /** What blocks the paths of andon's own folders and logs (a link, a FIFO); undefined when nothing does. */
  const barred = (): string | undefined =>
    door.barred(
      [own(FILES.transitions), own('.gitignore')],
      [HANDOFF, own(FILES.queue), own(FILES.withdrawn), own(FILES.archive), own(FILES.tasks)],
    );
  return {
    folder: `${root}/${HANDOFF}`,
    barred,
    /** Makes the folder; throws a Problem when it is barred. */
    prepare() {
      const why = barred();
      if (why !== undefined)
        throw new Problem('file-exists', why, 'move it away; andon keeps its files there, and follows no link', 1);
      door.makeFolder(own(FILES.queue));
      if (door.stat(own('.gitignore')) === undefined) door.write(own('.gitignore'), IGNORED);
    },
    /** The text of a file; undefined when it does not exist; a reason when it is no plain, readable file. */
    read: (name: string) => door.text(own(name), READ_CAP),
    lastLine(name: string) {
      const lines = door.lines(own(name), LOG_END);
      return lines.ok ? lines.value.at(-1) : undefined;
    },
    /** `mayReplace` is asked last, so that a newer file is not overwritten; returns false when it refuses. */
    write(name: string, text: string, mayReplace?: () => boolean) {
      const isWritten = door.write(own(name), text, mayReplace);
      if (isWritten) note(name, true);
      return isWritten;
    },
    /** Whether a path in the folder is a paper as this process has left it: then its event tells nothing new. */
    isOwnPaper(path: string) {
      const name = path.slice(door.folder.length + HANDOFF.length + 2);
      return own(name) === path.slice(door.folder.length + 1) && papers.get(name) === printOf(name);
    },
    append(name: string, line: string) {
      if ((door.stat(own(name))?.size ?? 0) > LOG_CAP) door.move(own(name), own(`${name}.1`));
      door.append(own(name), line);
    },
    rename(from: string, to: string) {
      const isMoved = door.move(own(from), own(to));
      if (isMoved) note(from, false);
      if (isMoved) note(to, true);
      return isMoved;
    },
    renameToFree: (from: string, to: string, isMeant: (text: string) => boolean) =>
      moveToFree(at(from), at(to), (aside) => holds(aside, isMeant)),
    remove(name: string) {
      door.remove(own(name));
      note(name, false);
    },
    /** Removes a file if its text is the expected one; a newer file in its place stays. */
    take: (name: string, isMeant: (text: string) => boolean) => takeFile(at(name), (aside) => holds(aside, isMeant)),
    exists: (name: string) => door.stat(own(name)) !== undefined,
    /** When a file got its name, in milliseconds since 1970; undefined when it does not exist. */
    namedAt: (name: string) => door.stat(own(name))?.ctimeMs,
    /** A file of that name in the root of the project, and when it was written; undefined when it does not exist. */
    beside(name: string) {
      const stat = door.stat(name);
      const read = stat === undefined ? success(undefined) : door.text(name, READ_CAP);
      if (stat === undefined || (read.ok && read.value === undefined)) return undefined;
      return { text: read.ok ? success(read.value ?? '') : read, writtenAt: stat.mtimeMs };
    },
    /** Moves such a file into the folder if it has the expected text and the name is free there. */
    takeIn(name: string, text: string) {
      // Written before it is removed: a crash in between leaves it twice, and the next poll removes the outer one.
      const isIn = door.write(own(name), text, () => door.stat(own(name)) === undefined);
      if (isIn) takeFile(door.at(name), (aside) => holds(aside, (found) => found === text));
      return isIn;
    },
    removeBeside: (name: string, text: string) =>
      takeFile(door.at(name), (aside) => holds(aside, (found) => found === text)),
    /** Contract files waiting in `queue/`, by name, oldest first. */
    queued: () =>
      door
        .entries(own(FILES.queue))
        .filter(({ name }) => name.endsWith('.json') && !name.startsWith('.'))
        .map(({ name }) => ({ name, arrived: door.stat(own(`${FILES.queue}/${name}`))?.mtimeMs ?? 0 }))
        .toSorted((a, b) => a.arrived - b.arrived || a.name.localeCompare(b.name))
        .map(({ name }) => name),
    /** The plans of approved proposals. */
    plans: () =>
      door
        .entries(own(FILES.queue))
        .map(({ name }) => `${FILES.queue}/${name}`)
        .filter(isProposalPlan),
    /** The folders in `tasks/`: parked tasks. */
    aside: () => foldersIn(FILES.tasks),
    removeAside: (taskId: string) => door.removeEmpty(own(`${FILES.tasks}/${taskId}`)),
    /** A file as users know it, from the root of the project. */
    shown: own,
    archived: () => foldersIn(FILES.archive),
    bytesOfArchived: (taskId: string) => countBytes(door.place(own(`${FILES.archive}/${taskId}`))),
    removeArchived: (taskId: string) => removeFolder(door.place(own(`${FILES.archive}/${taskId}`))),
  };
}
