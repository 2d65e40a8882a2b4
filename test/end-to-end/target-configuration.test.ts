import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually } from '../support/factory.ts';
import { judges } from '../support/scenario.ts';

const ON_MAIN = { 'git.base_branch': 'main' };

/** main has this configuration; the branch `old`, which is checked out, has none. */
async function onOldBranch(config: string) {
  const factory = await aFactory({ commitsConfiguration: false });
  factory.git('branch', 'old');
  factory.write('.andon/config.yaml', config);
  factory.git('add', '.andon');
  factory.git('commit', '--quiet', '--message=Configure andon');
  factory.git('checkout', '--quiet', 'old');
  return factory;
}

describe('the configuration of the target', () => {
  test('decides while another branch is checked out: its gates run, and a required gate is required', async () => {
    const factory = await onOldBranch('require_gates: true\n');
    const dog = await factory.begin(aContract(ON_MAIN));
    await dog.until(() => factory.paper('CONTRACT_REJECTED.md') !== undefined);
    expect(factory.paper('CONTRACT_REJECTED.md')).toContain('require_gates');

    const ran = join(factory.folder, 'ran');
    factory.git('checkout', '--quiet', 'main');
    factory.write('.andon/config.yaml', `require_gates: true\ngates: [{ name: seen, run: "touch ${ran}" }]\n`);
    factory.git('commit', '--quiet', '--all', '--message=Add a gate');
    factory.git('checkout', '--quiet', 'old');
    factory.drop(aContract({ ...ON_MAIN, priority: 1 }));
    await dog.until(() => factory.isMerged());
    expect(existsSync(ran)).toBe(true);
    expect(await factory.story()).toContain('the checkout differs from main');
  });

  test('is looked for on the target that is committed, not on the one that the checkout names', async () => {
    const factory = await aFactory({ commitsConfiguration: false });
    factory.git('branch', 'develop');
    factory.write('.andon/config.yaml', 'target: main\n');
    factory.git('add', '.andon');
    factory.git('commit', '--quiet', '--message=Configure andon');
    factory.write('.andon/config.yaml', 'target: develop\n');
    expect((await factory.andon('status')).stdout).toContain('the checkout differs from main');
  });

  test(
    'counts once it is committed: an edit is reported, and a commit needs no restart',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory({
        projectConfig: { gates: [{ name: 'ok', run: 'true' }] },
        commitsConfiguration: false,
      });
      const dog = await factory.watch();
      factory.write('.andon/config.yaml', 'gates: [{ name: never, run: "false" }]\n');
      await dog.until(/the checkout differs from main \([0-9a-f]{7}\), .* in \.andon\/config\.yaml; commit/);
      expect((await factory.andon('status')).stdout).toContain('the checkout differs from main');
      factory.drop(aContract());
      expect(await factory.end(dog)).toBe('merged');
      factory.git('commit', '--quiet', '--all', '--message=Never green');
      factory.drop(aContract({ task_id: 'DOC-002' }));
      await dog.until(() => factory.isHalted());
      expect(factory.breaker()).toBe('base_red');
      expect((await factory.andon('status')).stdout).not.toContain('the checkout differs');
    },
  );

  test(
    'that is not committed counts in a trial, which watch, status and the merge say',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory({ commitsConfiguration: false });
      const ran = join(factory.folder, 'ran');
      factory.write('.andon/config.yaml', `gates: [{ name: seen, run: "touch ${ran}" }]\n`);
      const dog = await factory.watch('--working-config');
      expect(dog.output()).toContain('--working-config');
      expect((await factory.andon('status')).stdout).toContain('--working-config');
      factory.drop(aContract());
      expect(await factory.end(dog)).toBe('merged');
      expect(existsSync(ran)).toBe(true);
      expect(factory.git('log', '-1', '--format=%B', factory.merges()[0] ?? '')).toContain('Andon-Configuration: ');
    },
  );

  test(
    'decides anew when it changes while a task runs: what is protected now is not merged',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory({
        projectConfig: {},
        files: { '.andon/config.yaml': 'gates: []\n' },
        scenario: { judge: [judges('PASS', {}, { does: [{ touch: 'judging' }, { 'wait-for': 'committed' }] })] },
      });
      const dog = await factory.begin(aContract(), 'judging');
      factory.write('.andon/config.yaml', 'protected_paths: ["docs/auth_final.md"]\n');
      factory.signal.give('committed');
      await dog.until(() => factory.isHalted());
      expect(factory.paper('ERIK_HALT.md')).toContain('protects docs/auth_final.md');
      expect(factory.merges()).toEqual([]);
    },
  );

  test(
    'with a fault stays as it was while it runs, and status says so with file and fault',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory({ projectConfig: { gates: [{ name: 'ok', run: 'true' }] } });
      const dog = await factory.watch();
      factory.write('.andon/config.yaml', 'gates: nothing\n');
      await dog.until(/the configuration of main \([0-9a-f]{7}\) cannot be read: .*\.andon\/config\.yaml/);
      expect((await factory.andon('status')).stdout).toContain('the one before it stays in force');
      const user = join(factory.folder, 'config/andon/config.yaml');
      writeFileSync(user, 'cage: nothing\n');
      await dog.until(/your configuration stays as it was/);
      await eventually(
        async () => (await factory.andon('status')).stdout.includes('your configuration on disk is not in force'),
        'status tells it',
      );
      expect((await factory.andon('doctor', '--no-gates')).stderr).toContain('the one before it stays in force');
      factory.drop(aContract());
      expect(await factory.end(dog)).toBe('merged');
    },
  );
});
