import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Repository } from '../../../../src/project/git/git-repository.ts';
import { aRepository, plan, put, type Here } from './a-repository.ts';

const PATTERNS = ['^Task: ', '^Seal: '];
const receipt = (task: string): string => `Merge ${task}\n\nwords\n\nTask: ${task}\nSeal: 1`;

describe('the commits that a history is searched for', () => {
  const aHistory = async () => {
    const here: Here = aRepository();
    const repository = await here.open();
    const search = async (tip: string): Promise<readonly (string | undefined)[]> =>
      (await repository.searchHistory({ ref: 'refs/heads/main', commit: tip }, PATTERNS)).map(
        ({ trailers }) => /^Task: (.*)/.exec(trailers)?.[1],
      );
    return { here, repository, search };
  };

  it('are those of every tip, wherever it moves: on, back, aside and together', async () => {
    const { here, search } = await aHistory();
    const first = here.commit(receipt('A'));
    expect(await search(first)).toEqual(['A']);
    here.commit('Task: none\n\nno seal');
    const second = here.commit(receipt('B'));
    expect(await search(second)).toEqual(['B', 'A']);
    expect(await search(first)).toEqual(['A']);
    here.git('checkout', '--quiet', '-b', 'side', first);
    const aside = here.commit(receipt('C'));
    expect(await search(second)).toEqual(['B', 'A']);
    expect(await search(aside)).toEqual(['C', 'A']);
    here.git('merge', '--quiet', '--no-ff', '--message', 'both', second);
    expect(new Set(await search(here.git('rev-parse', 'HEAD')))).toEqual(new Set(['A', 'B', 'C']));
  });

  it('are found again when git has lost the last tip', async () => {
    const { here, search } = await aHistory();
    const first = here.commit(receipt('A'));
    const lost = here.commit(receipt('B'));
    expect(await search(lost)).toEqual(['B', 'A']);
    here.git('reset', '--quiet', '--hard', first);
    here.git('reflog', 'expire', '--expire=now', '--all');
    here.git('gc', '--quiet', '--prune=now');
    expect(await search(first)).toEqual(['A']);
  });

  it('are known without git where andon built the tip on top of the last one', async () => {
    const { here, repository, search } = await aHistory();
    const base = here.commit(receipt('A'));
    expect(await search(base)).toEqual(['A']);
    const work = await repository.build([put('new.md', 'x\n')], plan(base));
    const merge = await repository.commitTree(work.tree, { ...plan(base, work.commit), message: `${receipt('B')}\n` });
    expect(await search(merge)).toEqual(['B', 'A']); // git does not have it: it was not handed over
    const next = await repository.build([put('next.md', 'x\n')], plan(base)); // as a task that began before the merge
    const last = await repository.commitTree(next.tree, { ...plan(merge, next.commit), message: `${receipt('C')}\n` });
    expect(await search(last)).toEqual(['C', 'B', 'A']);
  });

  it('stay known of every branch when the repository is opened again', async () => {
    const { here, repository } = await aHistory();
    const find = (from: Repository, ref: string, commit: string) =>
      from.searchHistory({ ref, commit }, PATTERNS).then((found) => found.map((one) => one.commit));
    const [first, second] = [here.commit(receipt('A')), here.commit(receipt('B'))];
    expect(await find(repository, 'refs/heads/main', second)).toEqual([second, first]);
    expect(await find(repository, 'refs/heads/side', first)).toEqual([first]);
    const again = await here.open();
    rmSync(here.path('.git/objects'), { recursive: true }); // so that git can answer nothing
    expect(await find(again, 'refs/heads/main', second)).toEqual([second, first]);
    expect(await find(again, 'refs/heads/side', first)).toEqual([first]);
  });
});
