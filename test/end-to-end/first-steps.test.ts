import { cpSync, renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { aFactory, eventually } from '../support/factory.ts';

test('watch and status of a repository that was never set up name the next command, and so does their end', async () => {
  const factory = await aFactory();
  const dog = await factory.watch();
  const steps = ['Run `andon init` to set this up.', 'No task waits. Run `andon new` to add one.'];
  await dog.until('andon new');
  for (const step of steps) expect(dog.output()).toContain(step);
  const { stdout } = await factory.andon('status');
  for (const step of steps) expect(stdout).toContain(step);
  expect((await dog.stop()).stdout).toContain('Open tasks are kept. Run `andon watch` to go on.');
});

test('status of a repository with a gate and a waiting contract names neither init nor new', async () => {
  const factory = await aFactory({ projectConfig: { gates: [{ name: 'test', run: 'true' }] } });
  factory.drop({}, 'queue/A.json');
  const { stdout } = await factory.andon('status');
  expect(stdout).toContain('No task is on the line.');
  expect(stdout).not.toMatch(/andon init|andon new/);
});

test('the end of a watch names the folders that were given to it', async () => {
  const factory = await aFactory();
  const other = `${factory.folder}/its copy`;
  cpSync(factory.repo, other, { recursive: true });
  const dog = factory.startWarm(['watch', '.', '../its copy'], factory.repo);
  await eventually(() => dog.output().split('(cage').length > 2, 'it watches both');
  dog.signal('SIGINT');
  expect((await dog.ended).stdout).toContain("Run `andon watch . '../its copy'` to go on.");
});

test('of several repositories one that goes away is named and left alone, and the others go on', async () => {
  const factory = await aFactory();
  const other = `${factory.folder}/its copy`;
  cpSync(factory.repo, other, { recursive: true });
  const dog = factory.startWarm(['watch', '../its copy', '.'], factory.repo);
  await eventually(() => dog.output().split('(cage').length > 2, 'it watches both');
  renameSync(other, `${factory.folder}/elsewhere`);
  await eventually(() => dog.output().includes(`${other} is not watched any more: `), 'it is named');
  factory.drop({}, 'TASK_CONTRACT.json');
  await eventually(() => dog.output().includes('refused'), 'the other one is still read');
  dog.signal('SIGINT');
  const { code, stdout } = await dog.ended;
  expect([code, stdout]).toEqual([1, expect.stringContaining('Open tasks are kept.')]);
});

test('of several folders one that cannot be found is named, and the others are watched; alone it is refused', async () => {
  const factory = await aFactory();
  const dog = factory.startWarm(['watch', '../gone', '.'], factory.repo);
  await eventually(() => dog.output().includes(`watches ${factory.repo}`), 'the other one is watched');
  expect(dog.output()).toContain('../gone is left out: ');
  dog.signal('SIGINT');
  expect((await dog.ended).code).toBe(1);
  const rehearsal = await factory.andon('watch', '--dry-run', '../gone', '.');
  expect([rehearsal.code, rehearsal.stdout]).toEqual([1, expect.stringContaining('no contract waits')]);
  expect((await factory.andon('watch', '../gone')).code).toBe(2);
});
