import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract, hashOf } from '../support/contract.ts';
import { AUTH_V1, aFactory, type Factory, type Watchdog } from '../support/factory.ts';

const contractFile = (factory: Factory): string => join(factory.handoff, 'TASK_CONTRACT.json');

/** Waits for the refusal of what lies there now, and gives back its text. */
async function refusal(factory: Factory, dog: Watchdog, about: string): Promise<string> {
  await dog.until(() => factory.paper('CONTRACT_REJECTED.md')?.includes(about));
  return factory.paper('CONTRACT_REJECTED.md') ?? '';
}

describe('a bad contract', () => {
  test('is refused with every fault at once, stays as it is, and is taken when it was corrected', async () => {
    const factory = await aFactory();
    const dog = await factory.watch();
    const bad = JSON.stringify(
      aContract({
        task_id: '../escape',
        'limits.max_rebutals': 3,
        'limits.timeout_minutes': 'ten',
        'constraints.allowed_paths': [],
        'specification.requirements': [],
      }),
    );
    factory.drop(bad);
    const report = await refusal(factory, dog, 'Contract rejected');
    for (const part of [
      '$.task_id',
      '$.limits.max_rebutals',
      'max_rebuttals',
      '$.limits.timeout_minutes',
      '$.constraints.allowed_paths',
      '$.specification.requirements',
    ])
      expect(report).toContain(part);
    expect(report).toContain('5 faults');
    expect(factory.paper('TASK_CONTRACT.json')).toBe(bad);
    expect(await factory.list()).toEqual([]);

    factory.drop(aContract());
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.paper('CONTRACT_REJECTED.md')).toBeUndefined();
  });

  test(
    'that stays broken is refused after the settle time, and not again and again',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory();
      const dog = await factory.begin('{"schema_version": "1.0", "task_id": "DOC-0');
      await refusal(factory, dog, 'Contract rejected');
      factory.drop(aContract());
      expect(await factory.end(dog)).toBe('merged');
      expect(dog.output().match(/is refused/g)).toHaveLength(1);
    },
  );

  test('with a wrong hash is refused showing both, and the command that prints the right one', async () => {
    const factory = await aFactory();
    const dog = await factory.watch();
    const wrong = hashOf('something else');
    factory.drop(aContract({ 'specification.source_files': [{ path: 'docs/auth_v1.md', hash: wrong }] }));
    const report = await refusal(factory, dog, '$.specification.source_files[0].hash');
    expect(report).toContain(wrong);
    expect(report).toContain(hashOf(AUTH_V1));
    expect(report).toContain('andon contract hash docs/auth_v1.md');
  });

  test('whose source file has local edits is measured by what is committed', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    factory.write('docs/auth_v1.md', 'edited, not committed\n');
    const { status } = await factory.run(
      aContract({ 'specification.source_files': [{ path: 'docs/auth_v1.md', hash: hashOf(AUTH_V1) }] }),
    );
    expect(status).toBe('merged');
  });
});

describe('a task id', { tags: 'thorough' }, () => {
  test('that was merged already is refused by name, in any case', async () => {
    const factory = await aFactory();
    const { dog } = await factory.run(aContract());
    factory.drop(aContract({ task_id: 'doc-001' }));
    const report = await refusal(factory, dog, 'merged already');
    expect(report).toContain('DOC-001');
    expect(factory.merges()).toHaveLength(1);
  });

  test('whose branch exists with commits of somebody else is refused, and the branch stays', async () => {
    const factory = await aFactory();
    factory.git('branch', 'task/DOC-001');
    const before = factory.git('rev-parse', 'task/DOC-001');
    const dog = await factory.begin(aContract());
    expect(await refusal(factory, dog, '$.task_id')).toContain('task/DOC-001');
    expect(factory.git('rev-parse', 'task/DOC-001')).toBe(before);
    factory.git('branch', '--delete', '--force', 'task/DOC-001');
    factory.drop(aContract({ 'limits.max_rebuttals': 1 }));
    expect(await factory.end(dog)).toBe('merged');
  });

  test.each([
    ['task', '`task`'],
    ['task/DOC-001/mine', 'task/DOC-001/mine'],
  ])('cannot be used while a branch %s leaves git no room for its own', async (branch, named) => {
    const factory = await aFactory();
    factory.git('branch', branch);
    const dog = await factory.begin(aContract());
    expect(await refusal(factory, dog, '$.task_id')).toContain(named);
  });

  test('that was abandoned may be used again', async () => {
    const factory = await aFactory({ scenario: { implementer: [] } });
    const { dog, status } = await factory.run(aContract());
    expect(status).toBe('erik_consultation');
    expect((await factory.andon('abandon', 'DOC-001')).code).toBe(0);
    factory.script({});
    rmSync(join(factory.handoff, 'archive/DOC-001/TASK_CONTRACT.json'));
    factory.drop(aContract());
    expect(await factory.end(dog)).toBe('merged');
  });
});

describe('something that is no plain file', { tags: 'thorough' }, () => {
  test.each([
    ['a FIFO', (path: string) => execFileSync('mkfifo', [path])],
    ['a folder', (path: string) => mkdirSync(path)],
    ['a link to an endless device', (path: string) => symlinkSync('/dev/zero', path)],
    [
      'a link to a valid contract',
      (path: string) => {
        writeFileSync(`${path}.real`, JSON.stringify(aContract()));
        symlinkSync(`${path}.real`, path);
      },
    ],
    ['a link to itself', (path: string) => symlinkSync(path, path)],
    ['an enormous file', (path: string) => writeFileSync(path, Buffer.alloc(8 * 1024 * 1024, 32))],
    ['bytes that are no text', (path: string) => writeFileSync(path, Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))],
  ])('(%s) is refused and blocks nothing', async (_, make) => {
    const factory = await aFactory();
    const dog = await factory.watch();
    make(contractFile(factory));
    await refusal(factory, dog, 'Contract rejected');
    rmSync(contractFile(factory), { recursive: true });
    factory.drop(aContract());
    expect(await factory.end(dog)).toBe('merged');
  });
});
