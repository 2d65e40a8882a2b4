import { statSync } from 'node:fs';
import { Problem } from '../base/problem.ts';

/**
 * Refuses to write into a repository of another user as root, as in a container with a mounted checkout: its owner could
 * change neither the merged files nor git's own. Throws a Problem.
 */
export function refuseForeignRoot({ root }: { readonly root: string }): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(root);
  if (uid === 0) return;
  throw new Problem(
    'conflict',
    `andon runs as root, and ${root} belongs to user ${uid}, who could not change what is written there`,
    `run andon as that user (docker run --user ${uid}:${gid}, sudo -u '#${uid}'), or chown the repository to root`,
  );
}
