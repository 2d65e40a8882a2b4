import { failure, success, type Outcome } from '../../base/outcome.ts';
import { failpoint } from '../../base/system/failpoints.ts';
import { describeGitRefusal } from './describe-git-refusal.ts';
import { gitText, tryGit, type GitResult } from './run-git.ts';
import type { InterruptedMerge, RefMove } from './interrupted-merge.ts';
import { giveObjects } from './loose-objects.ts';
import { syncObjects, syncRefs } from './make-durable.ts';
import type { Vault } from './vault.ts';

/**
 * Hands commits of the vault over to the user's repository and moves its refs in one transaction, each only from its
 * expected value.
 */
export function createPublisher(commonDir: string, vault: Vault, half: InterruptedMerge) {
  const { known } = vault.trees;
  const theirs = { gitDir: commonDir };

  const branchTips = async (): Promise<readonly string[]> =>
    (await gitText(['for-each-ref', '--format=%(objectname)', 'refs/heads'], theirs))
      .split('\n')
      .filter((id) => id !== '');

  /** Hands over what `tips` need and `have` lacks. */
  const unpack = async (tips: readonly string[], have: readonly string[]): Promise<GitResult> =>
    tryGit(['unpack-objects', '-q', '--strict'], { ...theirs, input: await vault.pack(tips, have) });

  /** Gives the project the missing objects of these commits; git's words when it refuses. */
  const handOver = async (tips: readonly string[]): Promise<string | undefined> => {
    if (tips.length === 0) return undefined;
    const missing = vault.missing(tips);
    if (missing?.objects !== undefined && (await gave(missing.objects))) return undefined;
    let unpacked = await unpack(tips, missing?.beneath ?? (await branchTips()));
    if (unpacked.code !== 0 && missing !== undefined) unpacked = await unpack(tips, await branchTips());
    if (unpacked.code !== 0) return unpacked.stderr;
    await syncObjects(commonDir);
    return undefined;
  };

  /** Gives objects as files; where that fails, git is asked, and reports the reason if it fails too. */
  const gave = async (objects: readonly string[]): Promise<boolean> => {
    try {
      return await giveObjects(vault.gitDir, commonDir, objects);
    } catch {
      return false;
    }
  };

  const publishNow = async (refs: readonly RefMove[]): Promise<Outcome<void, string>> => {
    const owed = await half.repairRefs(); // its note would be overwritten
    if (owed !== undefined) return failure(owed);
    const tips = refs.map(({ to }) => to);
    const refused = await handOver(tips.filter((tip) => !known.isHandedOver(tip)));
    if (refused !== undefined) return failure(`git refused the objects: ${describeGitRefusal(refused)}`);
    const input = refs
      .map(({ ref, old, to }) => (old === undefined ? `create ${ref}\0${to}\0` : `update ${ref}\0${to}\0${old}\0`))
      .join('');
    half.beginRefs(refs);
    failpoint('refs.publish.before-update-ref');
    const moved = await tryGit(['update-ref', '--stdin', '-z', '--create-reflog', '-m', 'andon'], {
      ...theirs,
      input,
      env: { GIT_COMMITTER_NAME: 'andon', GIT_COMMITTER_EMAIL: 'andon@localhost' },
    });
    failpoint('refs.publish.after-update-ref');
    if (moved.code !== 0) {
      await half.repairRefs();
      return failure(describeGitRefusal(moved.stderr));
    }
    await syncRefs(
      commonDir,
      refs.map(({ ref }) => ref),
    );
    half.endRefs();
    known.handedOver(tips);
    return success(undefined);
  };

  return (refs: readonly RefMove[]): Promise<Outcome<void, string>> => half.inTurn(() => publishNow(refs));
}
