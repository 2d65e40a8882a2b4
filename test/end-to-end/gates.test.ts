import { describe, expect, test } from 'vitest';
import { PATH, resume, version, write } from '../support/versions.ts';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually } from '../support/factory.ts';
import { answerOnce } from '../support/scenario.ts';

describe('gates', () => {
  const words = { name: 'words', run: `grep -q 'Version 2' ${PATH} || { echo 'no second version yet'; exit 3; }` };

  test('a red gate goes back to the implementer with its output, and red is never merged', async () => {
    const factory = await aFactory({
      files: { [PATH]: 'Version 2, the old one.\n' },
      projectConfig: { gates: [words] },
      scenario: { implementer: [answerOnce(write(1)), write(2)] },
    });
    expect((await factory.run(aContract({ 'breaker.max_delete_ratio': 1 }))).status).toBe('merged');
    const [, second] = factory.calls('implementer').map(({ prompt }) => prompt);
    expect(second).toContain('no second version yet');
    expect(second).toContain('ended with 3');
    expect(factory.calls('reviewer')).toHaveLength(1);
    expect(factory.read(PATH)).toBe(version(2));
  });

  test(
    'a gate that must fail before and is green on the base proves nothing: nobody is paid for it',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory();
      const gate = { name: 'proof', run: 'true', must_fail_before: true };
      expect((await factory.run(aContract({ gates: [gate] }))).status).toBe('erik_consultation');
      expect(factory.breaker()).toBe('fault');
      expect(factory.paper('ERIK_HALT.md')).toContain('gate proof must be red on main before the change');
      expect(factory.calls()).toEqual([]);
    },
  );

  test('a gate that must fail before and does, and is green after, passes', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    const gate = { name: 'proof', run: `test -f ${PATH}`, must_fail_before: true };
    expect((await factory.run(aContract({ gates: [gate] }))).status).toBe('merged');
  });

  test(
    'a gate that cannot be run is neither red nor green: the line halts, and goes on when it is repaired',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory({ projectConfig: { gates: [{ name: 'tests', run: 'no-such-test-runner' }] } });
      const { dog, status } = await factory.run(aContract());
      expect(status).toBe('erik_consultation');
      expect((await factory.show('DOC-001')).halt).toMatchObject({
        breaker: 'fault',
        reason: expect.stringContaining('127'),
      });
      expect(factory.calls('reviewer')).toEqual([]);
      await dog.stop();
      factory.write('.andon/config.yaml', 'gates: [{ name: tests, run: "true" }]\n');
      await resume(factory, 1);
      const again = await factory.watch();
      expect(await factory.end(again)).toBe('merged');
      expect(factory.calls('implementer')).toHaveLength(1);
    },
  );

  test('a gate that does not end in its time cannot be run either', { tags: 'thorough' }, async () => {
    const factory = await aFactory({
      projectConfig: { gates: [{ name: 'slow', run: 'sleep 600', timeout_minutes: 0.01 }] },
    });
    expect((await factory.run(aContract())).status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('fault');
    await eventually(() => factory.processes().every(({ command }) => !command.startsWith('sleep')), 'it has ended');
  });

  test('a holdout gate sends the change back without a word of what it checks', { tags: 'thorough' }, async () => {
    const factory = await aFactory({ scenario: { implementer: [answerOnce(write(1)), write(2)] } });
    const gate = { name: 'hidden-check', run: `! test -f ${PATH} || grep -q 'Version 2' ${PATH}` };
    expect((await factory.run(aContract({ holdout: { gates: [gate], criteria: ['hidden criterion'] } }))).status).toBe(
      'merged',
    );
    const told = factory.calls('implementer').map(({ prompt }) => prompt);
    expect(told).toHaveLength(2);
    for (const prompt of told) expect(prompt).not.toMatch(/hidden/);
    expect(factory.calls('reviewer')[0]?.prompt).toContain('hidden-check');
  });
});
