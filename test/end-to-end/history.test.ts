/** @module-tag thorough */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory, type Options } from '../support/factory.ts';
import { hasProgram } from '../support/has-program.ts';
import { FINAL, answerOnce, writes } from '../support/scenario.ts';

const PATH = 'docs/auth_final.md';
/** What every commit of the target must pass. */
const BUILDS = `! grep -q BROKEN ${PATH}`;

/** A task whose first attempt is red; the second one is merged. */
async function twoAttempts(history: object, options: Options = {}): Promise<Factory> {
  const factory = await aFactory({
    ...options,
    projectConfig: { gates: [{ name: 'build', run: BUILDS }], history },
    scenario: { implementer: [answerOnce(writes({ [PATH]: '# BROKEN\n' })), writes({ [PATH]: FINAL })] },
  });
  const contract = aContract({ title: 'One document about authentication' });
  const { dog, status } = await factory.run(contract);
  await dog.stop();
  expect(status).toBe('merged');
  expect(factory.git('show', `refs/andon/DOC-001/1:${PATH}`)).toBe('# BROKEN');
  return factory;
}

const format = (factory: Factory, commit: string, what: string): string =>
  factory.git('log', '-1', `--format=${what}`, commit);

/** Builds every commit that the target has, as `git bisect` may. */
function expectEachBuilds(factory: Factory, commits: number): void {
  const tree = join(factory.folder, 'each');
  const reachable = factory.git('rev-list', 'main').split('\n');
  expect(reachable).toHaveLength(commits);
  for (const commit of reachable) {
    factory.git('worktree', 'add', '--quiet', '--detach', tree, commit);
    execFileSync('sh', ['-c', BUILDS], { cwd: tree, stdio: 'pipe' });
    factory.git('worktree', 'remove', '--force', tree);
  }
}

describe('what lands on the target', () => {
  test('is a merge of one judged commit, and git bisect finds the commit that broke something later', async () => {
    const factory = await twoAttempts({});
    expectEachBuilds(factory, 4);
    const [merge = ''] = factory.merges();
    const first = factory.git('rev-list', '--max-parents=0', 'main');
    expect(format(factory, `${merge}^2`, '%P')).toBe(first);
    expect(format(factory, merge, '%s')).toBe('Merge task/DOC-001: One document about authentication');
    expect(format(factory, `${merge}^2`, '%s')).toBe('One document about authentication');
    expect(format(factory, `${merge}^2`, '%b')).toContain('- Merge both documents into one\n\nAndon-Task: DOC-001');

    factory.write(PATH, `${FINAL}BROKEN\n`);
    factory.git('commit', '--quiet', '--all', '--message=Break it');
    const bad = factory.git('rev-parse', 'main');
    factory.git('bisect', 'start', bad, first);
    expect(factory.git('bisect', 'run', 'sh', '-c', BUILDS)).toContain(`${bad} is the first bad commit`);
    factory.git('bisect', 'reset');
  });

  test('is one commit with the tick in it where the target wants a squash; undo, verify and explain know it', async () => {
    const factory = await twoAttempts({ style: 'squash' });
    expectEachBuilds(factory, 2);
    expect(format(factory, 'main', '%s')).toBe('One document about authentication');
    expect(format(factory, 'main', '%(trailers:only,unfold)')).toMatch(
      /^Andon-Task: DOC-001\nAndon-Attempt: 2\nAndon-Report: sha256-\w{64}\nAndon-Contract: sha256-\w{64}$/,
    );
    expect(factory.git('show', '--format=', '--name-only', 'main')).toBe(`TODO.md\n${PATH}`);
    expect((await factory.show('DOC-001')).merged_as).toBe(factory.git('rev-parse', 'main'));
    for (const command of [['verify'], ['explain', 'DOC-001'], ['diff', 'DOC-001'], ['report', 'DOC-001'], ['digest']])
      expect(await factory.andon(...command), command.join(' ')).toMatchObject({ code: 0, stderr: '' });
    // The next task ticks the item below.
    factory.write('TODO.md', factory.read('TODO.md').replace('[ ] DOC-002', '[x] DOC-002'));
    factory.git('commit', '--quiet', '--all', '--message=Tick the next one');
    expect(await factory.andon('undo', 'DOC-001')).toMatchObject({ code: 0 });
    expect(factory.has(PATH)).toBe(false);
    expect(factory.read('TODO.md')).toContain('- [x] DOC-002');
    expect((await factory.andon('verify')).code).toBe(0);
  });

  test('is one commit without the tick where TODO.md is being edited', async () => {
    const factory = await aFactory({ projectConfig: { history: { style: 'squash' } } });
    const edited = `${factory.read('TODO.md')}mine\n`;
    factory.write('TODO.md', edited);
    expect((await factory.run(aContract())).status).toBe('merged');
    expect(factory.git('show', '--format=', '--name-only', 'main')).toBe(PATH);
    expect(factory.git('rev-list', '--count', 'main')).toBe('2');
    expect(factory.read('TODO.md')).toBe(edited);
  });

  test('is not merged twice where only the trailers of a squash tell of it', async () => {
    const factory = await twoAttempts({ style: 'squash' });
    rmSync(join(factory.folder, 'state'), { recursive: true });
    mkdirSync(join(factory.folder, 'state'));
    for (const ref of factory.git('for-each-ref', '--format=%(refname)', 'refs/andon', 'refs/heads/task').split('\n'))
      factory.git('update-ref', '-d', ref);
    const merge = factory.git('rev-parse', 'main').slice(0, 12);
    const { stderr } = await factory.andon('new', '--id', 'DOC-001', '--allow', 'docs/', '--require', 'Again', '--yes');
    expect(stderr).toContain(`was merged already (${merge})`);
  });

  test('carries the names, the message and the sign-off that the repository asks for', async () => {
    const factory = await twoAttempts({
      author: 'Jo Example <jo@example.org>',
      co_authored_by: ['{agent} ({model}) <agents@example.org>'],
      signed_off_by: true,
      template: '{type}({scope}): {title} ({task_id})',
      scope: 'docs',
    });
    const [merge = ''] = factory.merges();
    const people = '%an <%ae> | %cn <%ce>';
    for (const commit of [merge, `${merge}^2`]) {
      expect(format(factory, commit, people)).toBe('Jo Example <jo@example.org> | Erik <erik@example.org>');
      expect(format(factory, commit, '%(trailers:key=Co-authored-by,valueonly)').trim()).toBe(
        'ollama (qwen2.5-coder) <agents@example.org>',
      );
      expect(format(factory, commit, '%(trailers:key=Signed-off-by,valueonly)').trim()).toBe('Erik <erik@example.org>');
    }
    expect(format(factory, `${merge}^2`, '%s')).toBe('feat(docs): One document about authentication (DOC-001)');
  });

  test('is decided by a configuration that is refused with exit code 2 where it asks for what nobody knows', async () => {
    const factory = await aFactory({ projectConfig: { history: { template: '{ticket}: {title}' } } });
    const { code, stderr } = await factory.andon('status');
    expect(code).toBe(2);
    expect(stderr).toContain('history.template: unknown placeholder {ticket}; known are {title}, {type}');
  });
});

/** Has git sign with a new SSH key, as its user would set it. */
function signWith(factory: Factory, passphrase = ''): void {
  const key = join(factory.folder, 'home', 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-C', 'erik', '-f', key]);
  const signers = join(factory.folder, 'home', 'signers');
  writeFileSync(
    signers,
    `erik@example.org ${execFileSync('ssh-keygen', ['-y', '-P', passphrase, '-f', key]).toString()}`,
  );
  const settings = { 'commit.gpgSign': 'true', 'gpg.format': 'ssh', 'user.signingKey': key };
  for (const [name, value] of Object.entries({ ...settings, 'gpg.ssh.allowedSignersFile': signers }))
    factory.git('config', name, value);
}

describe.skipIf(!hasProgram('ssh-keygen'))('a user whose git signs commits (needs ssh-keygen)', () => {
  test('gets signed merges, also where git merges nothing else', async () => {
    const factory = await aFactory();
    signWith(factory);
    factory.git('config', 'merge.verifySignatures', 'true');
    expect((await factory.run(aContract())).status).toBe('merged');
    const added = factory.git('log', '--format=%G? %cn', 'main', '--not', 'main~2').split('\n');
    expect(added).toEqual(['G Erik', 'G Erik', 'G Erik']);
    expect((await factory.andon('doctor')).stdout).toContain('merges are signed (ssh), committed by Erik');
    expect((await factory.andon('undo', 'DOC-001')).code).toBe(0);
    expect(format(factory, 'main', '%G?')).toBe('G');
    expect((await factory.andon('verify')).code).toBe(0);
  });

  test('is told before anything is paid that a key wants a passphrase', async () => {
    const factory = await aFactory();
    signWith(factory, 'a secret of its own');
    const dog = await factory.begin(aContract());
    await dog.until(() => factory.paper('CONTRACT_REJECTED.md'));
    expect(factory.paper('CONTRACT_REJECTED.md')).toContain('commits are signed here (commit.gpgSign)');
    expect(factory.paper('CONTRACT_REJECTED.md')).toContain('git could not sign the commit');
    expect(factory.calls()).toEqual([]);
    expect((await factory.andon('doctor')).stdout).toContain('git could not sign the commit');
  });

  test('is halted in words where the key is gone at the merge, and merged once it is back', async () => {
    const factory = await aFactory({
      scenario: { implementer: [{ ...writes({ [PATH]: FINAL }), does: [{ touch: 'at' }, { 'wait-for': 'go' }] }] },
    });
    signWith(factory);
    const dog = await factory.begin(aContract(), 'at');
    const key = join(factory.folder, 'home', 'key');
    factory.git('config', 'user.signingKey', `${key}-gone`);
    factory.signal.give('go');
    await dog.until(factory.isHalted);
    expect(factory.breaker()).toBe('merge_blocked');
    expect(factory.paper('ERIK_HALT.md')).toContain('git could not sign the commit');
    expect(factory.merges()).toEqual([]);
    factory.git('config', 'user.signingKey', key);
    await factory.andon('resume', 'DOC-001', '--path', '1');
    await dog.until(() => factory.isMerged());
    expect(format(factory, factory.merges()[0] ?? '', '%G?')).toBe('G');
  });
});

test('a signing program that only the repository names is never run: admission and doctor tell of the unsigned merge', async () => {
  const factory = await aFactory();
  const ran = join(factory.folder, 'ran');
  const program = join(factory.folder, 'program');
  writeFileSync(program, `#!/bin/sh\ntouch '${ran}'\n`, { mode: 0o755 });
  factory.git('config', 'commit.gpgSign', 'true');
  factory.git('config', 'gpg.program', program);
  expect((await factory.run(aContract())).status).toBe('merged');
  expect(existsSync(ran)).toBe(false);
  const sentence =
    'merges are not signed although commit.gpgSign is set: gpg.program is in the configuration of this repository';
  expect(await factory.story()).toContain(sentence);
  expect((await factory.andon('doctor')).stdout).toContain(sentence);
});
