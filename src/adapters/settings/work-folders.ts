import { existsSync, mkdirSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { WorkFolders } from '../../ports/work-folders.ts';
import { failpoint } from '../failpoints.ts';

/** The work folders of one repository, below its state folder. */
export function workFolders(state: string): WorkFolders {
  const made = (...parts: string[]): string => {
    const folder = join(state, ...parts);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  };
  return {
    tree(taskId, name) {
      made('trees', taskId);
      return join(state, 'trees', taskId, name);
    },
    desk(taskId, files, keep) {
      failpoint('folders.desk.before-write');
      const folder = made('desks', taskId);
      for (const name of readdirSync(folder))
        if (!keep.some((kept) => name === kept || name === `${kept}.index`))
          rmSync(join(folder, name), { recursive: true, force: true });
      for (const [name, text] of files) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
      return folder;
    },
    empty: (taskId) => made('desks', `${taskId}.empty`),
    keepCall(taskId, call, what, text) {
      failpoint('folders.call.before-write');
      writeFileSync(join(made('calls', taskId), `${call}.${what}.txt`), text, { mode: 0o600 });
      failpoint('folders.call.after-write');
    },
    readCall(taskId, call, what) {
      const file = join(state, 'calls', taskId, `${call}.${what}.txt`);
      return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    },
    prepared(digest) {
      made('setup');
      return { folder: join(state, 'setup', digest), done: existsSync(join(state, 'setup', `${digest}.done`)) };
    },
    markPrepared: (digest) => writeFileSync(join(state, 'setup', `${digest}.done`), ''),
    shared(folder, path) {
      if (!existsSync(join(folder, path))) return undefined;
      const real = realpathSync(join(folder, path));
      return real.startsWith(realpathSync(folder) + sep) ? real : undefined;
    },
    tidy(taskId) {
      failpoint('folders.tidy.before-remove');
      for (const place of [join('trees', taskId), join('desks', taskId), join('desks', `${taskId}.empty`)])
        rmSync(join(state, place), { recursive: true, force: true });
      failpoint('folders.tidy.after-remove');
    },
  };
}
