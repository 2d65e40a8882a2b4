/** @module-tag thorough */
import { execFileSync } from 'node:child_process';
import { appendFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStage } from '../../../scripts/soak/stage.ts';
import { look } from '../../../scripts/soak/storm/look.ts';
import { Seeded } from '../../../scripts/soak/storm/seeded.ts';
import { User } from '../../../scripts/soak/storm/user.ts';

/** A repository whose user has edited and committed, and what a checkpoint says of it. */
async function aftermath() {
  const stage = await openStage(1, undefined);
  onTestFinished(() => stage.close());
  const [folder = ''] = stage.folders;
  const user = new User(folder, stage.env, new Seeded(1));
  expect([user.edit(), user.commit()]).toEqual([true, true]);
  return {
    path: (name: string): string => join(folder, name),
    git: (...args: string[]): unknown => execFileSync('git', args, { cwd: folder, env: stage.env, stdio: 'pipe' }),
    wrong: async (): Promise<string> => (await look(stage, [user], { numbers: [0], isEnd: false })).wrong.join('\n'),
  };
}

describe('a checkpoint of the storm', () => {
  test('finds nothing where everything is as the user left it', async () => {
    expect(await (await aftermath()).wrong()).toBe('');
  });

  test('finds an uncommitted edit that is gone', async () => {
    const { path, wrong } = await aftermath();
    for (const name of readdirSync(path('mine'))) rmSync(path(`mine/${name}`));
    expect(await wrong()).toContain('an uncommitted edit is gone');
  });

  test('finds a commit of the user that the target has lost', async () => {
    const { git, wrong } = await aftermath();
    git('reset', '--quiet', '--soft', 'HEAD~1');
    expect(await wrong()).toContain('of the user is not on main');
  });

  test('finds a file that a merge left half written, and a lock that git left', async () => {
    const { path, wrong } = await aftermath();
    writeFileSync(path('notes/0.txt'), '');
    appendFileSync(path('.git/index.lock'), '');
    expect(await wrong()).toMatch(/notes\/0\.txt is not as its commit has it[^]*index\.lock was left/);
  });
});

test('the same seed is the same weather', () => {
  const [one, other, third] = [new Seeded(7), new Seeded(7), new Seeded(8)];
  const numbers = (seeded: Seeded): readonly number[] => Array.from({ length: 20 }, () => seeded.below(100));
  expect(numbers(one)).toEqual(numbers(other));
  expect(numbers(third)).not.toEqual(numbers(new Seeded(7)));
});
