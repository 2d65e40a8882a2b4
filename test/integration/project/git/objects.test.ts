import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from '../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import type { FileWrite } from '../../../../src/base/changed-file.ts';
import { aRepository, drop, plan, put, type Here } from './a-repository.ts';

const TASK = 'refs/heads/task/DOC-001';
const OLD = { 'a.md': '1\n', 'a/b/c.md': '2\n', 'a-b': '3\n', 'ab/c.md': '4\n', 'é/ü': '5\n', 'z\nz/y': '6\n' };

/** The commit that git itself makes of the same changes. */
function byGit(here: Here, changes: readonly FileWrite[], parent: string): string {
  const quoted = (path: string): string => JSON.stringify(path).replaceAll('\\\\', '\\');
  const rows = changes.map((change) =>
    change.content === null
      ? `D ${quoted(change.path)}\n`
      : `M ${change.mode} inline ${quoted(change.path)}\ndata ${change.content.length}\n${Buffer.from(change.content).toString()}\n`,
  );
  const who = 'andon <andon@localhost> 1768564800 +0000';
  const head = `commit refs/test\nauthor ${who}\ncommitter ${who}\ndata 9\nby andon\nfrom ${parent}\n`;
  const input = `feature done\n${head}${rows.join('')}done\n`;
  execFileSync('git', ['fast-import', '--quiet', '--force', '--done'], { cwd: here.root, input });
  return here.git('rev-parse', 'refs/test');
}

const place = fc
  .array(fc.constantFrom('a', 'a.md', 'b', 'a-b', 'ab', 'é', 'ü', 'z\nz', '💥', 'c.md'), { minLength: 1, maxLength: 3 })
  .map((names) => names.join('/'));
const change = fc.oneof(
  fc
    .tuple(place, fc.constantFrom('x\n', ''), fc.constantFrom('100644' as const, '100755' as const))
    .map((one) => put(...one)),
  place.map(drop),
);

describe('the objects of a change', () => {
  it('are those that git makes of it, whatever takes the place of what', { tags: 'thorough' }, async () => {
    const here = aRepository(OLD);
    const repository = await here.open();
    const base = here.git('rev-parse', 'HEAD');
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
        expect((await repository.build(changes, plan(base))).commit).toBe(byGit(here, changes, base));
      }),
      { numRuns: 40 },
    );
    expect(here.git('fsck', '--strict', '--no-dangling')).toBe('');
  });

  it('are made in a repository with longer ids as well', async () => {
    const here = aRepository();
    rmSync(here.path('.git'), { recursive: true });
    here.git('init', '--quiet', '--initial-branch=main', '--object-format=sha256');
    const base = here.commit();
    const repository = await here.open();
    const { commit } = await repository.build([put('docs/a.md', 'task\n')], plan(base));
    expect((await repository.publish([{ ref: TASK, old: undefined, to: commit }])).ok).toBe(true);
    expect(here.git('show', `${TASK}:docs/a.md`)).toBe('task');
    expect(here.git('fsck', '--strict', '--no-dangling')).toBe('');
  });

  it('bring along what an andon before this one built and never handed over', async () => {
    const here = aRepository();
    const base = here.git('rev-parse', 'HEAD');
    const first = await (await here.open()).build([put('docs/a.md', 'first\n')], plan(base));
    const repository = await here.open();
    const second = await repository.build([put('docs/b.md', 'second\n')], plan(first.commit));
    expect((await repository.publish([{ ref: TASK, old: undefined, to: second.commit }])).ok).toBe(true);
    rmSync(join(dirname(here.root), 'state'), { recursive: true });
    expect(here.git('show', `${TASK}:docs/a.md`)).toBe('first');
    expect(here.git('fsck', '--strict', '--no-dangling')).toBe('');
  });

  it('bring along what an earlier change, which was not handed over, had already written', async () => {
    const here = aRepository();
    const repository = await here.open();
    const base = here.git('rev-parse', 'HEAD');
    await repository.build([put('docs/a.md', 'same\n'), put('out.md', 'strayed\n')], plan(base));
    const { commit } = await repository.build([put('docs/a.md', 'same\n')], plan(base));
    expect((await repository.publish([{ ref: TASK, old: undefined, to: commit }])).ok).toBe(true);
    rmSync(join(dirname(here.root), 'state'), { recursive: true });
    expect(here.git('show', `${TASK}:docs/a.md`)).toBe('same');
  });

  it('are looked at by git itself where git would obey them', async () => {
    const here = aRepository();
    const repository = await here.open();
    const base = here.git('rev-parse', 'HEAD');
    const evil = '[submodule "x"]\n\tpath = x\n\turl = -u./payload\n';
    const { commit } = await repository.build([put('.gitmodules', evil)], plan(base));
    expect((await repository.publish([{ ref: TASK, old: undefined, to: commit }])).ok).toBe(false);
    expect(here.git('for-each-ref', TASK)).toBe('');
  });

  it('leave no half of one behind, and are read-only as git’s own', async () => {
    const here = aRepository();
    const repository = await here.open();
    const { commit } = await repository.build([put('docs/a.md', 'x\n')], plan(here.git('rev-parse', 'HEAD')));
    await repository.publish([{ ref: TASK, old: undefined, to: commit }]);
    const objects = here.path('.git/objects');
    expect(statSync(join(objects, commit.slice(0, 2), commit.slice(2))).mode & 0o777).toBe(0o444);
    const all = readdirSync(objects, { recursive: true, encoding: 'utf8' });
    expect(all.filter((name) => name.includes('tmp'))).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0)('are refused in git’s own words where nothing may be written', async () => {
    const here = aRepository();
    const repository = await here.open();
    const { commit } = await repository.build([put('docs/a.md', 'x\n')], plan(here.git('rev-parse', 'HEAD')));
    chmodSync(here.path('.git/objects'), 0o555);
    const refused = await repository.publish([{ ref: TASK, old: undefined, to: commit }]);
    chmodSync(here.path('.git/objects'), 0o755);
    expect(refused).toMatchObject({ ok: false, why: expect.stringContaining('git refused the objects') });
  });

  it('lie in the vault alone until they are handed over', async () => {
    const here = aRepository();
    const repository = await here.open();
    mkdirSync(here.path('docs'));
    const { commit } = await repository.build([put('docs/a.md', 'x\n')], plan(here.git('rev-parse', 'HEAD')));
    expect(existsSync(here.path(`.git/objects/${commit.slice(0, 2)}/${commit.slice(2)}`))).toBe(false);
  });
});
