import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { aRepository, gitThatDies } from './a-repository.ts';

/** A checkout of which a power loss has kept the branch's move, and neither the index nor the files that belong to it. */
function halfForwarded() {
  const here = aRepository({ 'changed.txt': 'one\n', 'gone.txt': 'gone\n', 'mine.txt': 'mine\n' });
  const old = here.git('rev-parse', 'HEAD');
  here.write('changed.txt', 'two\nthree\n');
  here.write('mine.txt', 'theirs\n');
  here.write('new.txt', 'new\n');
  here.git('rm', '--quiet', 'gone.txt');
  const to = here.commit('second');
  here.git('reset', '--quiet', '--hard', old);
  here.git('update-ref', 'refs/heads/main', to);
  here.write('changed.txt', 'two\0\0\0\0\0\0\0');
  here.write('mine.txt', 'edited\n');
  here.write('untracked.txt', 'untracked\n');
  const state = join(dirname(here.root), 'state');
  mkdirSync(state);
  writeFileSync(join(state, 'boot'), 'today');
  const note = (more: object): void =>
    writeFileSync(join(state, 'forward.json'), JSON.stringify({ old, to, locks: [], began: Date.now(), ...more }));
  const repair = async (): Promise<string | undefined> => (await here.open()).repair({ patient: true });
  return { here, old, to, note, repair };
}

/** Two refs that were to be moved together, of which a power loss has kept the first. */
function halfMovedRefs() {
  const { here, old, to, note, repair } = halfForwarded();
  here.git('update-ref', 'refs/andon/A/1', to);
  here.git('branch', 'task/A', old);
  const refs = [
    { ref: 'refs/andon/A/1', to },
    { ref: 'refs/heads/task/A', old, to },
  ];
  note({ ref: 'refs/andon/A/1', old: '', to: '', clean: [], refs });
  return { here, to, repair };
}

/** A git of a person that runs until its end is wanted. */
function runGitIn(folder: string) {
  const git = spawn('git', ['cat-file', '--batch'], { cwd: folder, stdio: ['pipe', 'ignore', 'ignore'] });
  onTestFinished(() => void git.kill());
  return git;
}

/** A task branch, and how a killed git leaves its lock and a git of a person runs in a place. */
function lockedRef() {
  const { here, old, to } = halfForwarded();
  here.git('branch', 'task/A', old);
  here.git('worktree', 'add', '--quiet', '--detach', '../linked', old);
  const lock = here.path('.git/refs/heads/task/A.lock');
  const refs = [{ ref: 'refs/heads/task/A', old, to }];
  const leaveLock = (): void => {
    const note = { ref: '', old: '', to: '', clean: [], locks: [lock], refs, began: Date.now(), boot: 'today' };
    writeFileSync(lock, '');
    writeFileSync(join(dirname(here.root), 'state/forward-refs.json'), JSON.stringify(note));
  };
  /** Starts it, and gives back how it is ended. */
  const startGit = (place: string): (() => Promise<void>) => {
    const git = runGitIn(here.path(place));
    const ended = new Promise((resolve) => git.once('exit', resolve));
    return async () => {
      git.kill();
      await ended;
    };
  };
  return { here, refs, lock, leaveLock, startGit, old };
}

afterEach(() => vi.unstubAllEnvs());

const CLEAN = ['changed.txt', 'gone.txt', 'new.txt'];

it('the lock of a ref that a killed git has left stays while a git works anywhere there, whatever is published, and goes then', async () => {
  const { here, refs, lock, leaveLock, startGit, old } = lockedRef();
  for (const [at, place] of ['.', '.git', '../linked'].entries()) {
    leaveLock();
    const endGit = startGit(place);
    const other = [{ ref: `refs/andon/B/${at}`, old: undefined, to: old }];
    const repository = await here.open();
    expect(await repository.repair({ patient: false }), place).toContain('a git works in');
    expect(await repository.publish(other), place).toMatchObject({ ok: false });
    expect(existsSync(lock), place).toBe(true);
    await endGit();
    expect(await repository.publish(other), place).toEqual({ ok: true, value: undefined });
    expect(existsSync(lock), place).toBe(false);
    expect(await repository.publish(refs), place).toEqual({ ok: true, value: undefined });
    here.git('update-ref', 'refs/heads/task/A', old);
  }
});

describe('after a power loss', () => {
  it(
    'a checkout whose branch has moved gets the files and the index that belong to it; edits stay',
    { tags: 'thorough' },
    async () => {
      const { here, note, repair } = halfForwarded();
      note({ folder: here.root, ref: 'refs/heads/main', clean: CLEAN, boot: 'yesterday' });
      await repair();
      expect(readFileSync(here.path('changed.txt'), 'utf8')).toBe('two\nthree\n');
      expect(readFileSync(here.path('mine.txt'), 'utf8')).toBe('edited\n');
      expect(here.git('status', '--porcelain').split('\n')).toEqual(['MM mine.txt', '?? untracked.txt']);
    },
  );

  it('a damaged note is no missing one: it is said with what to type, and nothing is touched', async () => {
    const { here, repair } = halfForwarded();
    const note = join(dirname(here.root), 'state/forward.json');
    writeFileSync(note, '{"old":');
    const before = here.git('status', '--porcelain');
    expect(await repair()).toMatch(
      /may be half done: its note \S+forward\.json is damaged\..* type: rm -r '\S+forward\.json'$/,
    );
    expect(here.git('status', '--porcelain')).toBe(before);
    expect(readFileSync(note, 'utf8')).toBe('{"old":');
  });

  it('a note that cannot be read is no missing one: it is said, and nothing is touched', async () => {
    const { here, repair } = halfForwarded();
    mkdirSync(join(dirname(here.root), 'state/forward.json'));
    expect(await repair()).toMatch(
      /^an earlier fast-forward may be half done: its note \S+forward\.json .+; then type: rm -r /,
    );
    expect(readFileSync(here.path('mine.txt'), 'utf8')).toBe('edited\n');
  });

  it('nothing of it is touched when the machine has run on: then git has finished, and what differs is yours', async () => {
    const { here, note, repair } = halfForwarded();
    note({ folder: here.root, ref: 'refs/heads/main', clean: CLEAN, boot: 'today' });
    const before = here.git('status', '--porcelain');
    await repair();
    expect(here.git('status', '--porcelain')).toBe(before);
  });

  it('refs that are moved together are where they belong, all of them', async () => {
    const { here, to, repair } = halfMovedRefs();
    await repair();
    expect(here.git('rev-parse', 'task/A')).toBe(to);
  });

  it('refs without a lock do not wait for a git that works in the checkout: each moves by compare and swap', async () => {
    const { here, to, repair } = halfMovedRefs();
    runGitIn(here.root);
    expect(await repair()).toBeUndefined();
    expect(here.git('rev-parse', 'task/A')).toBe(to);
  });

  it('nothing is taken for finished while git cannot be asked; the next start finishes it', async () => {
    const { here, to, repair } = halfMovedRefs();
    gitThatDies(here.root, 'true', 'exit 128', '--quiet refs/andon/A/1');
    expect(await repair()).toContain('git rev-parse failed (128)');
    vi.unstubAllEnvs();
    expect(await repair()).toBeUndefined();
    expect(here.git('rev-parse', 'task/A')).toBe(to);
  });
});
