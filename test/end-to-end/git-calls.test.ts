import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';

/** What a task takes without gates: one list of the base, what it is asked for, three diffs, two moves of refs, the merge, and what git says of signatures before and at it. */
const GITS = 20;
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
