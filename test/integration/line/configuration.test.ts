import { expect, test } from 'vitest';
import { PlaceConfiguration } from '../../../src/line/services/configuration.ts';
import { describeConfigurationGaps } from '../../../src/line/services/configuration-gaps.ts';
import { aRepository } from '../project/git/a-repository.ts';

const CONFIG = '.andon/config.yaml';

/** The configuration of a place, as a line keeps it. */
async function aConfiguration(text: string) {
  const { root, open, ...here } = aRepository({ [CONFIG]: text });
  const repository = await open();
  const user = { text: 'second_look: on\n' };
  const parts = { agents: {}, cage: {} };
  const configuration = new PlaceConfiguration(
    { facts: { root }, userConfig: 'config.yaml' } as never,
    repository,
    { text: () => user.text, fault: () => undefined } as never,
    {
      make: () => parts as never,
      first: { settings: { roles: {} }, profiles: { profiles: [] }, project: {}, ...parts } as never,
      say: () => {},
    },
  );
  return { ...here, repository, configuration, user };
}

test('where a configuration is broken, the last one of the branch stays in force, not that of an older task', async () => {
  const { write, commit, repository, configuration, user } = await aConfiguration(
    'gates: [{ name: test, run: "true" }]\n',
  );
  const gatesAt = async (of: string): Promise<readonly string[]> =>
    (await configuration.at({ ref: 'refs/heads/main', commit: of })).settings.gates.map(({ name }) => name);
  const before = (await repository.resolve('refs/heads/main')) ?? '';
  expect(await gatesAt(before)).toEqual(['test']);
  write(CONFIG, 'gates: [{ name: test, run: "true" }, { name: audit, run: "true" }]\n');
  expect(await gatesAt(commit())).toEqual(['test', 'audit']);
  user.text = 'second_look: off\n'; // read anew for every commit
  expect(await gatesAt((await repository.resolve('refs/heads/main')) ?? '')).toEqual(['test', 'audit']);
  expect(await gatesAt(before)).toEqual(['test']);
  write(CONFIG, 'gates: [ {\n');
  expect(await gatesAt(commit())).toEqual(['test', 'audit']);
});

test.each([
  [
    'HEAD is detached',
    ['checkout', '--detach'],
    'no branch decides for the line: HEAD is detached and no target branch',
  ],
  [
    'HEAD is on no branch yet',
    ['checkout', '--orphan', 'new'],
    'no branch decides for the line: there is no branch new',
  ],
  [
    'nothing is committed',
    ['update-ref', '-d', 'refs/heads/main'],
    'not committed on any branch, so it does not count',
  ],
])('where no target is found the cause is told: %s', async (_, args, says) => {
  const { root, git, open } = aRepository({ [CONFIG]: 'gates: []\n' });
  git(...args);
  const repository = await open();
  const target = await repository.target(undefined);
  const why = target.ok ? undefined : target.why;
  const gaps = await describeConfigurationGaps(root, repository, undefined, () => expect.unreachable(), why);
  expect(gaps).toEqual([expect.stringContaining(says)]);
});

test('a line that is watched names the newest cause why no branch decides', async () => {
  const { git, configuration } = await aConfiguration('gates: []\n');
  const gaps = async (...args: string[]): Promise<string> => {
    git(...args);
    await configuration.refresh();
    return configuration.gaps().join('\n');
  };
  expect(await gaps('checkout', '--quiet', '--detach')).toContain('HEAD is detached and no target branch');
  expect(await gaps('checkout', '--quiet', '--orphan', 'new')).toContain('there is no branch new');
  expect(await gaps('symbolic-ref', 'HEAD', 'refs/heads/other')).toContain('there is no branch other');
});
