import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { TOO_LARGE, aNightOf, aNote, aParked, aside, decisionOn, headIn } from '../support/parked.ts';
import { FINAL, answerOnce, writes } from '../support/scenario.ts';

describe('a halt of one task', () => {
  test('parks it, and the next contract is merged', async () => {
    const { factory } = await aParked();
    expect(factory.paper('TASK_CONTRACT.json.lock')).toBeUndefined();
    expect(factory.paper(aside('DOC-001', 'TASK_CONTRACT.json.lock'))).toContain('"erik_consultation"');
    expect(factory.paper('ERIK_HALT.md')).toBe(factory.paper(aside('DOC-001', 'ERIK_HALT.md')));
    const status = await factory.andon('status');
    expect(status.stdout).toContain(
      'DOC-001 is set aside and blocks no other task. The change exceeds its limits (destructive_action)',
    );
    expect(status.stdout).toContain(
      'read _handoff/tasks/DOC-001/ERIK_HALT.md, then run one of:\n    andon resume DOC-001 --path 1',
    );
  });

  test('leaves everything where it always lies while nothing else wants to run', { tags: 'thorough' }, async () => {
    const factory = await aNightOf([]);
    const { dog } = await factory.run(aContract(TOO_LARGE));
    await dog.until(() => factory.isHalted());
    expect([factory.has('_handoff/tasks'), factory.paper('ERIK_HALT.md')?.includes('more halt')]).toEqual([
      false,
      false,
    ]);
  });

  test('holds the line where the configuration says so', { tags: 'thorough' }, async () => {
    const factory = await aNightOf(['DOC-002'], { projectConfig: { on_halt: 'stop' } });
    const { dog } = await factory.run(aContract(TOO_LARGE));
    factory.drop(aNote('DOC-002'));
    await dog.until('DOC-002 is in _handoff/queue/DOC-002.json');
    await factory.andon('abandon', 'DOC-001');
    await dog.until(() => factory.isMerged('DOC-002'));
    expect(factory.has('_handoff/tasks')).toBe(false);
  });

  test('is ended by a command while others go on', { tags: 'thorough' }, async () => {
    const { factory, dog } = await aParked();
    expect((await factory.andon('abandon', 'DOC-001')).code).toBe(0);
    await dog.until(() => factory.archivedAs('DOC-001') === 'abandoned');
    await dog.until(() => factory.paper('ERIK_HALT.md') === undefined);
    expect([factory.has('_handoff/tasks/DOC-001'), factory.merges().length]).toEqual([false, 1]);
  });
});

describe('several halts', { tags: 'thorough' }, () => {
  const three = async () => {
    const both = ['DOC-002', 'DOC-003', 'DOC-004'];
    const factory = await aNightOf(both);
    const dog = await factory.begin(aContract(TOO_LARGE));
    await dog.until(() => factory.isHalted());
    for (const id of ['DOC-002', 'DOC-003']) {
      factory.drop(aNote(id, TOO_LARGE));
      await dog.until(() => factory.paper(aside(id, 'TASK_CONTRACT.json.lock')));
    }
    await dog.until(() => factory.paper('ERIK_HALT.md')?.includes('2 more halts'));
    return { factory, dog };
  };

  test('stand in one report, the first whole and the others by name, and are answered in any order', async () => {
    const { factory, dog } = await three();
    expect(headIn(factory, 'ERIK_HALT.md', 'task_id')).toBe('DOC-001');
    for (const id of ['DOC-002', 'DOC-003'])
      expect(factory.paper('ERIK_HALT.md')).toContain(`\`_handoff/tasks/${id}/ERIK_HALT.md\` has the commands`);
    factory.drop(decisionOn(factory, aside('DOC-003', 'ERIK_HALT.md'), 1), 'DECISION.json');
    await dog.until(() => factory.isMerged('DOC-003'));
    await dog.until(() => factory.paper('ERIK_HALT.md')?.includes('One more halt'));
    factory.drop(decisionOn(factory, 'ERIK_HALT.md', 1), 'DECISION.json');
    await dog.until(() => factory.isMerged('DOC-001'));
    await dog.until(() => headIn(factory, 'ERIK_HALT.md', 'task_id') === 'DOC-002');
    await factory.andon('abandon', 'DOC-002');
    await dog.until(() => factory.paper('ERIK_HALT.md') === undefined);
    expect(factory.has('_handoff/tasks/DOC-002')).toBe(false);
  });

  test('are listed and none is guessed when nobody says which one is meant', async () => {
    const { factory } = await three();
    const { code, stderr } = await factory.andon('resume', '--path', '1');
    expect(code).toBe(2);
    for (const id of ['DOC-001', 'DOC-002', 'DOC-003'])
      expect(stderr).toContain(`${id}: the change exceeds its limits`);
  });

  test('are found again after a restart, and answered while andon is down', async () => {
    const { factory, dog } = await three();
    await dog.stop();
    expect((await factory.andon('resume', 'DOC-002', '--path', '1')).code).toBe(0);
    expect((await factory.andon('abandon', 'DOC-001')).code).toBe(0);
    const again = await factory.watch();
    await again.until(() => factory.isMerged('DOC-002'));
    await again.until(() => headIn(factory, 'ERIK_HALT.md', 'task_id') === 'DOC-003');
    expect(factory.archivedAs('DOC-001')).toBe('abandoned');
  });
});

const WAITS = 'waits for DOC-001, which is set aside with a change in docs/auth_final.md';

describe('who waits for a parked task', { tags: 'thorough' }, () => {
  test('is a contract that may write what its change touches, and status says why', async () => {
    const { factory, dog } = await aParked();
    factory.drop(aContract({ task_id: 'DOC-009' }));
    await dog.until(`DOC-009.json: it ${WAITS}`);
    factory.drop(aNote('DOC-003'));
    await dog.until(() => factory.isMerged('DOC-003'));
    expect((await factory.andon('status')).stdout).toContain(`DOC-009.json ${WAITS}`);
    await factory.andon('abandon', 'DOC-001');
    await dog.until(() => factory.isMerged('DOC-009'));
  });

  test('is nobody where the configuration lets them start', async () => {
    const { factory, dog } = await aParked({ projectConfig: { on_overlap: 'start' } });
    factory.drop(aContract({ task_id: 'DOC-009' }));
    await dog.until(() => factory.isMerged('DOC-009'));
  });

  test('is no contract of the same id: it is refused while that task is open', async () => {
    const { factory, dog } = await aParked();
    factory.drop(
      aNote('DOC-001', {
        'constraints.allowed_paths': ['notes/DOC-003/'],
        'specification.target_file': 'notes/DOC-003/again.md',
      }),
      'queue/again.json',
    );
    await dog.until('queue/again.json is refused');
    await factory.andon('abandon', 'DOC-001');
    await dog.until(() => factory.paper('CONTRACT_REJECTED.md') === undefined);
  });
});

describe('the cord', { tags: 'thorough' }, () => {
  test('of one task lets the others go on; without an id it stops the line', async () => {
    const slow = (id: string) =>
      writes(
        { [`notes/${id}/note.md`]: 'x\n' },
        {
          when: { model: 'qwen2.5-coder', includes: [`note of ${id}`] },
          does: [{ touch: `at-${id}` }, { 'wait-for': 'never' }],
        },
      );
    const factory = await aNightOf(['DOC-004'], {
      first: { implementer: [slow('DOC-002'), slow('DOC-003'), answerOnce(writes({ 'docs/auth_final.md': FINAL }))] },
      files: { 'notes/DOC-002/x.md': 'x\n', 'notes/DOC-003/x.md': 'x\n' },
    });
    const dog = await factory.begin(aNote('DOC-002'));
    await dog.until(() => factory.signal.has('at-DOC-002'));
    factory.drop(aNote('DOC-003'), 'queue/DOC-003.json');
    factory.drop(aNote('DOC-004'), 'queue/DOC-004.json');
    expect((await factory.andon('halt', 'DOC-002')).code).toBe(0);
    await dog.until(() => factory.signal.has('at-DOC-003'));
    expect(factory.paper(aside('DOC-002', 'ERIK_HALT.md'))).toContain('"breaker":"cord"');
    expect((await factory.andon('halt')).stdout).toContain('The line is stopped, at DOC-003');
    await dog.until(() => factory.isHalted());
    await dog.until(() => factory.paper('ERIK_HALT.md')?.includes('One more halt'));
    expect([headIn(factory, 'ERIK_HALT.md', 'task_id'), factory.has('_handoff/queue/DOC-004.json')]).toEqual([
      'DOC-003',
      true,
    ]);
    await factory.andon('resume', 'DOC-003', '--path', '2');
    await dog.until(() => factory.isMerged('DOC-004'));
  });
});
