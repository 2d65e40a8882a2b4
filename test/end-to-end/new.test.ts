import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract, hashOf } from '../support/contract.ts';
import { AUTH_V1, aFactory } from '../support/factory.ts';
import { HAS_TERMINAL, KEYS, inTerminal } from '../support/terminal.ts';

const FLAGS = ['--id', 'DOC-001', '--allow', 'docs/', '--require', 'Merge both documents'];

/** Whatever else can be said about a task. */
const EVERY_FLAG = {
  '--title': 'One document',
  '--criterion': 'Links resolve',
  '--forbid': '*.png',
  '--target': 'docs/auth_final.md',
  '--source': 'docs/auth_v1.md',
  '--complexity': 'major',
  '--must-fail-before': 'links',
  '--gate-timeout': '3',
  '--holdout-gate': 'h=true',
  '--holdout-criterion': 'No jokes',
  '--budget-usd': '1.5',
  '--budget-tokens': '9',
  '--budget-minutes': '30',
  '--max-rebuttals': '1',
  '--max-review-cycles': '3',
  '--timeout': '7',
  '--max-diff-size': '90',
  '--max-delete-ratio': '0.5',
  '--priority': '4',
  '--branch': 'develop',
  '--implementer': 'm1',
  '--reviewer': 'm2',
  '--judge': 'm3',
  '--floor-manager': 'human',
  '--name': 'P',
};

describe('andon new with flags', () => {
  test('reads paths relative to the folder it is typed in, and names those that match nothing', async () => {
    const factory = await aFactory();
    const words = [
      'new',
      '--id',
      'DOC-001',
      '--allow',
      'auth_v1.md',
      '--allow',
      'no-such/',
      '--require',
      'x',
      '--print',
    ];
    const { code, stdout, stderr } = await factory.andonIn(join(factory.repo, 'docs'), ...words);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      constraints: { allowed_paths: ['docs/auth_v1.md', 'docs/no-such/'] },
    });
    expect(stderr).toContain('"docs/no-such/" matches no file of the repository');
  });

  test('names what will be in the way of the merge before an agent is paid, and drops the contract all the same', async () => {
    const factory = await aFactory();
    writeFileSync(join(factory.repo, 'docs/auth_v1.md'), 'mine\n');
    const { code, stderr, stdout } = await factory.andon('new', ...FLAGS);
    expect({ code, queued: stdout.startsWith('Queued: ') }).toEqual({ code: 0, queued: true });
    expect(stderr).toContain('note: uncommitted edits in ');
  });

  test('writes a contract with every part, which the line then takes up as it stands', async () => {
    const factory = await aFactory();
    factory.git('branch', 'develop');
    const { code, stdout } = await factory.andon(
      'new',
      ...FLAGS,
      ...Object.entries(EVERY_FLAG).flat(),
      '--gate',
      'links=true',
      '--gate',
      'size=true',
      '--allow-deletes',
      '--allow-shrink',
    );
    expect({ code, stdout: stdout.split('.')[0] }).toEqual({ code: 0, stdout: 'Queued: _handoff/TASK_CONTRACT' });
    expect(JSON.parse(factory.paper('TASK_CONTRACT.json') ?? '')).toEqual({
      schema_version: '1.0',
      task_id: 'DOC-001',
      project: 'P',
      complexity: 'major',
      priority: 4,
      status: 'pending_implementer',
      git: { base_branch: 'develop' },
      roles: { implementer: 'm1', local_reviewer: 'm2', judge: 'm3', floor_manager: 'human' },
      limits: {
        max_rebuttals: 1,
        max_review_cycles: 3,
        timeout_minutes: 7,
        budget: { usd: 1.5, tokens: 9, minutes: 30 },
      },
      constraints: {
        allowed_paths: ['docs/'],
        forbidden_paths: ['*.png'],
        allow_deletes: true,
        allow_shrink: true,
        max_diff_size: 90,
      },
      breaker: { max_delete_ratio: 0.5 },
      specification: {
        source_files: [{ path: 'docs/auth_v1.md', hash: hashOf(AUTH_V1) }],
        target_file: 'docs/auth_final.md',
        requirements: ['Merge both documents'],
        acceptance_criteria: ['Links resolve'],
      },
      gates: [
        { name: 'links', run: 'true', timeout_minutes: 3, must_fail_before: true },
        { name: 'size', run: 'true', timeout_minutes: 3 },
      ],
      holdout: { gates: [{ name: 'h', run: 'true' }], criteria: ['No jokes'] },
      title: 'One document',
    });
    expect((await factory.andon('contract', 'lint', '_handoff/TASK_CONTRACT.json')).code).toBe(0);
  });

  test('a complexity sets the limits that no flag names', async () => {
    const factory = await aFactory();
    const { stdout } = await factory.andon('new', ...FLAGS, '--complexity', 'trivial', '--print');
    expect(JSON.parse(stdout)).toMatchObject({
      limits: { max_rebuttals: 1, max_review_cycles: 2, budget: { usd: 0.25 } },
    });
    expect(factory.has('_handoff')).toBe(false);
  });

  test(
    'a busy line gets it into the queue, and an id that waits already is refused',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory();
      expect((await factory.andon('new', ...FLAGS)).stdout).toContain('Queued: _handoff/TASK_CONTRACT.json');
      const second = await factory.andon('new', ...FLAGS.with(1, 'DOC-002'));
      expect(second.stdout).toContain('Queued: _handoff/queue/DOC-002.json. The line is busy');
      for (const id of ['DOC-001', 'doc-002']) {
        const again = await factory.andon('new', ...FLAGS.with(1, id));
        expect(again).toMatchObject({
          code: 2,
          stdout: '',
          stderr: expect.stringContaining('an id that no other task has'),
        });
      }
    },
  );

  test('is what the running line takes up and merges', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    const dog = await factory.watch();
    await factory.andon('new', ...FLAGS, '--target', 'docs/auth_final.md');
    expect(await factory.end(dog)).toBe('merged');
    const again = await factory.andon('new', ...FLAGS);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('DOC-001 was merged already') });
  });

  test.each([
    [[], 'Missing options: --id, --require, --allow'],
    [['--id', 'A'], 'Missing options: --require, --allow'],
    [FLAGS.with(1, 'con'), '--id ($.task_id)'],
    [[...FLAGS, '--allow', '../x'], '--allow ($.constraints.allowed_paths'],
    [[...FLAGS, '--target', 'src/x.ts'], '--target ($.specification.target_file)'],
    [[...FLAGS, '--source', 'docs/none.md'], '--source ($.specification.source_files'],
    [[...FLAGS, '--priority', 'high'], '--priority high. Expected a number.'],
    [[...FLAGS, '--budget-usd', '-1'], '--budget-usd ($.limits.budget.usd)'],
    [[...FLAGS, '--complexity', 'huge'], '--complexity: huge'],
    [[...FLAGS, '--must-fail-before', 'x'], 'Expected a gate of this task'],
    [[...FLAGS, '--gate', 'x'], 'name=command'],
    [[...FLAGS, '--branch', 'nowhere'], '--branch ($.git'],
    [[...FLAGS, '--forbid', 'docs/auth_final.md', '--target', 'docs/auth_final.md'], 'forbidden_paths'],
  ])('refuses %j in the words of admission and writes nothing', async (flags, about) => {
    const factory = await aFactory();
    const { code, stdout, stderr } = await factory.andon('new', ...flags);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(about);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(factory.has('_handoff')).toBe(false);
  });

  test('a source file that is not the one of the target branch is refused, with both hashes', async () => {
    const factory = await aFactory();
    factory.write('docs/auth_v1.md', 'changed\n');
    const { code, stderr } = await factory.andon('new', ...FLAGS, '--source', 'docs/auth_v1.md');
    expect(code).toBe(2);
    expect(stderr).toContain(hashOf('changed\n'));
    expect(stderr).toContain(hashOf(AUTH_V1));
  });

  test('saves elsewhere without dropping, and never over a file', async () => {
    const factory = await aFactory();
    expect((await factory.andon('new', ...FLAGS, '--save', '../later/c.json')).code).toBe(0);
    expect(existsSync(join(factory.folder, 'later/c.json'))).toBe(true);
    expect(factory.has('_handoff')).toBe(false);
    const again = await factory.andon('new', ...FLAGS, '--save', '../later/c.json');
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('is there already') });
  });
});

describe('andon new with a sentence', () => {
  test('proposes the id, and the files that the sentence names', async () => {
    const factory = await aFactory();
    const { code, stdout } = await factory.andon('new', 'The links of docs/auth_v1.md resolve');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('Queued: _handoff/') });
    expect(JSON.parse(factory.paper('TASK_CONTRACT.json') ?? '')).toMatchObject({
      task_id: 'THE-LINKS-OF-DOCS-AUTH-V1-MD',
      constraints: { allowed_paths: ['docs/auth_v1.md'] },
      specification: { requirements: ['The links of docs/auth_v1.md resolve'] },
    });
  });

  test('takes files that are only named alike with --yes, and says so without it', async () => {
    const factory = await aFactory();
    const sentence = 'Auth explains passkeys';
    const { code, stderr, stdout } = await factory.andon('new', sentence);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      /only found by their names: docs\/auth_v1\.md, .*\n.*andon new 'Auth explains passkeys' --yes/,
    );
    expect(factory.has('_handoff')).toBe(false);
    expect((await factory.andon('new', sentence, '--yes')).code).toBe(0);
  });

  test('names the flag where no file is like it, and flags win over what it proposes', async () => {
    const factory = await aFactory();
    const none = await factory.andon('new', 'Colours are calm', '--yes');
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("andon new 'Colours are calm' --allow") });
    const flags = ['--id', 'C-1', '--allow', 'docs/', '--require', 'No colour is bright', '--print'];
    const { stdout } = await factory.andon('new', 'Colours are calm', ...flags);
    expect(JSON.parse(stdout)).toMatchObject({
      task_id: 'C-1',
      title: 'Colours are calm',
      specification: { requirements: ['No colour is bright'] },
    });
  });
});

describe.skipIf(!HAS_TERMINAL)('andon new at a terminal (needs `script` of util-linux)', () => {
  test('shows what it proposes for a sentence, asks once, and the line takes it up', async () => {
    const factory = await aFactory();
    const talk = inTerminal(factory, [
      'new',
      'Merge',
      'both',
      'documents',
      'into',
      'one',
      '--target',
      'docs/auth_final.md',
    ]);
    await talk.see('MERGE-BOTH-DOCUMENTS-INTO-ONE');
    await talk.answer('Is it right', KEYS.enter);
    expect(await talk.ended, talk.shown()).toBe(0);
    expect(talk.shown()).toContain('Queued: _handoff/TASK_CONTRACT.json');
    const dog = await factory.watch();
    await dog.until(() => factory.isMerged('MERGE-BOTH-DOCUMENTS-INTO-ONE'));
  });

  test('asks only what nothing tells, and refuses at each question what admission would refuse', async () => {
    const factory = await aFactory();
    const talk = inTerminal(factory, ['new']);
    await talk.answer('What must hold', KEYS.enter);
    await talk.see('at least one requirement');
    talk.type('Colours are calm', KEYS.enter);
    await talk.answer('What must hold', KEYS.enter);
    await talk.see('none has a name like it');
    await talk.answer('What may be changed', '/etc/', KEYS.enter);
    await talk.see('does not start at the root');
    talk.type(KEYS.erase, 'docs/', KEYS.enter);
    await talk.answer('What may be changed', KEYS.enter);
    await talk.answer('Is it right', KEYS.down, KEYS.enter);
    await talk.answer('Which one', KEYS.down, KEYS.enter);
    await talk.answer('Task id', 'con', KEYS.enter);
    await talk.see('The name is reserved; choose another.');
    talk.type(KEYS.erase, 'DOC-001', KEYS.enter);
    await talk.answer('Is it right', KEYS.enter);
    expect(await talk.ended, talk.shown()).toBe(0);
    expect(JSON.parse(factory.paper('TASK_CONTRACT.json') ?? '')).toMatchObject({
      task_id: 'DOC-001',
      constraints: { allowed_paths: ['docs/'] },
      specification: { requirements: ['Colours are calm'] },
    });
  });

  test(
    'a sentence with id and files asks nothing, and waits in the queue while the line is busy',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory();
      factory.drop(aContract());
      const talk = inTerminal(factory, ['new', 'It is so', '--id', 'DOC-002', '--allow', 'docs/', '--queue']);
      expect(await talk.ended, talk.shown()).toBe(0);
      expect(JSON.parse(factory.paper('queue/DOC-002.json') ?? '')).toMatchObject({ task_id: 'DOC-002' });
      expect(JSON.parse(factory.paper('TASK_CONTRACT.json') ?? '')).toEqual(aContract());
    },
  );

  test(
    'a finished contract can be saved elsewhere, but not over a file, or discarded',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory();
      factory.write('there.json', 'mine');
      const words = ['new', 'It is so', '--allow', 'docs/'];
      const saving = inTerminal(factory, words);
      await saving.answer('Is it right', KEYS.down, KEYS.down, KEYS.enter);
      await saving.answer('Save it as', 'there.json', KEYS.enter);
      await saving.see('is there already');
      saving.type(KEYS.erase, 'elsewhere.json', KEYS.enter);
      expect(await saving.ended, saving.shown()).toBe(0);
      expect(JSON.parse(factory.read('elsewhere.json'))).toMatchObject({ task_id: 'IT-IS-SO' });
      expect(factory.read('there.json')).toBe('mine');

      const discarding = inTerminal(factory, words);
      await discarding.answer('Is it right', KEYS.up, KEYS.enter);
      expect(await discarding.ended, discarding.shown()).toBe(1);
      expect(discarding.shown()).toContain('Discarded; nothing was written.');
      expect(factory.has('_handoff')).toBe(false);
    },
  );

  test('several lines that are pasted at once become several requirements', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    const talk = inTerminal(factory, ['new', '--id', 'A', '--allow', 'docs/']);
    await talk.answer('What must hold', 'The first thing\rThe second thing\rThe third thing\r');
    await talk.answer('What must hold', KEYS.enter);
    await talk.answer('What must hold', ' too', KEYS.enter);
    await talk.answer('What must hold', KEYS.enter);
    await talk.answer('Is it right', KEYS.enter);
    expect(await talk.ended, talk.shown()).toBe(0);
    expect(JSON.parse(factory.paper('TASK_CONTRACT.json') ?? '')).toMatchObject({
      specification: { requirements: ['The first thing', 'The second thing', 'The third thing too'] },
    });
  });

  test('Esc leaves with one sentence and exit code 1, and nothing is written', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    const talk = inTerminal(factory, ['new']);
    await talk.answer('What must hold', KEYS.escape);
    expect(await talk.ended).toBe(1);
    expect(talk.shown()).toContain('You left; nothing was written.');
    expect(factory.has('_handoff')).toBe(false);
  });

  test('says before the first question that no task can be admitted here', async () => {
    const factory = await aFactory();
    const talk = inTerminal(factory, ['new', '--branch', 'nowhere']);
    expect(await talk.ended).toBe(2);
    expect(talk.shown()).toContain('nowhere');
    expect(talk.shown()).not.toContain('What must hold');
  });
});
