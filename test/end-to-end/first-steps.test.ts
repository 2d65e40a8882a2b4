import { expect, test } from 'vitest';
import { aFactory } from '../support/factory.ts';

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
