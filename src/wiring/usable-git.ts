import { readGitVersion } from '../adapters/repository/git-version.ts';
import { Problem } from '../base/problem.ts';
import type { Workspace } from './load-workspace.ts';

/** The version of git; a Problem where it is too old to build merges with. What only looks needs no such git, and does not ask. */
export async function requireUsableGit({ facts }: Workspace): Promise<string> {
  const version = await readGitVersion(facts.root);
  if (version.ok) return version.value;
  throw new Problem('not-a-repository', version.why.sentence, version.why.remedy);
}
