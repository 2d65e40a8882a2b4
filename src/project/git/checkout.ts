import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { failpoint } from '../../base/system/failpoints.ts';
import { openUserGit, tryUserGit } from './user-git.ts';
import type { InterruptedMerge } from './interrupted-merge.ts';
import { findMergeObstacle, type FastForward, type MergeObstacle } from './find-merge-obstacle.ts';
import { describeGitRefusal, listFilesInTheWay } from './describe-git-refusal.ts';
import { readSingleHead, readObjectId, readTip } from './refs.ts';
import { findGitDir, describeOperationInProgress } from './operation-in-progress.ts';
import { toBranchName } from '../../base/names.ts';
import { readGitConfig } from './git-config.ts';
import { OWN_RETREAT } from './history.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

/**
 * The user's own checkout: read, and its target branch fast-forwarded; nothing else. Hooks are disabled; the user's
 * filters run, as in `git merge`.
 */
export class Checkout {
  private readonly half: InterruptedMerge;
  readonly folder: string;

  constructor(folder: string, half: InterruptedMerge) {
    this.folder = folder;
    this.half = half;
  }

  /** The checked out branch; '' when HEAD is detached. */
  head(): Promise<string> {
    return readHeadOf(this.folder);
  }

  /** The folder in which a branch is checked out; `busy` names what a move of the branch would spoil. */
  async whereCheckedOut(
    ref: string,
  ): Promise<{ readonly folder: string | undefined; readonly busy: string | undefined }> {
    const head = readSingleHead(this.folder);
    if (head !== undefined)
      return {
        folder: head === ref ? this.folder : undefined,
        busy: describeOperationInProgress(this.folder, ref, head === ref),
      };
    const output = await openUserGit(this.folder)('worktree', 'list', '--porcelain', '-z');
    const records = output.split('\0\0').map((record) => record.split('\0'));
    const places = records.flatMap((rows, at) => {
      const folder = value(rows, 'worktree ');
      return folder === undefined
        ? []
        : [{ folder: at === 0 ? this.mainFolder(folder) : folder, out: value(rows, 'branch ') === ref }];
    });
    const busy = places
      .map(({ folder, out }) => describeOperationInProgress(folder, ref, out))
      .find((reason) => reason !== undefined);
    const [folder, other] = places.flatMap((place) => (place.out ? [place.folder] : []));
    if (other === undefined) return { folder, busy };
    return {
      folder,
      busy: `this branch is checked out twice, in ${folder} and ${other}; switch one of them to another`,
    };
  }

  /** git lists the main checkout by its git directory where that is elsewhere, as a submodule's is. */
  private mainFolder(listed: string): string {
    return findGitDir(this.folder) === listed ? this.folder : listed;
  }

  /** Fast-forwards `ref`, which is checked out in `folder`, from `old`; refused where your files are in the way. */
  fastForward(move: FastForward): Promise<Outcome<void, MergeObstacle>> {
    return this.half.inTurn(() => this.forwardNow(move));
  }

  private async forwardNow(move: FastForward): Promise<Outcome<void, MergeObstacle>> {
    const { folder } = move;
    if (!existsSync(folder))
      return refuse(
        `${folder}, where this branch is checked out, is gone; git worktree prune forgets it (git worktree unlock first, if it is locked)`,
      );
    const owed = await this.half.repairNow({ patient: true });
    if (owed !== undefined) return refuse(owed);
    for (let attempt = 1; ; attempt += 1) {
      const tried = await this.tryForward(move);
      if (tried.ok) return tried;
      const { reason, inTheWay = [] } = tried.why;
      if (inTheWay.length > 0 || !reason.includes('.lock') || attempt === LOCK_TRIES)
        return failure({ ...tried.why, reason: describeGitRefusal(reason) });
      await sleep(200 * attempt);
    }
  }

  /** One try; the branch must be checked out before and after. */
  private async tryForward(move: FastForward): Promise<Outcome<void, MergeObstacle>> {
    const { folder, ref, old, to } = move;
    const git = openUserGit(folder, await fastForwardSettings(folder, ref));
    if ((await readHeadOf(folder)) !== ref) return refuse(`${folder} has another branch checked out now`);
    if ((await readTip(folder, ref)) !== old) return refuse(`${ref} was moved meanwhile`);
    const hindered = await findMergeObstacle(git, move);
    if (hindered !== undefined) return failure(hindered);
    const gitDir = findGitDir(folder);
    const origHead = readObjectId(gitDir, 'ORIG_HEAD') ?? (await readTip(folder, 'ORIG_HEAD'));
    const taken = await this.half.begin(move, origHead);
    if (taken !== undefined) return failure(taken);
    failpoint('merge.before-fast-forward');
    try {
      // Not --quiet: simple-git waits 50 ms more for a silent git.
      await git('merge', '--ff-only', '--no-autostash', '--no-overwrite-ignore', '--no-stat', to);
    } catch (error) {
      const owed = await this.half.repairNow({ patient: true });
      const text = message(error);
      if (owed !== undefined) return refuse(`${text}; ${owed}`);
      const inTheWay = listFilesInTheWay(text);
      return inTheWay.length === 0 ? refuse(text) : failure({ reason: text, inTheWay });
    }
    failpoint('merge.after-fast-forward');
    await this.half.end(move);
    const was = readObjectId(gitDir, 'ORIG_HEAD'); // where HEAD was before the merge
    if ((was === undefined || was === old) && (await readTip(folder, ref)) === to) return success(undefined);
    // The branch was switched or moved back between the check and the merge: undo the move.
    const wrong = await tryUserGit(folder, 'symbolic-ref', '--quiet', 'HEAD');
    if (wrong !== '' && was !== undefined && was !== to && (await tryUserGit(folder, 'rev-parse', 'HEAD')) === to)
      await openUserGit(folder, { GIT_REFLOG_ACTION: OWN_RETREAT })('reset', '--quiet', '--keep', was).catch(() => '');
    return refuse(`${ref} was not moved: another process moved it, or checked out another branch in ${folder}`);
  }
}

/** Tries while another git holds a lock; the pauses between them add up to 5.6 seconds. */
const LOCK_TRIES = 8;

const refuse = (reason: string): Outcome<void, MergeObstacle> => failure({ reason });

const readHeadOf = async (folder: string): Promise<string> =>
  readSingleHead(folder) ?? tryUserGit(folder, 'symbolic-ref', '--quiet', 'HEAD');

const value = (rows: readonly string[], key: string): string | undefined =>
  rows.find((row) => row.startsWith(key))?.slice(key.length);

const message = (error: unknown): string => getErrorMessage(error).trim();

/**
 * Settings under which `git merge --ff-only` fast-forwards a branch and does nothing else. A user's merge settings
 * precede the options of a command line: another strategy undoes `--ff-only`, `--squash` writes files and moves no
 * branch. A demand for signatures stays. Passed in the environment, because with -c no name may hold a `=`.
 */
async function fastForwardSettings(folder: string, ref: string): Promise<Readonly<Record<string, string>>> {
  const key = `branch.${toBranchName(ref)}.mergeOptions`;
  const rows = await readGitConfig(folder);
  const own = rows.findLast((row) => row.key === key.replace(/[^.]*$/, 'mergeoptions'))?.value ?? '';
  return {
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: 'pull.twohead',
    GIT_CONFIG_VALUE_0: 'ort',
    GIT_CONFIG_KEY_1: key,
    GIT_CONFIG_VALUE_1: own.split(/\s+/).includes(SIGNED) ? SIGNED : '--ff-only',
  };
}

const SIGNED = '--verify-signatures';
