import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually, type Factory } from '../support/factory.ts';
import { FINAL, judges, answerOnce, writes } from '../support/scenario.ts';

const page = (factory: Factory): string | undefined => factory.paper('CONTRACT_REJECTED.md');
const BAD = aContract({ task_id: 'BAD-001', 'limits.max_rebuttals': -1 });

describe('the page of a refused contract goes', () => {
  test('when the file is taken away', async () => {
    const factory = await aFactory();
    const dog = await factory.begin(BAD);
    await dog.until(() => page(factory));
    rmSync(join(factory.handoff, 'TASK_CONTRACT.json'));
    await dog.until(() => page(factory) === undefined);
  });

  test('when andon starts and the file is not there any more', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    const dog = await factory.begin(BAD);
    await dog.until(() => page(factory));
    await dog.stop();
    rmSync(join(factory.handoff, 'TASK_CONTRACT.json'));
    await factory.watch();
    await eventually(() => page(factory) === undefined, 'the page is gone');
  });

  test('when it was corrected, and back to the one that is still refused', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    factory.drop(aContract({ task_id: 'OLD-001', 'limits.max_rebuttals': -1 }), 'queue/old.json');
    const dog = await factory.watch();
    await dog.until(() => page(factory)?.includes('queue/old.json'));
    factory.drop(BAD);
    await dog.until(() => page(factory)?.includes('TASK_CONTRACT.json'));
    factory.drop(aContract());
    await dog.until(() => factory.isMerged());
    await dog.until(() => page(factory)?.includes('queue/old.json'));
    rmSync(join(factory.handoff, 'queue/old.json'));
    await dog.until(() => page(factory) === undefined);
  });
});

test(
  'the page holds every refusal that stands, also of the queue while a task is under way; each is told once',
  { tags: 'thorough' },
  async () => {
    const factory = await aFactory({
      scenario: { implementer: [writes({ 'docs/auth_final.md': FINAL }, { does: [{ 'wait-for': 'go' }] })] },
    });
    const dog = await factory.begin(aContract());
    await dog.until(() => factory.calls('implementer').length === 1);
    factory.drop(aContract({ task_id: 'BAD-002', 'limits.max_rebuttals': -1 }), 'queue/a.json');
    factory.drop('{"schema_version": "9.9"}', 'queue/b.json');
    await dog.until(() => page(factory)?.includes('queue/a.json') && page(factory)?.includes('queue/b.json'));
    expect(page(factory)).toContain('2 contracts rejected');
    factory.signal.give('go');
    await dog.until(() => factory.isMerged());
    factory.drop(BAD);
    await dog.until(() => page(factory)?.includes('3 contracts rejected'));
    const { refusals, waiting } = (await factory.status()) as unknown as Record<string, unknown>;
    expect(refusals).toMatchObject([
      { file: '_handoff/queue/a.json', faults: 1 },
      { file: '_handoff/queue/b.json' },
      { file: '_handoff/TASK_CONTRACT.json', faults: 1 },
    ]);
    expect(waiting).toEqual([]);
    rmSync(join(factory.handoff, 'queue/b.json'));
    await dog.until(() => page(factory)?.includes('2 contracts rejected'));
    expect(dog.output().split('is refused')).toHaveLength(4);
    await dog.stop();
  },
);

test(
  'a contract that was refused for what the repository lacked is taken as it stands once that is there',
  { tags: 'thorough' },
  async () => {
    const factory = await aFactory();
    const dog = await factory.begin(aContract({ git: { base_branch: 'release' } }));
    await dog.until(() => page(factory)?.includes('there is no branch release'));
    factory.git('branch', 'release');
    await dog.until(() => factory.isMerged());
    expect(page(factory)).toBeUndefined();
    expect(dog.output().split('is refused')).toHaveLength(2);
  },
);

test(
  'a task of which git holds work and the journal knows nothing is refused with two ways on',
  { tags: 'thorough' },
  async () => {
    const factory = await aFactory({ scenario: { judge: [answerOnce(judges('CRITICAL_HALT')), judges('PASS')] } });
    const { dog, status } = await factory.run(aContract());
    expect(status).toBe('erik_consultation');
    await dog.stop();
    rmSync(join(factory.folder, 'state'), { recursive: true });
    rmSync(factory.handoff, { recursive: true });
    const again = await factory.watch();
    const before = factory.calls().length;
    factory.drop(aContract());
    await again.until(() => page(factory)?.includes('the journal has no entry of it'));
    expect(factory.calls()).toHaveLength(before);
    const [, forget = ''] = /or run (git for-each-ref .*--stdin)/.exec(page(factory) ?? '') ?? [];
    expect(forget).toContain('refs/andon/DOC-001/');
    execFileSync('sh', ['-c', forget], { cwd: factory.repo, env: factory.env });
    factory.drop(aContract({ priority: 1 }));
    expect(await factory.end(again)).toBe('merged');
  },
);
