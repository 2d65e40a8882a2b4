import { realpathSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { isInside } from '../../project/workspace/is-inside.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { openForReading } from '../../project/workspace/open-reader.ts';

/** Code that the repository itself carries is never run by andon, also not as a package. */
export async function explainTrackedCode(place: Workspace, folder: string): Promise<string | undefined> {
  const { root } = place.facts;
  const real = realpathSync(folder);
  if (!isInside(real, root)) return undefined;
  const repository = await openForReading(place);
  const commit = await repository.resolve((await repository.checkedOut()) ?? 'HEAD').catch(() => undefined);
  const files = commit === undefined ? [] : await repository.files(commit);
  const below = `${relative(root, real).split(sep).join('/')}/`;
  if (!files.some(({ path }) => path.startsWith(below))) return undefined;
  return `${below} is part of this repository, and code of a repository is not run by andon`;
}
