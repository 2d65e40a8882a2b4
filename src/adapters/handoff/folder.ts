import { FILES, HANDOFF } from '../../base/names.ts';
import { success } from '../../base/outcome.ts';
import type { Handoff } from '../../ports/handoff.ts';
import { Problem } from '../../base/problem.ts';
import { countBytes } from '../trash.ts';
import { openDir } from '../safe-fs.ts';
import { moveToFree, removeFolder, takeFile } from './take-file.ts';

/** Larger files are not read; a contract may have 1 MB. */
const READ_CAP = 4 * 1024 * 1024;
/** Only this much of the log for scripts is read, from its end. */
const LOG_END = 1024 * 1024;
/** A larger log becomes `.1`, the only old one kept. */
const LOG_CAP = 5 * 1024 * 1024;
const IGNORED = '# Work in progress of andon; nothing here belongs into a commit.\n*\n';

/** The `_handoff/` folder of a project. */
export function createHandoff(root: string): Handoff {
  const door = openDir(root);
  const own = (name: string): string => (name === '' ? HANDOFF : `${HANDOFF}/${name}`);
  const at = (name: string): string => door.at(own(name));
  const holds = (path: string, isMeant: (text: string) => boolean): boolean => {
    const read = door.text(path.slice(root.length + 1), READ_CAP);
    return read.ok && read.value !== undefined && isMeant(read.value);
  };
  const foldersIn = (name: string): readonly string[] =>
    door.entries(own(name)).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  const barred = (): string | undefined =>
    door.barred(
      [own(FILES.transitions), own('.gitignore')],
      [HANDOFF, own(FILES.queue), own(FILES.withdrawn), own(FILES.archive), own(FILES.tasks)],
    );
  return {
    folder: `${root}/${HANDOFF}`,
    barred,
    prepare() {
      const why = barred();
      if (why !== undefined)
        throw new Problem('file-exists', why, 'move it away; andon keeps its files there, and follows no link', 1);
      door.makeFolder(own(FILES.queue));
      if (door.stat(own('.gitignore')) === undefined) door.write(own('.gitignore'), IGNORED);
    },
    read: (name) => door.text(own(name), READ_CAP),
    lastLine(name) {
      const lines = door.lines(own(name), LOG_END);
      return lines.ok ? lines.value.at(-1) : undefined;
    },
    write: (name, text, mayReplace) => door.write(own(name), text, mayReplace),
    append(name, line) {
      if ((door.stat(own(name))?.size ?? 0) > LOG_CAP) door.move(own(name), own(`${name}.1`));
      door.append(own(name), line);
    },
    rename: (from, to) => door.move(own(from), own(to)),
    renameToFree: (from, to, isMeant) => moveToFree(at(from), at(to), (aside) => holds(aside, isMeant)),
    remove: (name) => door.remove(own(name)),
    take: (name, isMeant) => takeFile(at(name), (aside) => holds(aside, isMeant)),
    exists: (name) => door.stat(own(name)) !== undefined,
    namedAt: (name) => door.stat(own(name))?.ctimeMs,
    beside(name) {
      const stat = door.stat(name);
      const read = stat === undefined ? success(undefined) : door.text(name, READ_CAP);
      if (stat === undefined || (read.ok && read.value === undefined)) return undefined;
      return { text: read.ok ? success(read.value ?? '') : read, writtenAt: stat.mtimeMs };
    },
    takeIn(name, text) {
      // Written before it is removed: a crash in between leaves it twice, and the next poll removes the outer one.
      const isIn = door.write(own(name), text, () => door.stat(own(name)) === undefined);
      if (isIn) takeFile(door.at(name), (aside) => holds(aside, (found) => found === text));
      return isIn;
    },
    removeBeside: (name, text) => takeFile(door.at(name), (aside) => holds(aside, (found) => found === text)),
    queued: () =>
      door
        .entries(own(FILES.queue))
        .filter(({ name }) => name.endsWith('.json') && !name.startsWith('.'))
        .map(({ name }) => ({ name, arrived: door.stat(own(`${FILES.queue}/${name}`))?.mtimeMs ?? 0 }))
        .toSorted((a, b) => a.arrived - b.arrived || a.name.localeCompare(b.name))
        .map(({ name }) => name),
    aside: () => foldersIn(FILES.tasks),
    removeAside: (taskId) => door.removeEmpty(own(`${FILES.tasks}/${taskId}`)),
    shown: own,
    archived: () => foldersIn(FILES.archive),
    bytesOfArchived: (taskId) => countBytes(door.place(own(`${FILES.archive}/${taskId}`))),
    removeArchived: (taskId) => removeFolder(door.place(own(`${FILES.archive}/${taskId}`))),
  };
}
