import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { putFileBack } from './take-file.ts';

/**
 * Removes what a killed andon had begun to write beside its place, puts back what it had moved aside, and nothing else:
 * only names that andon itself gives, and only those of processes that are dead. Whoever calls this holds the
 * repository's lock.
 */
export function sweepHalfWritten(handoff: string, state: string): void {
  const papers = [
    handoff,
    ...foldersIn(join(handoff, 'archive')),
    join(handoff, 'queue'),
    state,
    join(state, 'requests'),
  ];
  putBack([handoff, join(handoff, 'queue')]);
  for (const folder of papers) remove(folder, (name) => isOfDead(/^\..+\.(?<pid>\d+)\.tmp$/.exec(name)));
  remove(state, (name) => /^vault\.git\.\w{6}$/.test(name) || isOfDead(/^index\.(?<pid>\d+)\.\w{6}$/.exec(name)));
  const vault = join(state, 'vault.git');
  remove(vault, (name) => /^rules\.\w{6}$/.test(name));
  remove(join(vault, 'objects', 'info'), (name) => isOfDead(/^alternates\.(?<pid>\d+)$/.exec(name)));
  for (const folder of foldersIn(join(vault, 'objects'))) remove(folder, (name) => name.startsWith('tmp_obj_'));
}

/** What has a new name already is not given the old one as well. */
function putBack(folders: readonly string[]): void {
  const files = folders.flatMap((folder) =>
    namesIn(folder).map((name) => ({ folder, name, path: join(folder, name) })),
  );
  const named = new Set(files.filter(({ name }) => !TAKEN.test(name)).map(({ path }) => lstatSync(path).ino));
  for (const { folder, name, path } of files) {
    const found = TAKEN.exec(name);
    if (!isOfDead(found)) continue;
    if (named.has(lstatSync(path).ino)) rmSync(path);
    else putFileBack(path, join(folder, found?.groups?.['name'] ?? name));
  }
}

const TAKEN = /^\.(?<name>.+)\.(?<pid>\d+)\.taken$/;

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder) : []);

const foldersIn = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? [join(folder, entry.name)] : [],
      )
    : [];

function remove(folder: string, isLeft: (name: string) => boolean): void {
  for (const name of namesIn(folder)) if (isLeft(name)) rmSync(join(folder, name), { recursive: true, force: true });
}

/** A pid that lives again is somebody else's, or ours; a short-lived command may be writing this very moment. */
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
