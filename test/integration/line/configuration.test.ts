import { expect, test } from 'vitest';
import { PlaceConfiguration } from '../../../src/line/services/configuration.ts';
import { aRepository } from '../project/git/a-repository.ts';

const CONFIG = '.andon/config.yaml';

test('where a configuration is broken, the last one of the branch stays in force, not that of an older task', async () => {
  const { root, write, commit, open } = aRepository({ [CONFIG]: 'gates: [{ name: test, run: "true" }]\n' });
  const repository = await open();
  let user = 'second_look: on\n';
  const parts = { agents: {}, cage: {} };
  const configuration = new PlaceConfiguration(
    { facts: { root }, userConfig: 'config.yaml' } as never,
    repository,
    { text: () => user, fault: () => undefined } as never,
    {
      make: () => parts as never,
      first: { settings: { roles: {} }, profiles: { profiles: [] }, project: {}, ...parts } as never,
      say: () => {},
    },
  );
  const gatesAt = async (of: string): Promise<readonly string[]> =>
    (await configuration.at({ ref: 'refs/heads/main', commit: of })).settings.gates.map(({ name }) => name);
  const before = (await repository.resolve('refs/heads/main')) ?? '';
  expect(await gatesAt(before)).toEqual(['test']);
  write(CONFIG, 'gates: [{ name: test, run: "true" }, { name: audit, run: "true" }]\n');
  expect(await gatesAt(commit())).toEqual(['test', 'audit']);
  user = 'second_look: off\n'; // read anew for every commit
  expect(await gatesAt((await repository.resolve('refs/heads/main')) ?? '')).toEqual(['test', 'audit']);
  expect(await gatesAt(before)).toEqual(['test']);
  write(CONFIG, 'gates: [ {\n');
  expect(await gatesAt(commit())).toEqual(['test', 'audit']);
});
