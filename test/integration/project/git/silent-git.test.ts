import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { aRepository, gitThatDies, plan, put } from './a-repository.ts';

afterEach(() => vi.unstubAllEnvs());

describe('a git that dies in the middle of a merge without a word', () => {
  it.each([
    ['ends with a code', 'exit 128', 'git ended with 128'],
    ['is killed', 'kill -9 $$', 'git was killed'],
  ])('and %s has merged nothing: what it had written is put back', async (_, end, said) => {
    const here = aRepository({ 'a.txt': 'old\n' });
    const repository = await here.open();
    const base = here.git('rev-parse', 'HEAD');
    const { commit } = await repository.build([put('a.txt', 'new\nnew\n')], plan(base));
    await repository.publish([{ ref: 'refs/andon/A/1', old: undefined, to: commit }]);
    gitThatDies(here.root, 'printf "new\\nn" > a.txt', end);
    expect(await repository.land('refs/heads/main', base, commit)).toEqual({ ok: false, why: { reason: said } });
    expect(readFileSync(here.path('a.txt'), 'utf8')).toBe('old\n');
    expect(here.git('rev-parse', 'main')).toBe(base);
  });
});
