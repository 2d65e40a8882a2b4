import { gitVersion } from '../adapters/repository/git-version.ts';
import { Problem } from '../base/problem.ts';
import type { Place } from './open-place.ts';

/** The version of git; a Problem where it is too old to build merges with. What only looks needs no such git, and does not ask. */
export async function usableGit({ facts }: Place): Promise<string> {
  const version = await gitVersion(facts.root);
  if (version.ok) return version.value;
  throw new Problem('not-a-repository', version.why.sentence, version.why.remedy);
}
