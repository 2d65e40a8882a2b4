import { appendFileSync, chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { addAgent } from '../support/edit-drivers.ts';
import { aFactory, type Watchdog } from '../support/factory.ts';
import { FINAL, judges, writes } from '../support/scenario.ts';

/** An implementer who is not done before the last version lies there: later it would be an edit of a running task. */
const waiting = writes({ 'docs/auth_final.md': FINAL }, { does: [{ 'wait-for': 'go' }] });
const admissions = (dog: Watchdog): number => dog.output().match(/contract admitted/g)?.length ?? 0;

/** A moment in which the machine is busy with something else is no delay of andon's. */
const TIMED = { retry: 2 };

describe('a contract is picked up', () => {
  test('within a second of being renamed into place', TIMED, async () => {
    const factory = await aFactory();
    const dog = await factory.watch();
    const dropped = performance.now();
    factory.drop(aContract());
    await dog.until('contract admitted');
    expect(performance.now() - dropped).toBeLessThan(1000);
    expect(await factory.end(dog)).toBe('merged');
    expect(admissions(dog)).toBe(1);
  });

  test('once and whole when it is written in place, slowly', { ...TIMED, tags: 'thorough' }, async () => {
    const factory = await aFactory();
    const dog = await factory.watch();
    const text = `${JSON.stringify(aContract(), null, 2)}\n`;
    const file = join(factory.handoff, 'TASK_CONTRACT.json');
    const size = Math.ceil(text.length / 10);
    for (let at = 0; at < text.length; at += size) {
      appendFileSync(file, text.slice(at, at + size));
      await sleep(150); // a slow writer: the pauses are what is tested
    }
    const written = performance.now();
    await dog.until('contract admitted');
    expect(performance.now() - written).toBeLessThan(1000);
    expect(await factory.end(dog)).toBe('merged');
    expect(admissions(dog)).toBe(1);
    expect(dog.output()).not.toContain('refused');
  });

  test('in its last version when it is rewritten three times in a moment', { tags: 'thorough' }, async () => {
    const factory = await aFactory({ scenario: { implementer: [waiting] } });
    const dog = await factory.watch();
    for (const version of [1, 2, 3]) {
      factory.drop(aContract({ 'specification.requirements': [`Merge them, version ${version}`] }));
      await sleep(40); // the rhythm of an editor that saves again
    }
    factory.signal.give('go');
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.paper('archive/DOC-001/TASK_CONTRACT.json')).toContain('version 3');
    expect(factory.git('log', '-1', '--format=%s', factory.merges()[0] ?? '')).toContain('version 3');
    expect(factory.merges()).toHaveLength(1);
  });

  test('in its first version when the newer one is taken away again', { tags: 'thorough' }, async () => {
    const factory = await aFactory({ scenario: { implementer: [waiting] } });
    const dog = await factory.begin(aContract());
    await dog.until('implementer');
    expect((await factory.andon('pause')).code).toBe(0);
    factory.drop(aContract({ 'specification.requirements': ['The newer version'] }));
    await dog.until('starting with the new version');
    rmSync(join(factory.handoff, 'TASK_CONTRACT.json'));
    factory.drop(aContract({ task_id: 'DOC-002' }), 'queue/next.json');
    factory.signal.give('go');
    expect((await factory.andon('pause', '--off')).code).toBe(0);
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.paper('archive/DOC-001/TASK_CONTRACT.json')).not.toContain('newer');
  });

  test('after the folder was deleted and made again', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    const dog = await factory.watch();
    rmSync(factory.handoff, { recursive: true, maxRetries: 20, retryDelay: 20 });
    await dog.until(() => factory.has('_handoff/queue'));
    rmSync(factory.handoff, { recursive: true, maxRetries: 20, retryDelay: 5 }); // the daemon may be filling it
    mkdirSync(factory.handoff, { recursive: true });
    factory.drop(aContract());
    expect(await factory.end(dog)).toBe('merged');
  });

  test('without a look at what editors leave about', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    const dog = await factory.watch();
    for (const name of [
      '.TASK_CONTRACT.json.swp',
      '4913',
      'TASK_CONTRACT (1).json',
      'TASK_CONTRACT.json~',
      '.DS_Store',
    ])
      writeFileSync(join(factory.handoff, name), JSON.stringify(aContract({ task_id: 'WRONG' })));
    factory.drop(aContract());
    expect(await factory.end(dog)).toBe('merged');
    expect((await factory.list()).map(({ task_id: id }) => id)).toEqual(['DOC-001']);
  });
});

describe('several contracts', () => {
  const other = (changes = {}): ReturnType<typeof aContract> =>
    aContract({ task_id: 'DOC-002', 'specification.target_file': 'docs/second.md', ...changes });
  const scenario = {
    implementer: [
      {
        ...writes({ 'docs/second.md': FINAL }),
        when: { model: 'qwen2.5-coder', includes: ['docs/second.md'], excludes: ['Target file: docs/auth_final.md'] },
      },
      writes({ 'docs/auth_final.md': FINAL }),
    ],
    judge: [
      judges('PASS', { evidence: [FINAL.split('\n')[4]] }, { does: [{ touch: 'judging' }, { 'wait-for': 'go' }] }),
    ],
  };

  test('run one after the other: a second one dropped meanwhile waits in the queue', { tags: 'thorough' }, async () => {
    const factory = await aFactory({ scenario });
    const dog = await factory.begin(aContract(), 'judging');
    factory.drop(other());
    await dog.until(() => factory.paper('queue/DOC-002.json'));
    await dog.until(() => factory.face() === 'review_in_progress');
    factory.signal.give('go');
    await dog.until(() => factory.isMerged('DOC-001') && factory.isMerged('DOC-002'));
    expect(factory.merges()).toHaveLength(2);
    expect(dog.output()).not.toContain('tampered');
  });
});

describe('the contract of a running task', () => {
  for (const [what, edited, tags] of [
    ['an edit of it', `JSON.stringify({ ...JSON.parse(readFileSync(paper, 'utf8')), priority: 9 })`, []],
    ['a text that is no contract', `'{ "task_id": "DOC-001" }'`, ['thorough']],
    ['a text that ends too early', `'{ "task_id": '`, ['thorough']],
  ] as const)
    test(`stops the line although the agent that writes ${what} answers at once`, { tags: [...tags] }, async () => {
      const factory = await aFactory({ files: { '.andon/agents/hasty-writer.yaml': 'driver: hasty\nmodel: m1\n' } });
      const paper = join(factory.handoff, 'TASK_CONTRACT.json');
      const program = join(factory.folder, 'hasty.mjs');
      const answer = `FILE: docs/auth_final.md\n\`\`\`text\n${FINAL}\`\`\`\n\nNOTES:\nAs asked.\n`;
      const script = `import { readFileSync, writeFileSync } from 'node:fs';
const paper = ${JSON.stringify(paper)};
writeFileSync(paper, ${edited});
console.log(${JSON.stringify(answer)});
`;
      writeFileSync(program, `#!/usr/bin/env node\n${script}`);
      chmodSync(program, 0o755);
      addAgent(factory, 'hasty', {
        program,
        calls: { text: { args: [] } },
        output: { format: 'text' },
        billing: 'free',
      });
      const { status } = await factory.run(aContract({ 'roles.implementer': 'hasty-writer' }));
      expect(status).toBe('erik_consultation');
      expect(factory.breaker()).toBe('contract_tampered');
      expect(factory.merges()).toEqual([]);
    });

  test('that somebody deletes is written again, and the task goes on', { tags: 'thorough' }, async () => {
    const factory = await aFactory({
      scenario: { judge: [judges('PASS', {}, { does: [{ touch: 'judging' }, { 'wait-for': 'go' }] })] },
    });
    const dog = await factory.begin(aContract(), 'judging');
    rmSync(join(factory.handoff, 'TASK_CONTRACT.json'));
    factory.signal.give('go');
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.merges()).toHaveLength(1);
  });
});
