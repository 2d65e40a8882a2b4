import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mergesIn } from '../look-at-end.ts';
import type { Seeded } from './seeded.ts';

/** Number of the user's own files. */
const FILES = 6;
const STANDS_MS = 1500;

/** The user of one repository: edits and commits there while andon works, and knows what must still be there. */
export class User {
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #seeded: Seeded;
  /** Files of his that are not committed, and what he wrote. */
  readonly #edits = new Map<string, string>();
  readonly #commits: string[] = [];
  #count = 0;

  constructor(folder: string, env: Readonly<Record<string, string>>, seeded: Seeded) {
    [this.#folder, this.#env, this.#seeded] = [folder, env, seeded];
  }

  /** Writes a file of his own that he does not commit; false when the disk took nothing. */
  edit(): boolean {
    const name = `mine/${this.#seeded.below(FILES)}.txt`;
    const text = `Edit ${(this.#count += 1)}\n`.repeat(1 + this.#seeded.below(50));
    if (!this.#write(name, text)) return false;
    this.#edits.set(name, text);
    return true;
  }

  /** Commits to the target: in his checkout where it is checked out there, else beside it. False when git could not. */
  commit(): boolean {
    const isHere = this.#git('symbolic-ref', 'HEAD') === 'refs/heads/main';
    const before = this.#git('rev-parse', 'refs/heads/main');
    if (before === undefined) return false;
    if (!isHere) {
      const made = this.#git('commit-tree', '-p', before, '-m', 'The user', `${before}^{tree}`);
      if (made === undefined || this.#git('update-ref', 'refs/heads/main', made, before) === undefined) return false;
      this.#commits.push(made);
      return true;
    }
    const name = `committed/${(this.#count += 1)}.txt`;
    if (!this.#write(name, 'By the user.\n')) return false;
    const isDone =
      this.#git('add', '--', name) !== undefined &&
      this.#git('commit', '--quiet', '-m', 'The user', '--', name) !== undefined;
    const made = this.#git('log', '-1', '--format=%H', 'refs/heads/main', '--', name);
    if (isDone && made !== undefined && made !== '') this.#commits.push(made);
    else this.#edits.set(name, 'By the user.\n'); // it exists, staged or not
    return isDone;
  }

  /** Edits a file that andon is to write as well, for a while, and takes the edit back; says what became of it. */
  async standInTheWay(): Promise<string | undefined> {
    if (this.#git('symbolic-ref', 'HEAD') !== 'refs/heads/main') return undefined;
    const name = `notes/${this.#seeded.below(5)}.txt`;
    const file = join(this.#folder, name);
    const text = `In the way ${(this.#count += 1)}\n`;
    if (!this.#write(name, text)) return undefined;
    const isThere = (): boolean => existsSync(file) && readFileSync(file, 'utf8') === text;
    // A git that began before may have looked already; every later one sees the edit.
    const before = this.#gits();
    while (this.#gits().some((pid) => before.includes(pid))) await sleep(10);
    if (!isThere()) return undefined; // made in the very moment of a merge, which took it for the old file
    await sleep(STANDS_MS);
    const lost = isThere() ? undefined : `${file}: an edit that stood in the way was lost`;
    // A disk that is full just now may leave the file empty, and the reader tries again.
    for (let isBack = !isThere(); !isBack;) {
      isBack = this.#git('checkout', '--quiet', 'HEAD', '--', name) !== undefined;
      if (!isBack) await sleep(200);
    }
    return lost;
  }

  /** What is not as it must be while nothing runs: one sentence each. */
  wrong(): readonly string[] {
    const edits = [...this.#edits].flatMap(([name, text]) => {
      const file = join(this.#folder, name);
      return existsSync(file) && readFileSync(file, 'utf8') === text ? [] : [`${file}: an uncommitted edit is gone`];
    });
    const lost = this.#commits.filter(
      (commit) => this.#git('merge-base', '--is-ancestor', commit, 'refs/heads/main') === undefined,
    );
    return [
      ...edits,
      ...lost.map((commit) => `${this.#folder}: ${commit} of the user is not on main`),
      ...this.#strange(),
    ];
  }

  /** Files that differ from the commit and are not the user's: what a half done merge leaves. */
  #strange(): readonly string[] {
    const status = this.#git('--no-optional-locks', 'status', '--porcelain', '-z', '--untracked-files=all');
    if (status === undefined) return [`${this.#folder}: git status failed`];
    const names = status.split('\0').flatMap((row) => (row === '' ? [] : [[row.slice(0, 2), row.slice(3)] as const]));
    const strange = names.filter(([, name]) => !/^(?:mine|committed)\//.test(name));
    const locks = ['index', 'HEAD', 'refs/heads/main'].filter((name) =>
      existsSync(join(this.#folder, `.git/${name}.lock`)),
    );
    return [
      ...strange.map(([how, name]) => {
        const differs = this.#git('--no-optional-locks', 'diff', 'HEAD', '--', name)?.split('\n').slice(4).join(' | ');
        return `${this.#folder}: ${how} ${name} is not as its commit has it: ${differs?.slice(0, 200)}`;
      }),
      ...locks.map((name) => `${this.#folder}: .git/${name}.lock was left`),
    ];
  }

  /** The tasks that main says were merged. */
  merges(): readonly string[] {
    return mergesIn(this.#folder, this.#env);
  }

  /** The git processes in the user's checkout now; unknown on systems other than Linux. */
  #gits(): readonly string[] {
    if (!existsSync('/proc/self')) return [];
    return readdirSync('/proc').filter((pid) => {
      try {
        return (
          readFileSync(`/proc/${pid}/comm`, 'utf8') === 'git\n' && readlinkSync(`/proc/${pid}/cwd`) === this.#folder
        );
      } catch {
        return false; // it has ended, or is no process
      }
    });
  }

  #git(...args: string[]): string | undefined {
    const who = ['-c', 'user.name=Erik', '-c', 'user.email=erik@localhost', '-c', 'gc.auto=0'];
    const { status, stdout } = spawnSync('git', [...who, ...args], {
      cwd: this.#folder,
      env: this.#env,
      encoding: 'utf8',
    });
    return status === 0 ? stdout.trimEnd() : undefined;
  }

  /** As an editor does that writes beside and renames. */
  #write(name: string, text: string): boolean {
    const file = join(this.#folder, name);
    const beside = join(this.#folder, '.git', 'users-editor.tmp');
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(beside, text);
      renameSync(beside, file);
      return true;
    } catch {
      rmSync(beside, { force: true });
      return false;
    }
  }
}
