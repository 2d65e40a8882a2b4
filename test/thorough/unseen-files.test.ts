/** @module-tag thorough */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aRepository, gitThatDies, plan, put } from '../integration/project/git/a-repository.ts';

afterEach(() => vi.unstubAllEnvs());

const MAIN = 'refs/heads/main';
const MARKS = ['assume-unchanged', 'skip-worktree'] as const;
/** What you have made of the file that git was told not to look at. */
const OWN: readonly (readonly [how: string, text: string | undefined])[] = [
  ['as it was', 'old\n'],
  ['emptied', ''],
  ['cut off within what is merged', 'new\nne'],
  ['as it is merged', 'new\nnew\n'],
  ['changed', 'mine\n'],
  ['gone', undefined],
];
const CASES = MARKS.flatMap((mark) => OWN.map(([how, text]) => [mark, how, text] as const));

/** A checkout with a file of your own that git passes over, and a change of it and of another one. */
async function withUnseen(mark: (typeof MARKS)[number], text: string | undefined) {
  const here = aRepository({ 'own.txt': 'old\n', 'other.txt': 'old\n' });
  const repository = await here.open();
  const base = here.git('rev-parse', 'HEAD');
  const [other, own] = [put('other.txt', 'new\nnew\n'), put('own.txt', 'new\nnew\n')];
  const { commit: both } = await repository.build([other, own], plan(base));
  const { commit: onlyOther } = await repository.build([other], plan(base));
  here.git('update-index', `--${mark}`, 'own.txt');
  if (text === undefined) rmSync(here.path('own.txt'));
  else writeFileSync(here.path('own.txt'), text);
  await repository.publish([
    { ref: 'refs/andon/A/1', old: undefined, to: both },
    { ref: 'refs/andon/A/2', old: undefined, to: onlyOther },
  ]);
  const read = (name: string): string | undefined =>
    existsSync(here.path(name)) ? readFileSync(here.path(name), 'utf8') : undefined;
  const flags = (): string => here.git('ls-files', '-v', 'own.txt');
  return { here, repository, base, both, onlyOther, read, flags };
}

describe('a file of yours that git was told not to look at', () => {
  it.each(CASES)('(%s, %s) stays as it is when git dies in the middle of the merge', async (mark, _, text) => {
    const { here, repository, base, both, read, flags } = await withUnseen(mark, text);
    const before = flags();
    gitThatDies(here.root, 'printf "new\\nn" > other.txt');
    expect((await repository.land(MAIN, base, both)).ok).toBe(false);
    expect([read('other.txt'), read('own.txt'), flags()]).toEqual(['old\n', text, before]);
    expect(here.git('rev-parse', MAIN)).toBe(base);
  });

  it.each(CASES)('(%s, %s) stays as it is when git refuses the merge', async (mark, _, text) => {
    const { here, repository, base, both, read, flags } = await withUnseen(mark, text);
    const before = flags();
    gitThatDies(here.root, 'echo "fatal: no" >&2');
    expect((await repository.land(MAIN, base, both)).ok).toBe(false);
    expect([read('other.txt'), read('own.txt'), flags()]).toEqual(['old\n', text, before]);
  });

  it.each(CASES)('(%s, %s) is not written over by a merge, unless it is as git knows it', async (mark, how, text) => {
    const { here, repository, base, both, read } = await withUnseen(mark, text);
    const landed = await repository.land(MAIN, base, both);
    if (landed.ok) {
      expect(['as it was', 'gone']).toContain(how);
      expect([here.git('rev-parse', MAIN), read('other.txt')]).toEqual([both, 'new\nnew\n']);
    } else {
      expect(landed.why.reason).toContain('own.txt');
      expect([here.git('rev-parse', MAIN), read('other.txt'), read('own.txt')]).toEqual([base, 'old\n', text]);
    }
  });

  it.each(CASES)('(%s, %s) is in nobody’s way where the merge has nothing of it', async (mark, _, text) => {
    const { here, repository, base, onlyOther, read, flags } = await withUnseen(mark, text);
    const before = flags();
    expect(await repository.land(MAIN, base, onlyOther)).toEqual({ ok: true, value: undefined });
    expect(here.git('rev-parse', MAIN)).toBe(onlyOther);
    expect([read('other.txt'), read('own.txt'), flags()]).toEqual(['new\nnew\n', text, before]);
  });
});
