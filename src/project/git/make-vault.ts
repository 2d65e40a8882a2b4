import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { syncAll } from '../../base/system/durable.ts';
import { failpoint } from '../../base/system/failpoints.ts';
import { runGit, gitText } from './git.ts';
import { syncTree } from './make-durable.ts';

/** Makes the vault in `gitDir` if it does not exist, and lets it borrow the objects of the project's git directory. */
export async function makeVault(gitDir: string, commonDir: string): Promise<void> {
  if (!existsSync(join(gitDir, 'HEAD'))) await makeNew(gitDir, commonDir);
  // Other commands may be reading now, so the file is replaced atomically, and only when needed.
  const alternates = join(gitDir, 'objects', 'info', 'alternates');
  const wanted = `${join(commonDir, 'objects')}\n`;
  if (!existsSync(alternates) || readFileSync(alternates, 'utf8') !== wanted) {
    mkdirSync(join(gitDir, 'objects', 'info'), { recursive: true });
    writeFileSync(`${alternates}.${process.pid}`, wanted);
    failpoint('vault.alternates.before-rename');
    renameSync(`${alternates}.${process.pid}`, alternates);
  }
  knowWhereHistoryEnds(gitDir, commonDir);
}

/** A file ends a shallow clone's history; git follows the link even where that file is missing. */
function knowWhereHistoryEnds(gitDir: string, commonDir: string): void {
  try {
    symlinkSync(join(commonDir, 'shallow'), join(gitDir, 'shallow'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Makes the vault at a temporary path and renames it, so that it is never seen half made. */
async function makeNew(gitDir: string, commonDir: string): Promise<void> {
  const format = await gitText(['rev-parse', '--show-object-format'], { gitDir: commonDir });
  const fresh = mkdtempSync(`${gitDir}.`);
  try {
    await runGit(['init', '--quiet', '--bare', `--object-format=${format}`, '--template=', fresh], { gitDir: fresh });
    await syncTree(fresh);
    failpoint('vault.make.before-rename');
    renameSync(fresh, gitDir);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (existsSync(join(gitDir, 'HEAD'))) return; // another process was faster
    throw error;
  }
  await syncAll([dirname(gitDir)]);
}
