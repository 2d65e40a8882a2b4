/** @module-tag thorough */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { gitIn, movedAway } from '../support/places.ts';
import { FINAL, judges, answerOnce } from '../support/scenario.ts';

const HALTS = { judge: [answerOnce(judges('CRITICAL_HALT')), judges('PASS')] };

/** Halts a task, and puts another repository in the place of its own. */
async function halted(replace: (factory: Factory) => void): Promise<Factory> {
  const factory = await aFactory({ scenario: HALTS });
  const { dog, status } = await factory.run(aContract());
  expect(status).toBe('erik_consultation');
  await dog.stop();
  replace(factory);
  return factory;
}

describe('a repository that was deleted during a halt', () => {
  test('and made anew: the old task is named, nothing of it is done here, and andon abandon ends it', async () => {
    const factory = await halted(({ repo, git, write }) => {
      rmSync(repo, { recursive: true });
      mkdirSync(repo);
      git('init', '--quiet', '--initial-branch=main');
      write('docs/auth_v1.md', 'Something else\n');
      git('add', '--all');
      git('-c', 'user.name=E', '-c', 'user.email=e@x.org', 'commit', '--quiet', '--message=Something else');
    });
    const before = factory.snapshot('refs/heads/none');
    const watched = await factory.andon('watch');
    expect({ code: watched.code, lines: watched.stderr.trim().split('\n').length }).toEqual({ code: 1, lines: 2 });
    expect(watched.stderr).toContain('DOC-001 was begun in a repository that lay here before');
    expect(watched.stderr).toContain('andon abandon DOC-001');
    expect((await factory.andon('status')).stdout).toContain('  andon abandon DOC-001\n');
    const diff = await factory.andon('diff', 'DOC-001');
    expect({ code: diff.code, stderr: diff.stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('not in this repository'),
    });
    expect(existsSync(factory.handoff)).toBe(false);
    expect(factory.snapshot('refs/heads/none')).toEqual(before);

    expect(await factory.andon('abandon', 'DOC-001')).toMatchObject({ code: 0 });
    factory.script({});
    expect((await factory.run(aContract({ task_id: 'DOC-002' }))).status).toBe('merged');
    expect(factory.read('docs/auth_final.md')).toBe(FINAL);
  });

  test('and cloned anew from where it came: the task goes on', async () => {
    const factory = await halted((old) => {
      const origin = movedAway(old);
      gitIn(old, origin, 'update-ref', '-d', 'refs/heads/task/DOC-001');
      gitIn(old, origin, 'update-ref', '-d', 'refs/andon/DOC-001/1');
      gitIn(old, old.folder, 'clone', '--quiet', `file://${origin}`, old.repo);
    });
    const dog = await factory.watch();
    await dog.until(() => factory.isHalted());
    expect((await factory.andon('status')).stdout).not.toContain('lay here before');
    factory.script({
      implementer: [
        {
          when: { model: 'qwen2.5-coder' },
          reply: `FILE: docs/auth_final.md\n\`\`\`\`text\n${FINAL}Once more.\n\`\`\`\`\n`,
        },
      ],
    });
    expect(await factory.andon('resume', 'DOC-001', '--path', '1')).toMatchObject({ code: 0 });
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.git('fsck', '--no-dangling')).toBe('');
  });
});
