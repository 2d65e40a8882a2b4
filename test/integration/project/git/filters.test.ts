import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aRepository, type Here } from './a-repository.ts';

const RULES = '*.ipynb filter=strip\nkept.ipynb -filter\n';

const PLACES: readonly (readonly [string, (here: Here) => void])[] = [
  [
    '.gitattributes',
    (here) => {
      here.write('.gitattributes', RULES);
      here.commit();
    },
  ],
  [
    '.git/info/attributes',
    (here) => {
      mkdirSync(here.path('.git/info'), { recursive: true });
      here.write('.git/info/attributes', RULES);
    },
  ],
  [
    'a file that core.attributesFile names',
    (here) => {
      const file = join(dirname(here.root), 'attributes');
      writeFileSync(file, RULES);
      here.git('config', 'core.attributesFile', file);
    },
  ],
];

describe('a filter of git', () => {
  test.each(PLACES)('is known from %s', async (_, write) => {
    const here = aRepository({ 'n.ipynb': '{}\n', 'kept.ipynb': '{}\n', 'a.md': 'one\n' });
    write(here);
    const repository = await here.open();
    const found = await repository.filtered(here.git('rev-parse', 'HEAD'), [
      'n.ipynb',
      'kept.ipynb',
      'a.md',
      'new.ipynb',
    ]);
    expect([...found]).toEqual([
      ['n.ipynb', 'strip'],
      ['new.ipynb', 'strip'],
    ]);
  });

  test('of the repository is known though the tree unsets it, and by a macro of another file', async () => {
    const here = aRepository({ 'secret.txt': 'one\n', 'n.ipynb': '{}\n', '.gitattributes': '*.txt text -filter\n' });
    const file = join(dirname(here.root), 'attributes');
    writeFileSync(file, '[attr]stripped filter=strip\n');
    here.git('config', 'core.attributesFile', file);
    mkdirSync(here.path('.git/info'), { recursive: true });
    here.write('.git/info/attributes', 'secret.txt filter=crypt\n*.ipynb stripped\n');
    const repository = await here.open();
    const found = await repository.filtered(here.git('rev-parse', 'HEAD'), ['secret.txt', 'n.ipynb']);
    expect(Object.fromEntries(found)).toEqual({ 'n.ipynb': 'strip', 'secret.txt': 'crypt' });
  });

  test('is known where the repository gives the meaning to a word of the tree', async () => {
    const here = aRepository({ 'a.key': 'one\n', '.gitattributes': '*.key secret\n' });
    mkdirSync(here.path('.git/info'), { recursive: true });
    here.write('.git/info/attributes', '[attr]secret filter=crypt\n');
    here.git('config', 'core.attributesFile', '');
    const repository = await here.open();
    const found = await repository.filtered(here.git('rev-parse', 'HEAD'), ['a.key']);
    expect([...found]).toEqual([['a.key', 'crypt']]);
  });

  test('is none where nothing names one', async () => {
    const here = aRepository({ 'n.ipynb': '{}\n' });
    const repository = await here.open();
    expect((await repository.filtered(here.git('rev-parse', 'HEAD'), ['n.ipynb'])).size).toBe(0);
  });
});
