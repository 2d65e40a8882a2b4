import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { simpleGit } from 'simple-git';
import type { SimpleGit } from 'simple-git';
import { failure, success } from '../../formats/outcome.ts';
import type { Outcome } from '../../formats/outcome.ts';
import type { RepositoryFacts } from '../../ports/repository.ts';
import { failpoint } from '../failpoints.ts';
import { USERS_HOME } from './git.ts';
import { HalfForward } from './half-forward.ts';
import { hindrance } from './hindrance.ts';
import type { Move } from './hindrance.ts';
import { inWords, whyNotHere } from './in-words.ts';
import type { NotHere } from './in-words.ts';
import { headOfOnlyCheckout, idInFile, readRef } from './refs.ts';
import { gitDirOf, underWay } from './under-way.ts';

/**
 * The user's own checkout. It is read, and its target branch is fast-forwarded; nothing else is ever done to it.
 * Hooks are switched off; the filters that the user configured run, as they do in the user's own `git merge`.
 */
export class Checkout {
  private readonly git: SimpleGit;
  private attributesFile: Promise<string> | undefined;
  private readonly half: HalfForward;
  readonly folder: string;

  constructor(folder: string, half = new HalfForward('', '')) {
    this.folder = folder;
    this.git = checkoutGit(folder);
    this.half = half;
  }

  /** What there is to know before a task may run; what is wrong and what to do when git or andon cannot work here. */
  async facts(): Promise<Outcome<RepositoryFacts, NotHere>> {
    try {
      const version = (await this.git.raw('version')).trim().replace('git version ', '');
      const asked = await this.git.raw(
        'rev-parse',
        '--is-bare-repository',
        '--path-format=absolute',
        '--git-common-dir',
      );
      const [isBare = ''] = asked.split('\n');
      if (isBare === 'true')
        return failure({
          sentence: `${this.folder} is a bare repository, without a checkout in which _handoff/ could lie`,
          remedy: 'make one beside it (git worktree add <folder>) and run andon there',
        });
      const root = asked.slice(isBare.length).trim();
      const top = (await this.git.raw('rev-parse', '--path-format=absolute', '--show-toplevel')).trim();
      return success({ root: top, commonDir: root, gitVersion: version });
    } catch (error) {
      return failure(whyNotHere(this.folder, message(error)));
    }
  }

  /** The branch that is checked out now; '' when HEAD is detached. */
  async head(): Promise<string> {
    return headOfOnlyCheckout(this.folder) ?? this.tryRaw('symbolic-ref', '--quiet', 'HEAD');
  }

  /** The branch that `origin/HEAD` points to, when a local branch of that name exists. */
  async originDefault(): Promise<string | undefined> {
    const remote = await this.tryRaw('symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD');
    if (remote === '') return undefined;
    const local = `refs/heads/${remote.replace('refs/remotes/origin/', '')}`;
    return (await this.tryRaw('rev-parse', '--verify', '--quiet', local)) === '' ? undefined : local;
  }

  /** The folder in which a branch is checked out; `busy` names what moving the branch would spoil. */
  async whereCheckedOut(
    ref: string,
  ): Promise<{ readonly folder: string | undefined; readonly busy: string | undefined }> {
    const head = headOfOnlyCheckout(this.folder);
    if (head !== undefined)
      return { folder: head === ref ? this.folder : undefined, busy: underWay(this.folder, ref, head === ref) };
    const output = await this.git.raw('worktree', 'list', '--porcelain', '-z');
    const records = output.split('\0\0').map((record) => record.split('\0'));
    const places = records.flatMap((rows, at) => {
      const folder = value(rows, 'worktree ');
      return folder === undefined
        ? []
        : [{ folder: at === 0 ? this.mainFolder(folder) : folder, out: value(rows, 'branch ') === ref }];
    });
    const busy = places.map(({ folder, out }) => underWay(folder, ref, out)).find((reason) => reason !== undefined);
    const [folder, other] = places.flatMap((place) => (place.out ? [place.folder] : []));
    if (other === undefined) return { folder, busy };
    return {
      folder,
      busy: `this branch is checked out twice, in ${folder} and ${other}; switch one of them to another`,
    };
  }

  /** git lists the main checkout by its git directory where that lies elsewhere, as a submodule's does. */
  private mainFolder(listed: string): string {
    return gitDirOf(this.folder) === listed ? this.folder : listed;
  }

  /** Fast-forwards `ref`, which is checked out in `folder`, from `old`; refused where anything of yours is in the way. */
  async fastForward(move: Move): Promise<Outcome<void, string>> {
    const { folder } = move;
    if (!existsSync(folder))
      return failure(`${folder}, where this branch is checked out, is gone; git worktree prune forgets it`);
    await this.repair();
    for (let attempt = 1; ; attempt += 1) {
      const tried = await this.tryForward(move);
      if (tried.ok) return tried;
      if (!tried.why.includes('.lock') || attempt === 5) return failure(inWords(tried.why));
      await new Promise((done) => {
        setTimeout(done, 200 * attempt);
      });
    }
  }

  /** Puts back what a git that died has left of a fast-forward. */
  repair(): Promise<void> {
    return this.half.repair({
      git: (folder) => {
        const { git } = new Checkout(folder);
        return (...args) => git.raw(...args);
      },
      tip: (folder, ref) => new Checkout(folder).tryRaw('rev-parse', '--verify', '--quiet', ref),
    });
  }

  /** One try; the branch must still be the one that is checked out, before and after. */
  private async tryForward(move: Move): Promise<Outcome<void, string>> {
    const { folder, ref, to } = move;
    const there = new Checkout(folder);
    if ((await there.head()) !== ref) return failure(`${folder} has another branch checked out now`);
    const inTheWay = await hindrance((...args) => there.git.raw(...args), move);
    if (inTheWay !== undefined) return failure(inTheWay);
    const gitDir = gitDirOf(folder);
    const origHead =
      idInFile(gitDir, 'ORIG_HEAD') ?? (await there.tryRaw('rev-parse', '--verify', '--quiet', 'ORIG_HEAD'));
    await this.half.begin(move);
    failpoint('merge.before-fast-forward');
    try {
      // Not --quiet: simple-git waits 50 ms more for a git that prints nothing.
      await there.git.raw('merge', '--ff-only', '--no-autostash', '--no-overwrite-ignore', '--no-stat', to);
    } catch (error) {
      // git writes ORIG_HEAD before it refuses; the user's own is put back.
      await there.tryRaw(
        ...(origHead === '' ? ['update-ref', '-d', 'ORIG_HEAD'] : ['update-ref', 'ORIG_HEAD', origHead]),
      );
      await this.repair();
      return failure(message(error));
    }
    failpoint('merge.after-fast-forward');
    await this.half.end(move);
    const moved = readRef(join(folder, '.git'), ref);
    if (moved === to || (await there.tryRaw('rev-parse', '--verify', '--quiet', ref)) === to) return success(undefined);
    // Somebody switched between the look and the merge: the branch that was moved instead is put back.
    const wrong = await there.tryRaw('symbolic-ref', '--quiet', 'HEAD');
    const tip = idInFile(gitDir, 'ORIG_HEAD'); // where HEAD was before the merge
    if (wrong !== '' && tip !== undefined && tip !== to && (await there.tryRaw('rev-parse', 'HEAD')) === to)
      await there.tryRaw('reset', '--quiet', '--keep', tip);
    return failure(`${ref} was not moved: another branch was checked out in ${folder} meanwhile`);
  }

  /** Whether attribute files outside of the tree (the repository's own, the user's, the machine's) may name filters. */
  async hasOwnAttributes(): Promise<boolean> {
    this.attributesFile ??= this.tryRaw('config', '--get', 'core.attributesFile');
    if ((await this.attributesFile) !== '') return true;
    const config = process.env['XDG_CONFIG_HOME'] ?? join(process.env['HOME'] ?? '', '.config');
    const files = [join(gitDirOf(this.folder), 'info', 'attributes'), join(config, 'git', 'attributes')];
    return [...files, '/etc/gitattributes'].some((file) => existsSync(file));
  }

  private async tryRaw(...args: string[]): Promise<string> {
    try {
      return (await this.git.raw(...args)).trim();
    } catch {
      return '';
    }
  }
}

function checkoutGit(folder: string): SimpleGit {
  return simpleGit({
    baseDir: folder,
    config: [
      'core.hooksPath=/dev/null',
      'core.fsmonitor=false',
      'core.fsync=committed,reference,index',
      'gc.auto=0',
      'maintenance.auto=false',
    ],
    unsafe: { allowUnsafeHooksPath: true, allowUnsafeFsMonitor: true },
  }).env({ PATH: process.env['PATH'] ?? '', ...USERS_HOME, LC_ALL: 'C' });
}

const value = (rows: readonly string[], key: string): string | undefined =>
  rows.find((row) => row.startsWith(key))?.slice(key.length);

const message = (error: unknown): string => (error instanceof Error ? error.message.trim() : String(error));
