import { failure, success, type Outcome } from '../../base/outcome.ts';
import { isOlder, findVersion } from '../../base/version.ts';
import { tryGit, withUserSettings } from './git.ts';
import { createNotFound, explainUnopenedRepository, type NotHere } from './describe-git-refusal.ts';

/** git 2.38 brought `merge-tree --write-tree`. */
const MINIMUM_GIT = '2.38';

/** The version of git, which must support building merges. */
export async function readGitVersion(folder: string): Promise<Outcome<string, NotHere>> {
  const said = await tryGit(['version'], { gitDir: folder, env: { ...withUserSettings(), GIT_DIR: undefined } });
  const version = said.stdout.toString('utf8').trim().replace('git version ', '');
  if (said.code !== 0) return failure(explainUnopenedRepository(folder, said.stderr.trim()));
  if (!isOlder(findVersion(version) ?? '0', MINIMUM_GIT)) return success(version);
  return failure(createNotFound(`git ${version} is too old; andon needs ${MINIMUM_GIT} or newer`, 'update git'));
}
