import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gitText } from './git.ts';
import type { GitCall } from './git.ts';

/** How many objects of a commit's own tree a partial clone has not fetched; other clones are not asked. */
export async function missingObjects(theirs: GitCall, commit: string): Promise<number> {
  const packs = join(theirs.gitDir, 'objects', 'pack');
  if (!existsSync(packs) || !readdirSync(packs).some((name) => name.endsWith('.promisor'))) return 0;
  const rows = await gitText(['rev-list', '--objects', '--no-walk', '--missing=print', commit], theirs);
  return rows.split('\n').filter((row) => row.startsWith('?')).length;
}
