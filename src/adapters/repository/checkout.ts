import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SimpleGit } from 'simple-git';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import { failpoint } from '../failpoints.ts';
import { userGitHome } from './git.ts';
import { InterruptedMerge, type RepairMode } from './interrupted-merge.ts';
import { findMergeObstacle, type FastForward, type UserGit } from './merge-obstacle.ts';
import { describeGitRefusal } from './describe-git-refusal.ts';
import { readSingleHead, readObjectId, readRef } from './refs.ts';
import { findGitDir, describeOperationInProgress } from './operation-in-progress.ts';
import { toBranchName } from '../../base/names.ts';
import { readGitConfig } from './git-config.ts';

/**
 * The user's own checkout: read, and its target branch fast-forwarded; nothing else. Hooks are disabled; the user's
 * filters run, as in `git merge`.
 */
export class Checkout {
  private opened: Promise<{ readonly git: SimpleGit }> | undefined;
  private attributesFile: Promise<string> | undefined;
  private readonly half: InterruptedMerge;
  private readonly env: Readonly<Record<string, string>>;
  readonly folder: string;

  /** `env` is what git sees in addition to the settings of its user. */
  constructor(folder: string, half = new InterruptedMerge(undefined, ''), env: Readonly<Record<string, string>> = {}) {
    this.folder = folder;
    this.half = half;
    this.env = env;
  }

  /** The checked out branch; '' when HEAD is detached. */
  async head(): Promise<string> {
    return readSingleHead(this.folder) ?? this.tryRaw('symbolic-ref', '--quiet', 'HEAD');
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
    const output = await this.raw('worktree', 'list', '--porcelain', '-z');
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
  fastForward(move: FastForward): Promise<Outcome<void, string>> {
    return this.half.inTurn(() => this.forwardNow(move));
  }

  private async forwardNow(move: FastForward): Promise<Outcome<void, string>> {
    const { folder } = move;
    if (!existsSync(folder))
      return failure(`${folder}, where this branch is checked out, is gone; git worktree prune forgets it`);
    const owed = await this.repairNow({ patient: true });
    if (owed !== undefined) return failure(owed);
    for (let attempt = 1; ; attempt += 1) {
      const tried = await this.tryForward(move);
      if (tried.ok) return tried;
      if (!tried.why.includes('.lock') || attempt === 5) return failure(describeGitRefusal(tried.why));
      await sleep(200 * attempt);
    }
  }

  /** Restores what an interrupted git left of a fast-forward; returns what prevents it. */
  repair(manner: RepairMode): Promise<string | undefined> {
    return this.half.inTurn(() => this.repairNow(manner));
  }

  /** The same for the holder of the turn. */
  repairNow(manner: RepairMode): Promise<string | undefined> {
    const git = (folder: string): UserGit => {
      const there = new Checkout(folder);
      return (...args) => there.raw(...args);
    };
    const tip = (folder: string, ref: string): Promise<string> => new Checkout(folder).tip(ref);
    return this.half.repair({ git, tip }, manner);
  }

  /** One try; the branch must be checked out before and after. */
  private async tryForward(move: FastForward): Promise<Outcome<void, string>> {
    const { folder, ref, old, to } = move;
    const there = new Checkout(folder, undefined, await fastForwardSettings(folder, ref));
    if ((await there.head()) !== ref) return failure(`${folder} has another branch checked out now`);
    if ((await there.tip(ref)) !== old) return failure(`${ref} was moved meanwhile`);
    const hindered = await findMergeObstacle((...args) => there.raw(...args), move);
    if (hindered !== undefined) return failure(hindered);
    const gitDir = findGitDir(folder);
    const origHead =
      readObjectId(gitDir, 'ORIG_HEAD') ?? (await there.tryRaw('rev-parse', '--verify', '--quiet', 'ORIG_HEAD'));
    const taken = await this.half.begin(move, origHead);
    if (taken !== undefined) return failure(taken);
    failpoint('merge.before-fast-forward');
    try {
      // Not --quiet: simple-git waits 50 ms more for a silent git.
      await there.raw('merge', '--ff-only', '--no-autostash', '--no-overwrite-ignore', '--no-stat', to);
    } catch (error) {
      const owed = await this.repairNow({ patient: true });
      if (owed !== undefined) return failure(`${message(error)}; ${owed}`);
      return failure(message(error));
    }
    failpoint('merge.after-fast-forward');
    await this.half.end(move);
    const was = readObjectId(gitDir, 'ORIG_HEAD'); // where HEAD was before the merge
    if ((was === undefined || was === old) && (await there.tip(ref)) === to) return success(undefined);
    // The branch was switched or moved back between the check and the merge: undo the move.
    const wrong = await there.tryRaw('symbolic-ref', '--quiet', 'HEAD');
    if (wrong !== '' && was !== undefined && was !== to && (await there.tryRaw('rev-parse', 'HEAD')) === to)
      await there.tryRaw('reset', '--quiet', '--keep', was);
    return failure(`${ref} was not moved: another process moved it, or checked out another branch in ${folder}`);
  }

  /** The commit of a ref; '' when it does not exist. */
  private async tip(ref: string): Promise<string> {
    return readRef(join(this.folder, '.git'), ref) ?? (await this.tryRaw('rev-parse', '--verify', '--quiet', ref));
  }

  /** Whether attribute files outside of the tree (the repository's, the user's, the machine's) may name filters. */
  async hasOwnAttributes(): Promise<boolean> {
    this.attributesFile ??= this.tryRaw('config', '--get', 'core.attributesFile');
    if ((await this.attributesFile) !== '') return true;
    const config = process.env['XDG_CONFIG_HOME'] ?? join(process.env['HOME'] ?? '/', '.config');
    const files = [join(findGitDir(this.folder), 'info', 'attributes'), join(config, 'git', 'attributes')];
    return [...files, '/etc/gitattributes'].some((file) => existsSync(file));
  }

  private async tryRaw(...args: string[]): Promise<string> {
    try {
      return (await this.raw(...args)).trim();
    } catch {
      return '';
    }
  }

  /** Loaded on the first call, which a reading command never makes. */
  private async raw(...args: string[]): Promise<string> {
    this.opened ??= openGit(this.folder, this.env);
    const { git } = await this.opened;
    return git.raw(...args);
  }
}

async function openGit(folder: string, env: Readonly<Record<string, string>>): Promise<{ readonly git: SimpleGit }> {
  const { simpleGit } = await import('simple-git');
  const git = simpleGit({
    baseDir: folder,
    config: [
      'core.hooksPath=/dev/null',
      'core.fsmonitor=false',
      'core.fsync=committed,reference,index',
      'gc.auto=0',
      'maintenance.auto=false',
    ],
    allowEnvironment: Object.keys(env), // else it removes every GIT_ variable as a foreign one
    // By default it takes a killed, silent git for a success.
    errors: (error, { exitCode, stdErr }) => error ?? (exitCode === 0 ? undefined : inItsWords(stdErr, exitCode)),
    unsafe: { allowUnsafeHooksPath: true, allowUnsafeFsMonitor: true, allowUnsafeConfigEnvCount: true },
  }).env({ PATH: process.env['PATH'] ?? '', ...userGitHome(), LC_ALL: 'C', ...env });
  return { git };
}

/** git's error output; a killed git has no exit code, whatever the types say. */
function inItsWords(stdErr: readonly Buffer[], exitCode: number | null): Buffer {
  const said = Buffer.concat(stdErr);
  return said.length > 0 ? said : Buffer.from(exitCode === null ? 'git was killed' : `git ended with ${exitCode}`);
}

const value = (rows: readonly string[], key: string): string | undefined =>
  rows.find((row) => row.startsWith(key))?.slice(key.length);

const message = (error: unknown): string => (error instanceof Error ? error.message.trim() : String(error));

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
