/** @module-tag thorough */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';

/** What a task takes without gates: one list of the base, what it is asked for, one diff, two moves of refs, the merge, and what git says of signatures before and at it. */
const GITS = 16;
/** The files that are told, those above what is written, and what the reviewer looks into. */
const READS = 3;

/** Every git that is started in this world from now on, by its words without settings. */
function gitsOf(factory: Factory): () => readonly string[] {
  const real = execFileSync('sh', ['-c', 'command -v git'], { env: factory.env }).toString().trim();
  const [folder, log] = [join(factory.folder, 'bin'), join(factory.folder, 'gits')];
  mkdirSync(folder);
  writeFileSync(join(folder, 'git'), `#!/bin/sh\necho "$@" >>'${log}'\nexec '${real}' "$@"\n`);
  chmodSync(join(folder, 'git'), 0o755);
  factory.env['PATH'] = [folder, factory.env['PATH']].join(delimiter);
  return () =>
    (existsSync(log) ? readFileSync(log, 'utf8') : '')
      .split('\n')
      .filter((row) => row !== '')
      .map((row) => row.replaceAll(/-c \S+ /g, ''));
}

test('a task from its contract to its merge starts few gits, and asks for a tree it knows no second time', async () => {
  const factory = await aFactory();
  const gits = gitsOf(factory);
  const dog = await factory.watch();
  const begun = gits().length;
  factory.drop(aContract());
  expect(await factory.end(dog)).toBe('merged');
  const asked = gits().slice(begun);
  expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(GITS);
  expect(asked.filter((words) => words === 'cat-file --batch').length, asked.join('\n')).toBeLessThanOrEqual(READS);
});

test('status asks git about a commit once, and about the next one again', async () => {
  const factory = await aFactory();
  const gits = gitsOf(factory);
  const said = async (): Promise<{ readonly words: string; readonly asked: readonly string[] }> => {
    const before = gits().length;
    const { code, stdout } = await factory.andon('status');
    expect(code).toBe(0);
    return { words: stdout, asked: gits().slice(before) };
  };
  factory.write('.andon/rules/mine.yaml', 'rules: []\n');
  const first = await said();
  expect(first.words).toContain('.andon/rules/mine.yaml');
  expect(first.asked).not.toEqual([]);
  expect(await said()).toEqual({ words: first.words, asked: [] });
  factory.git('add', '.andon/rules/mine.yaml');
  factory.git('commit', '--quiet', '--message', 'rules');
  const after = await said();
  expect(after.words).not.toContain('mine.yaml');
  expect(after.asked).not.toEqual([]);
  expect(await said()).toEqual({ words: after.words, asked: [] });
  factory.write('.andon/rules/mine.yaml', 'rules: [] # changed\n');
  expect((await said()).words).toContain('.andon/rules/mine.yaml');
});
