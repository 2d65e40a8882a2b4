import { failure, success } from '../../base/outcome.ts';
import type { Outcome } from '../../base/outcome.ts';
import { isOlder, versionIn } from '../../base/version.ts';
import { tryGit, usersSettings } from './git.ts';
import { notHere, whyNotHere } from './in-words.ts';
import type { NotHere } from './in-words.ts';

/** git 2.38 brought `merge-tree --write-tree`. */
const MINIMUM_GIT = '2.38';

/** The version of git, which must support building merges. */
export async function gitVersion(folder: string): Promise<Outcome<string, NotHere>> {
  const said = await tryGit(['version'], { gitDir: folder, env: { ...usersSettings(), GIT_DIR: undefined } });
  const version = said.stdout.toString('utf8').trim().replace('git version ', '');
  if (said.code !== 0) return failure(whyNotHere(folder, said.stderr.trim()));
  if (!isOlder(versionIn(version) ?? '0', MINIMUM_GIT)) return success(version);
  return failure(notHere(`git ${version} is too old; andon needs ${MINIMUM_GIT} or newer`, 'update git'));
}
