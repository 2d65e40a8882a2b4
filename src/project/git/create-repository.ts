import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runGit } from './run-git.ts';

/** Makes a new repository on branch `main` with one commit of these files, for the demo. */
export async function createRepository(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const gitDir = join(folder, '.git');
  await runGit(['init', '--quiet', '--initial-branch=main', '--template=', folder], {
    gitDir: folder,
    env: { GIT_DIR: gitDir },
  });
  await commitFiles(folder, files, 'First version of the documents');
}

/** Writes files into a sample project's checkout and commits them on its branch, as its user does. */
export async function commitFiles(folder: string, files: ReadonlyMap<string, string>, message: string): Promise<void> {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const call = { gitDir: join(folder, '.git'), workTree: folder };
  await runGit(['add', '--', ...files.keys()], call);
  await runGit(['commit', '--quiet', '--message', message], { ...call, env: ERIK });
}

/** Checks out a new branch that begins one commit before the current one. */
export const checkOutOlder = async (folder: string, branch: string): Promise<void> => {
  const call = { gitDir: join(folder, '.git'), workTree: folder };
  await runGit(['checkout', '--quiet', '-b', branch, 'HEAD~1'], call);
};

const ERIK = {
  GIT_AUTHOR_NAME: 'Erik',
  GIT_AUTHOR_EMAIL: 'erik@localhost',
  GIT_COMMITTER_NAME: 'Erik',
  GIT_COMMITTER_EMAIL: 'erik@localhost',
};
