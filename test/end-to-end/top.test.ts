import { expect, test } from 'vitest';
import { BOARD_LANES, type Board } from '../../src/line/board/board.ts';
import type { Digest } from '../../src/line/digest/digest.ts';
import type { LineFacts } from '../../src/line/words/line-facts.ts';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { aClientOf } from '../support/mcp-client.ts';

/** A task that was merged, one that is halted and parked, one in the queue, and one that is refused; nobody watches. */
async function aBoard(): Promise<Factory> {
  const factory = await aFactory();
  const { dog, status } = await factory.run(aContract());
  expect(status).toBe('merged');
  factory.drop(aContract({ task_id: 'DOC-002', 'constraints.max_diff_size': 1 }));
  expect(await factory.end(dog, 'DOC-002')).toBe('erik_consultation');
  await dog.stop();
  factory.drop(aContract({ task_id: 'DOC-003' }), 'queue/3.json');
  return factory;
}

async function told<Value>(factory: Factory, ...args: readonly string[]): Promise<Value> {
  const { code, stdout, stderr } = await factory.andonIn(factory.folder, ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Value;
}

test('andon top says of every repository what status and digest say, from anywhere and with nobody watching', async () => {
  const factory = await aBoard();
  const board = await told<Board>(factory, 'top', '--json');
  const digest = await told<Digest>(factory, 'digest', '--all', '--json');
  const status = JSON.parse((await factory.andon('status', '--json')).stdout) as LineFacts;
  const names = (rows: readonly { readonly kind: string; readonly task_id: string | null }[]) =>
    rows.map(({ kind, task_id: id }) => [kind, id]);
  expect(names(board.lanes.needs_you)).toEqual(names(digest.needs_you));
  expect(board.lanes.needs_you[0]).toMatchObject({
    kind: 'halt',
    halt_id: 'DOC-002-1',
    paths: [{}, {}],
    root: factory.repo,
  });
  const halted = [status.task, ...status.parked.map((one) => one.task)].flatMap((one) =>
    one?.halt ? [one.task_id] : [],
  );
  expect(board.lanes.needs_you.filter(({ kind }) => kind === 'halt').map((row) => row.task_id)).toEqual(halted);
  expect(board.lanes.waiting.map(({ file }) => file)).toEqual(status.waiting);
  expect(board.lanes.waiting).toHaveLength(digest.waits.length);
  expect(names(board.lanes.ended)).toEqual([['merged', 'DOC-001']]);
  expect(board.repositories).toMatchObject([{ root: factory.repo, watched: 'not watched', unknown: null }]);
});

test(
  'what a doctor found red needs you everywhere, with the same count, until it is well',
  { tags: 'thorough' },
  async () => {
    const factory = await aFactory();
    await (await factory.watch()).stop(); // a board shows only what was watched once
    factory.write('.andon/rules/broken.yaml', 'rules: [');
    expect((await factory.andon('doctor', '--no-gates')).code).toBe(1);
    const client = await aClientOf(factory);
    const needs = async () => {
      const { lanes } = await told<Board>(factory, 'top', '--json');
      const digest = await told<Digest>(factory, 'digest', '--all', '--json');
      const status = JSON.parse((await factory.andon('status', '--json')).stdout) as Pick<Digest, 'needs_you'>;
      const mcp = (await client.call('andon_status')).facts;
      const of = (rows: Digest['needs_you'] | Board['lanes']['needs_you']) => rows.map(({ kind, why }) => [kind, why]);
      for (const other of [digest, status, mcp as unknown as typeof status])
        expect(of(other.needs_you)).toEqual(of(lanes.needs_you));
      const text = (await factory.andonIn(factory.folder, 'top')).stdout;
      expect(text).toContain(`Needs you (${lanes.needs_you.length})`);
      return lanes.needs_you;
    };
    expect(await needs()).toMatchObject([{ kind: 'unwell', title: 'Rules is red in andon doctor' }]);
    expect((await factory.andon('status')).stdout).toContain('rules is red in andon doctor');
    expect((await factory.andon('doctor', '--no-gates')).stdout).not.toContain('is red in andon doctor');
    factory.write('.andon/rules/broken.yaml', 'rules: []\n');
    await factory.andon('doctor', '--no-gates');
    expect(await needs()).toEqual([]);
  },
);

test(
  'andon top prints lines in a pipe, about the repositories that are named where some are',
  { tags: 'thorough' },
  async () => {
    const factory = await aBoard();
    const { stdout } = await factory.andonIn(factory.folder, 'top', factory.repo);
    expect(stdout).toMatch(
      /^○ no watchdog: .* · 1 repository\nNeeds you \(2\)\n {2}DOC-002 {2}An agent gives no usable answer, for \d/,
    );
    expect(stdout).toContain('    andon resume DOC-002 --path 1 --halt DOC-002-1  # or path 2\n');
    for (const head of ['Working (0): nothing.', 'Waiting (1)', 'Ended (1)']) expect(stdout).toContain(head);
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    const refused = await factory.andonIn(factory.folder, 'top', 'nowhere');
    expect(refused).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('There is no folder') as string,
    });
    const elsewhere = await told<Board>(factory, 'top', '--json');
    expect(BOARD_LANES.flatMap((lane) => elsewhere.lanes[lane]).map((row) => row.name)).toContain('Project-A');
  },
);
