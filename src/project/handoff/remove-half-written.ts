import { rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { FILES } from '../../base/names.ts';
import { openDir, type SafeDir } from '../../base/system/safe-fs.ts';
import { putFileBack } from './take-file.ts';

/**
 * Removes the half-written files of a killed andon and restores what it had moved aside. It touches only names that
 * andon gives, only those of dead processes, and follows no link. The caller holds the repository's lock.
 */
export function removeHalfWritten(handoff: string, state: string, commonDir: string): void {
  const papers = openDir(dirname(handoff));
  const own = basename(handoff);
  const kept = openDir(state);
  const isHalf = (name: string): boolean => isOfDead(/^\..+\.(?<pid>\d+)\.tmp$/.exec(name));
  const tasks = foldersIn(papers, `${own}/tasks`);
  putBack(papers, [own, `${own}/queue`, `${own}/withdrawn`, ...tasks]);
  putBack(papers, [''], (name) => BESIDE.has(name));
  const archive = `${own}/archive`;
  for (const folder of [own, `${own}/queue`, ...tasks, ...foldersIn(papers, archive)]) remove(papers, folder, isHalf);
  for (const folder of ['', 'requests', 'base-runs', ...foldersIn(kept, 'calls')]) remove(kept, folder, isHalf);
  remove(openDir(commonDir), 'andon', isHalf); // the record of the holder, beside the lock
  remove(kept, '', (name) => /^vault\.git\.\w{6}$/.test(name) || isOfDead(/^index\.(?<pid>\d+)\.\w{6}$/.exec(name)));
  remove(kept, 'vault.git', (name) => /^rules\.\w{6}$/.test(name));
  remove(kept, 'vault.git/objects/info', (name) => isOfDead(/^alternates\.(?<pid>\d+)$/.exec(name)));
  for (const folder of foldersIn(kept, 'vault.git/objects'))
    remove(kept, folder, (name) => name.startsWith('tmp_obj_'));
  const objects = openDir(`${commonDir}/objects`);
  for (const entry of objects.entries(''))
    if (entry.isDirectory()) remove(objects, entry.name, (name) => OURS.test(name));
}

/** Temporary objects that andon gives to your repository where it cannot link; git's own have six letters. */
const OURS = /^tmp_obj_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The papers that andon takes away beside `_handoff/`. */
const BESIDE: ReadonlySet<string> = new Set([FILES.judgeReport, FILES.judgeReportJson]);

/** A file with a new name does not get its old one back. */
function putBack(door: SafeDir, folders: readonly string[], isMeant: (name: string) => boolean = () => true): void {
  const files = folders.flatMap((folder) =>
    door.entries(folder).flatMap(({ name }) => {
      if (!isMeant(TAKEN.exec(name)?.groups?.['name'] ?? name)) return [];
      const inode = door.stat(inFolder(folder, name))?.ino;
      return inode === undefined ? [] : [{ folder, name, inode }];
    }),
  );
  const named = new Set(files.filter(({ name }) => !TAKEN.test(name)).map(({ inode }) => inode));
  for (const { folder, name, inode } of files) {
    const found = TAKEN.exec(name);
    if (!isOfDead(found)) continue;
    const path = door.at(inFolder(folder, name));
    if (named.has(inode)) rmSync(path);
    else putFileBack(path, door.at(inFolder(folder, found?.groups?.['name'] ?? name)));
  }
}

const inFolder = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`);

const TAKEN = /^\.(?<name>.+)\.(?<pid>\d+)\.taken$/;

const foldersIn = (door: SafeDir, folder: string): readonly string[] =>
  door.entries(folder).flatMap((entry) => (entry.isDirectory() ? [`${folder}/${entry.name}`] : []));

function remove(door: SafeDir, folder: string, isLeft: (name: string) => boolean): void {
  for (const { name } of door.entries(folder))
    if (isLeft(name)) rmSync(door.at(inFolder(folder, name)), { recursive: true, force: true });
}

/** A pid that is alive again belongs to another process, or to this one; a short-lived command may be writing now. */
function isOfDead(found: RegExpExecArray | null): boolean {
  const pid = Number(found?.groups?.['pid']);
  if (found === null) return false;
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
