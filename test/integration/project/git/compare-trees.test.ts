import { rmSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { aRepository, plan, put, type Here } from './a-repository.ts';

const BOUNDS = { largest: 1000, most: 10_000, also: (path: string) => path === 'rules.yaml' };
const FILES = {
  'README.md': '# Project\n',
  'rules.yaml': 'rules: []\n',
  'old name.md': 'line\n'.repeat(20),
  'zz\n"z.md': 'z\n',
  'gone.md': 'gone\n',
};

/** A repository in which one commit came after the first, and both compared. */
async function compared(change: (here: Here) => void, bounds = BOUNDS) {
  const here = aRepository(FILES);
  const from = here.git('rev-parse', 'HEAD');
  change(here);
  const to = here.commit();
  const repository = await here.open();
  return { here, from, to, repository, found: await repository.compare(from, to, bounds) };
}

const texts = (contents: ReadonlyMap<string, Uint8Array>): Record<string, string> =>
  Object.fromEntries([...contents].map(([path, bytes]) => [path, Buffer.from(bytes).toString()]));

describe('two commits that are compared', () => {
  it('are listed, shown and read as git does it, after every kind of change', { tags: 'thorough' }, async () => {
    const { here, from, to, found, repository } = await compared((here) => {
      here.write('README.md', '# Project, changed\n');
      here.write('new.md', 'diff --git a/x b/x\n+no addition\n');
      here.write('zz\n"z.md', 'changed\n');
      here.write('bin', 'a\0b\n');
      here.git('mv', 'old name.md', 'new name.md');
      rmSync(here.path('gone.md'));
      symlinkSync('README.md', here.path('link'));
    });
    expect(`${found.patch?.trimEnd()}`).toBe(
      here.git('-c', 'core.quotePath=false', 'diff-tree', '-r', '-p', '-M', from, to),
    );
    const fresh = await here.open(); // knows nothing yet, so that git lists both
    expect(found.before).toEqual(await fresh.files(from));
    expect(found.after).toEqual(await fresh.files(to));
    expect(await repository.files(to)).toEqual(found.after);
    expect(texts(found.contents)).toEqual({
      'README.md': '# Project, changed\n',
      'new.md': 'diff --git a/x b/x\n+no addition\n',
      'zz\n"z.md': 'changed\n',
      bin: 'a\0b\n',
      'new name.md': FILES['old name.md'],
      link: 'README.md',
    });
  });

  it('that are the same differ in nothing', async () => {
    const { found } = await compared(() => {});
    expect(found).toMatchObject({ patch: '', contents: new Map() });
    expect(found.after).toEqual(found.before);
  });

  it('show a file that is too large as a binary one, by its size alone', async () => {
    const { found } = await compared((here) => here.write('large.md', 'x\n'.repeat(501)));
    expect(found.patch).toMatch(/Binary files \/dev\/null and b\/large\.md differ\n$/);
    expect(found.after.find(({ path }) => path === 'large.md')?.size).toBe(1002);
    expect(found.contents.size).toBe(0);
  });

  it('are not read further than was said, and every size is known all the same', async () => {
    const { found } = await compared(
      (here) => {
        for (const name of ['a', 'b', 'c']) here.write(name, name.repeat(900));
      },
      { ...BOUNDS, most: 2000 },
    );
    expect([...found.contents.keys()]).toEqual(['a', 'b']);
    expect(found.after.find(({ path }) => path === 'c')?.size).toBe(900);
  });

  it('that differ far too much have no patch, but for what only goes', async () => {
    const much = (here: Here): void => {
      for (let at = 0; at < 50; at += 1) here.write(`much/${at}`, 'xy\n'.repeat(300));
    };
    const { found, here, to, repository } = await compared(much);
    expect(found).toMatchObject({ patch: undefined, contents: new Map() });
    expect(found.after.filter(({ path }) => path.startsWith('much/'))).toHaveLength(50);
    here.git('rm', '-r', '--quiet', 'much');
    const { patch } = await repository.compare(to, here.commit(), BOUNDS);
    expect(patch?.match(/^deleted file mode/gm)).toHaveLength(50);
    expect(patch).not.toContain('-xy');
  });

  it('are the same where the difference is known already', async () => {
    const here = aRepository(FILES);
    const from = here.git('rev-parse', 'HEAD');
    const repository = await here.open();
    const { commit } = await repository.build([put('README.md', '# Other\n'), put('new.md', 'new\n')], plan(from));
    await repository.diff(from, commit);
    const known = await repository.compare(from, commit, BOUNDS);
    const asked = await (await here.open()).compare(from, commit, BOUNDS);
    expect({ ...known, contents: texts(known.contents) }).toEqual({ ...asked, contents: texts(asked.contents) });
    expect(texts(known.contents)).toMatchObject({ 'README.md': '# Other\n', 'new.md': 'new\n' });
  });
});
