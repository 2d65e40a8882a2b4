import { existsSync, lstatSync, readFileSync, readdirSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { removeFile, replaceFile } from '../durable.ts';
import { failpoint } from '../failpoints.ts';
import { USERS_SETTINGS, git } from './git.ts';
import type { Move, UserGit } from './hindrance.ts';
import { syncCheckout, syncRefs } from './make-durable.ts';
import { putBack } from './put-back.ts';
import { gitDirOf } from './under-way.ts';

/** What is written down before git begins: what may be put back if it dies in the middle. */
interface Begun {
  /** The checkout that is fast-forwarded; undefined where only refs are moved. */
  readonly folder?: string;
  readonly ref: string;
  readonly old: string;
  readonly to: string;
  /** Files of the change that were as `old` has them: neither edited nor in the way of a new one. */
  readonly clean: readonly string[];
  /** Lock files that git will make and remove; none of them was there. */
  readonly locks: readonly string[];
  /** Refs that are moved together. */
  readonly refs?: readonly RefMove[];
  readonly began: number;
  /** Where it is not the machine's boot of today, what git had done may not have come to the disk. */
  readonly boot: string;
}

/** A ref, where it stands, and where it goes. */
export interface RefMove {
  readonly ref: string;
  readonly old: string | undefined;
  readonly to: string;
}

/** git in a checkout, and where a ref of it stands. */
export interface Eyes {
  readonly git: (folder: string) => UserGit;
  readonly tip: (folder: string, ref: string) => Promise<string | undefined>;
}

/**
 * git writes the files of a fast-forward before it moves the branch, and nothing makes that one step. So what is about to
 * be written is noted, path by path, and when git (or the machine) dies in between, exactly that is put back, and git's
 * own locks are removed. Nothing else is ever removed: a lock that was there before, or that came later, is somebody else's.
 */
export class HalfForward {
  private readonly file: string;
  private readonly commonDir: string;

  constructor(file: string, commonDir: string) {
    this.file = file;
    this.commonDir = commonDir;
  }

  /** Notes which refs git is about to move. */
  beginRefs(refs: readonly RefMove[]): void {
    const locks = refs.map(({ ref }) => join(this.commonDir, `${ref}.lock`)).filter((lock) => !existsSync(lock));
    this.note({ ref: refs[0]?.ref ?? '', old: '', to: '', clean: [], locks, refs });
  }

  /** Notes what git is about to write into a checkout. */
  async begin({ folder, ref, old, to, changed }: Move): Promise<void> {
    const gitDir = gitDirOf(folder);
    const names = ['index.lock', 'HEAD.lock', 'ORIG_HEAD.lock'].map((name) => join(gitDir, name));
    const locks = [...names, join(this.commonDir, `${ref}.lock`)];
    if (locks.some((lock) => existsSync(lock))) return; // git will refuse before it writes
    const paths = changed.map(({ path }) => path);
    // Not through simple-git, which waits 50 ms more for a git that prints nothing; and not one diff-index without
    // --cached for both, which looks at every file of the checkout.
    const call = { gitDir, workTree: folder, env: USERS_SETTINGS };
    const edited = await Promise.all([
      git(['diff-files', '--name-only', '-z', '--', ...only(paths)], call),
      git(['diff-index', '--cached', '--name-only', '-z', old, '--', ...only(paths)], call),
    ]);
    const touched = new Set(edited.flatMap((output) => split(output.toString('utf8'))));
    const clean = changed.filter(
      ({ path, status }) => !touched.has(path) && (status !== 'added' || !isThere(join(folder, path))),
    );
    this.note({ folder, ref, old, to, clean: clean.map(({ path }) => path), locks });
  }

  /** git has ended by itself: it did it, or refused before a file was written. What it did is made durable first. */
  async end(done?: Move): Promise<void> {
    if (done !== undefined && this.commonDir !== '')
      await syncCheckout(
        done.folder,
        this.commonDir,
        done.ref,
        done.changed.map(({ path }) => path),
      );
    removeFile(this.file);
  }

  /** Puts back what a git that died had written; what was done, or never begun, is left alone. */
  async repair(eyes: Eyes): Promise<void> {
    const begun = this.read();
    if (begun === undefined) return;
    const { folder, ref, old, to, clean, locks, refs = [], began, boot } = begun;
    if (await isAtWork([this.commonDir, ...(folder === undefined ? [] : [folder])])) return;
    failpoint('merge.repair.before-locks');
    for (const lock of locks)
      if ((statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= began - 1000) rmSync(lock, { force: true });
    await this.finishRefs(eyes, refs);
    if (folder !== undefined && existsSync(folder)) {
      const tip = await eyes.tip(folder, ref);
      failpoint('merge.repair.before-files');
      const wanted = tip === old ? 'from' : tip === to && boot !== this.boot() ? 'to' : undefined;
      if (wanted !== undefined) await putBack(eyes.git(folder), folder, { from: old, to, wanted, clean });
      if (wanted === 'to') await syncCheckout(folder, this.commonDir, ref, clean);
    }
    failpoint('merge.repair.after-files');
    await this.end();
  }

  /** git moves refs one after the other, although it locks them together: where it began, the others follow. */
  private async finishRefs(eyes: Eyes, refs: readonly RefMove[]): Promise<void> {
    const tips = await Promise.all(refs.map(async ({ ref }) => (await eyes.tip(this.commonDir, ref)) || undefined));
    if (!refs.some(({ to }, at) => tips[at] === to)) return;
    for (const [at, { ref, old, to }] of refs.entries())
      if (tips[at] === old)
        await eyes.git(this.commonDir)('update-ref', '--create-reflog', '-m', 'andon', ref, to, old ?? NONE);
    await syncRefs(
      this.commonDir,
      refs.map(({ ref }) => ref),
    );
  }

  private note(begun: Omit<Begun, 'began' | 'boot'>): void {
    if (this.file !== '') replaceFile(this.file, JSON.stringify({ ...begun, began: Date.now(), boot: this.boot() }));
  }

  /** The machine's boot, as the start of andon has noted it beside. */
  private boot(): string {
    try {
      return readFileSync(join(dirname(this.file), 'boot'), 'utf8');
    } catch {
      return '';
    }
  }

  private read(): Begun | undefined {
    try {
      return JSON.parse(readFileSync(this.file, 'utf8')) as Begun;
    } catch {
      return undefined;
    }
  }
}

/** The old value of a ref that must not be there yet. */
const NONE = '';

/** Whether a git works here now: one of yours, or the one that a killed andon left, which will end by itself. */
async function isAtWork(folders: readonly string[]): Promise<boolean> {
  for (let tries = 0; tries < 50; tries += 1) {
    if (!gitRuns(folders)) return false;
    await new Promise((done) => {
      setTimeout(done, 100);
    });
  }
  return true;
}

function gitRuns(folders: readonly string[]): boolean {
  if (!existsSync('/proc/self')) return true; // nobody can tell, so nothing is touched
  return readdirSync('/proc').some((pid) => {
    try {
      if (!/^\d+$/.test(pid) || readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'git') return false;
      const place = readlinkSync(`/proc/${pid}/cwd`);
      return folders.some((folder) => place === folder || place.startsWith(folder + sep));
    } catch {
      return false; // it has just ended, or is somebody else's
    }
  });
}

/** So many paths are named to git; of more, all are asked about. */
const MOST_PATHS = 200;
const only = (paths: readonly string[]): readonly string[] =>
  paths.length > MOST_PATHS ? [] : paths.map((path) => `:(top,literal)${path}`);

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

const split = (text: string): readonly string[] => text.split('\0').filter((field) => field !== '');
