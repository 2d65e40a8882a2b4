import { existsSync, rmSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseJsonObject } from '../../base/json-object.ts';
import { quoteForShell } from '../../base/shell-word.ts';
import { openDir, lstatPath, readPlain, type SafeDir } from '../../base/system/safe-fs.ts';
import { failpoint } from '../../base/system/failpoints.ts';
import { listPids, readLink, readProc } from '../../sandbox/processes/proc.ts';
import { listCheckoutFolders } from './checked-out.ts';
import { readTip } from './refs.ts';
import { openUserGit } from './user-git.ts';
import type { RepositoryFacts } from './repository-facts.ts';
import type { FastForward, MergeObstacle, TreeEntry } from './find-merge-obstacle.ts';
import { describeFilesInTheWay } from './describe-git-refusal.ts';
import { foldersAbove, syncCheckout, syncRefs } from './make-durable.ts';
import { repairCheckout } from './repair-checkout.ts';
import { findGitDir } from './operation-in-progress.ts';
import { splitNul, runGit, withUserSettings } from './run-git.ts';
import { SUBMODULE } from './trees.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';
import { isDiskTrouble } from '../../base/disk-trouble.ts';

/** Noted before git begins: what may be restored if it dies midway. */
interface Begun {
  /** The checkout to fast-forward; undefined where only refs move. */
  readonly folder?: string;
  readonly ref: string;
  readonly old: string;
  readonly to: string;
  /** Files of the change that had the content of `old`, and are not staged with that of `to`. */
  readonly clean: readonly string[];
  /** Lock files that git will make and remove; none existed. */
  readonly locks: readonly string[];
  /** Refs that move together. */
  readonly refs?: readonly RefMove[];
  readonly began: number;
  /** After a reboot, git's writes may be missing on the disk. */
  readonly boot: string;
  /** The old ORIG_HEAD; git sets it to `old` before it writes files. */
  readonly origHead?: string;
  /** Restoring has begun and may have been interrupted. */
  readonly isPuttingBack?: true;
}

/** A ref, its current value (undefined: it must not exist), and its new one. */
export interface RefMove {
  readonly ref: string;
  readonly old: string | undefined;
  readonly to: string;
}

/** How to restore: `patient` waits a little for a running git. */
interface RepairMode {
  readonly patient: boolean;
}

/**
 * git writes the files of a fast-forward before it moves the branch, and nothing makes that atomic. So each path to be
 * written is noted first. When git (or the machine) dies in between, exactly those paths are restored and git's own
 * locks removed. Other locks, older or newer, belong to another process and stay.
 */
export class InterruptedMerge {
  private readonly door: SafeDir;
  private readonly root: string;
  private readonly commonDir: string;
  private last: Promise<unknown> = Promise.resolve();
  private taking = 0;

  constructor(state: string, { root, commonDir }: Pick<RepositoryFacts, 'root' | 'commonDir'>) {
    this.door = openDir(state);
    this.root = root;
    this.commonDir = commonDir;
  }

  /** Runs one at a time, so that a running operation is not taken for an interrupted one. */
  inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    this.taking += 1;
    const done = this.last.then(work).finally(() => (this.taking -= 1));
    this.last = done.catch(() => {});
    return done;
  }

  /** Notes the refs that git is about to move. */
  beginRefs(refs: readonly RefMove[]): void {
    const locks = refs.map(({ ref }) => join(this.commonDir, `${ref}.lock`)).filter((lock) => !existsSync(lock));
    this.note(REFS, { ref: refs[0]?.ref ?? '', old: '', to: '', clean: [], locks, refs });
  }

  /** git has moved the refs, or refused to. */
  endRefs(): void {
    this.door.remove(REFS);
  }

  /**
   * Notes what git is about to write into a checkout. Returns what is in its way, yours or another git's lock. Then
   * nothing is noted and git must not begin, because unnoted files are not restored.
   */
  async begin(move: FastForward, origHead: string): Promise<MergeObstacle | undefined> {
    const { folder, ref, old, to, changed } = move;
    const gitDir = findGitDir(folder);
    const names = ['index.lock', 'HEAD.lock', 'ORIG_HEAD.lock'].map((name) => join(gitDir, name));
    const locks = [...names, join(this.commonDir, `${ref}.lock`)];
    const locked = locks.find((lock) => existsSync(lock));
    if (locked !== undefined) return { reason: `Unable to create '${locked}': File exists` }; // in git's own words
    const { standing, apart } = await findUserChanges(gitDir, move);
    if (standing.length > 0) return { reason: describeFilesInTheWay(standing), inTheWay: standing };
    const clean = changed.map(({ path }) => path).filter((path) => !apart.has(path));
    this.note(FILE, { folder, ref, old, to, clean, locks, origHead });
    return undefined;
  }

  /** git has ended by itself: it succeeded, or refused before a file was written. Syncs its work first. */
  async end({ folder, ref, changed }: FastForward): Promise<void> {
    await syncCheckout(
      folder,
      this.commonDir,
      ref,
      changed.map(({ path }) => path),
    );
    this.door.remove(FILE);
  }

  /**
   * Restores the files of an interrupted git; completed or unstarted work is left alone. Returns what prevents it; then
   * it is still to be done. Without `patient` it does nothing while a fast-forward, a move of refs or a repair runs.
   */
  repair(mode: RepairMode): Promise<string | undefined> {
    const mustWait = this.taking > 0;
    return mustWait && !mode.patient ? Promise.resolve(undefined) : this.inTurn(() => this.repairNow(mode));
  }

  /** The same for the holder of the turn. */
  async repairNow(mode: RepairMode): Promise<string | undefined> {
    return (await this.repairNoted(REFS, mode)) ?? (await this.repairNoted(FILE, mode));
  }

  /** The same for refs alone. */
  repairRefs(): Promise<string | undefined> {
    return this.repairNoted(REFS, { patient: true });
  }

  private async repairNoted(file: string, { patient }: RepairMode): Promise<string | undefined> {
    const read = this.door.text(file, LARGEST);
    if (!read.ok) return describeDamage(this.door.at(file), read.why);
    if (read.value === undefined) return undefined;
    const begun = parseJsonObject<Begun>(read.value, ['old', 'to', 'clean', 'locks', 'began']);
    if (begun === undefined) return describeDamage(this.door.at(file), 'is damaged');
    let locks: readonly string[] = [];
    const places = () => {
      locks = listLocksLeft(begun);
      // Then only refs move, each by compare and swap, which no running git can hurt.
      if (begun.folder === undefined && locks.length === 0) return [];
      const lockers = locks.length === 0 ? [] : listCheckoutFolders(this.root, this.commonDir);
      return [...(begun.folder === undefined ? [] : [begun.folder]), ...lockers, this.commonDir];
    };
    const owed = `an earlier ${begun.folder === undefined ? 'move of refs is not finished' : 'fast-forward is not put back'} yet`;
    const busy = await findBusyPlace(places, patient ? PATIENCE : 1);
    if (busy !== undefined) return `${owed}: a git works in ${busy}`;
    try {
      await this.repairOne(file, begun, locks);
    } catch (error) {
      return `${owed} in ${begun.folder ?? this.commonDir}: ${getErrorMessage(error).trim()}; it is tried again`;
    }
    return undefined;
  }

  private async repairOne(file: string, begun: Begun, locks: readonly string[]): Promise<void> {
    const { folder, ref, old, to, clean, refs = [], boot } = begun;
    failpoint('merge.repair.before-locks');
    for (const lock of locks) rmSync(lock, { force: true });
    await this.finishRefs(refs);
    if (folder !== undefined && existsSync(folder)) {
      const tip = await readTip(folder, ref);
      failpoint('merge.repair.before-files');
      const wanted = tip === old ? 'from' : tip === to && boot !== this.boot() ? 'to' : undefined;
      if (wanted !== undefined) {
        const { isPuttingBack = false } = begun;
        if (!isPuttingBack) this.door.write(file, JSON.stringify({ ...begun, isPuttingBack: true }));
        await repairCheckout(folder, { from: old, to, wanted, clean, isAgain: isPuttingBack });
      }
      if (wanted === 'from') await putOrigHeadBack(folder, begun);
      if (wanted === 'to') await syncCheckout(folder, this.commonDir, ref, clean);
    }
    failpoint('merge.repair.after-files');
    this.door.remove(file);
  }

  /** git locks refs together and moves them one by one: where it began, the others follow. */
  private async finishRefs(refs: readonly RefMove[]): Promise<void> {
    const tips = await Promise.all(refs.map(async ({ ref }) => (await readTip(this.commonDir, ref)) || undefined));
    if (!refs.some(({ to }, at) => tips[at] === to)) return;
    for (const [at, { ref, old, to }] of refs.entries())
      if (tips[at] === old)
        await openUserGit(this.commonDir)('update-ref', '--create-reflog', '-m', 'andon', ref, to, old ?? NONE);
    await syncRefs(
      this.commonDir,
      refs.map(({ ref }) => ref),
    );
  }

  private note(file: string, begun: Omit<Begun, 'began' | 'boot'>): void {
    this.door.write(file, JSON.stringify({ ...begun, began: Date.now(), boot: this.boot() }));
  }

  /** The boot id, as the start of andon noted it. */
  private boot(): string {
    const read = this.door.text('boot', 1000);
    return read.ok ? (read.value ?? '') : '';
  }
}

/** Restores yours, unless you have moved it since. */
async function putOrigHeadBack(folder: string, { old, origHead }: Begun): Promise<void> {
  if (origHead === undefined || origHead === old) return;
  if ((await readTip(folder, 'ORIG_HEAD')) !== old) return;
  await openUserGit(folder)('update-ref', ...(origHead === '' ? ['-d', 'ORIG_HEAD'] : ['ORIG_HEAD', origHead]));
}

/** A damaged note is no missing one: what git had begun is unknown, so only a person can say that it is whole. */
const describeDamage = (note: string, why: string): string =>
  isDiskTrouble(why)
    ? `the note of a fast-forward ${note} ${why}; it is read again`
    : `an earlier fast-forward may be half done: its note ${note} ${why}. Look with \`git status\` whether your checkout is whole; then type: rm -r ${quoteForShell(note)}`;

/** The note of files that git is about to write (every path of a change), and of refs it is about to move. */
const FILE = 'forward.json';
const REFS = 'forward-refs.json';
const LARGEST = 256 * 1024 * 1024;

/** The old value of a ref that must not exist yet. */
const NONE = '';

/** The noted locks that exist, and are not older than the note. */
const listLocksLeft = ({ locks, began }: Begun): readonly string[] =>
  locks.filter((lock) => (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= began - 1000);

/** Where a git runs now: yours, or one left by a killed andon, which ends by itself. */
async function findBusyPlace(places: () => readonly string[], times: number): Promise<string | undefined> {
  for (let tries = 1; ; tries += 1) {
    const busy = findGit(places());
    if (busy === undefined || tries >= times) return busy;
    await sleep(100);
  }
}

/** Tenths of a second. */
const PATIENCE = 50;

function findGit(folders: readonly string[]): string | undefined {
  const pids = listPids();
  if (pids.length === 0) return folders[0]; // unknown, so nothing is touched
  const places = pids.filter((pid) => readProc(`${pid}/comm`).trim() === 'git').map((pid) => readLink(`${pid}/cwd`)); // unknown where it has just ended, or belongs to another user
  return folders.find((folder) => places.some((place) => place === folder || place.startsWith(folder + sep)));
}

/** Compares contents: a file that was only touched counts as unchanged. */
async function findUserChanges(gitDir: string, { folder, changed }: FastForward) {
  const call = { gitDir, workTree: folder, env: withUserSettings() };
  const paths = new Set(changed.map(({ path }) => path));
  // One git says what the index holds, and which files of the checkout may differ from it.
  const words = ['ls-files', '-z', '-v', '-s', '-c', '-m', '--', ...only(paths)];
  const rows = splitNul(isOutsideIndex(gitDir, paths) ? '' : await runGit(words, call))
    .map(readRow)
    .filter(({ path }) => paths.has(path));
  const index = new Map(rows.map(({ path, entry }) => [path, entry]));
  const isUnlike = (path: string, kept: TreeEntry | undefined): boolean =>
    index.get(path) !== (kept && `${kept.mode} ${kept.oid} 0`);
  const unlikeOld = changed.filter(({ path, before }) => isUnlike(path, before));
  const mixed = unlikeOld.filter(({ path, after }) => isUnlike(path, after)).map(({ path }) => path);
  const staged = new Set(unlikeOld.map(({ path }) => path).filter((path) => !mixed.includes(path)));
  const touched = rows.filter(({ tag, entry }) => tag.toUpperCase() === CHANGED && !entry.startsWith(SUBMODULE));
  const dirty = new Set(touched.map(({ path }) => path).filter((path) => !staged.has(path)));
  const edited =
    dirty.size === 0 ? [] : splitNul(await runGit([...DIFF, ...only(dirty)], call)).filter((path) => dirty.has(path));
  const leaving = new Set(changed.filter(({ status }) => status === 'deleted').map(({ path }) => path));
  const foreign = changed
    .filter(({ path, status }) => status === 'added' && !index.has(path))
    .flatMap(({ path }) => findFileAt(folder, path) ?? [])
    .filter((path) => !leaving.has(path));
  return {
    /** Edited, staged, or untracked: git does not overwrite it. */
    standing: [...new Set([...mixed, ...edited, ...foreign])],
    /** Paths that git leaves alone or rejects itself: staged with the same content, and marked as not to be inspected. */
    apart: new Set([...staged, ...rows.filter(({ tag }) => UNSEEN.test(tag)).map(({ path }) => path)]),
  };
}

/** Whether the index surely holds none of these paths: it names each where it is not compressed (4), split or sparse. */
function isOutsideIndex(gitDir: string, paths: ReadonlySet<string>): boolean {
  const read = readPlain(join(gitDir, 'index'), LARGEST);
  if (!read.ok || read.value === undefined || areMisread(paths)) return false;
  if (read.value.byteLength * paths.size > MOST_COMPARED) return false; // git is quicker, and beside the loop
  const index = Buffer.from(read.value.buffer, read.value.byteOffset, read.value.byteLength);
  if (index.toString('latin1', 0, 4) !== 'DIRC' || ![2, 3].includes(index.readUInt32BE(4))) return false;
  return ![...paths, 'link', 'sdir'].some((name) => index.includes(name));
}

const DIFF = [
  '-c',
  'diff.orderFile=/dev/null',
  'diff',
  '--no-ext-diff',
  '--ignore-submodules=all',
  '--name-only',
  '-z',
  '--',
];

/** A row of `ls-files -v -s`: a letter, and the mode, id and stage of the entry. A changed file has a row more. */
function readRow(row: string): { readonly tag: string; readonly entry: string; readonly path: string } {
  const tab = row.indexOf('\t');
  return { tag: row.slice(0, 1), entry: row.slice(2, tab), path: row.slice(tab + 1) };
}

const CHANGED = 'C';
/** Flags of files that git does not inspect: a small letter (assume-unchanged) or S (skip-worktree). */
const UNSEEN = /^[a-zS]/;

/** Paths to name to git; with more, all are listed. */
const MOST_PATHS = 200;
/** Bytes that are compared in some milliseconds. */
const MOST_COMPARED = 64 * 1024 * 1024;
const only = (paths: ReadonlySet<string>): readonly string[] =>
  paths.size > MOST_PATHS || areMisread(paths) ? [] : [...paths].map((path) => `:(top,literal)${path}`);

/** Whether a name is no UTF-8: as text it is another one than git's. */
const areMisread = (paths: ReadonlySet<string>): boolean => [...paths].some((path) => path.includes('\ufffd'));

/** The file at a path or above it. git replaces an empty folder, but not a file at the path of a folder. */
function findFileAt(folder: string, path: string): string | undefined {
  const file = join(folder, path);
  const found = [file, ...foldersAbove(file, folder)].find((one) => lstatPath(one)?.isDirectory() === false);
  return found?.slice(folder.length + 1);
}
