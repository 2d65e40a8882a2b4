import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually } from '../support/factory.ts';
import { FINAL, judges } from '../support/scenario.ts';

const slowJudge = [judges('PASS', {}, { does: [{ touch: 'judging' }, { 'wait-for': 'go' }] })];

describe('what is said about the line', () => {
  test(
    'is true while an agent works, and after the daemon was stopped or killed in the middle',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory({ apart: true, scenario: { judge: slowJudge } });
      const dog = await factory.begin(aContract(), 'judging');
      expect(await factory.status()).toMatchObject({
        watchdog: { pid: dog.pid, doing: 'watch' },
        task: { task_id: 'DOC-001', status: 'review_in_progress', attempt: 1, working: { station: 'judge' } },
      });
      expect((await factory.andon('status')).stdout).toContain('the judge works since');
      await dog.kill9();
      expect((await factory.status()).watchdog).toBeNull();
      expect((await factory.andon('status')).stdout).toMatch(
        /no watchdog is running[\s\S]*judge was working when andon stopped/,
      );
      const again = await factory.watch();
      await again.stop();
      const status = await factory.status();
      expect(status).toMatchObject({ watchdog: null, task: { status: 'review_in_progress', working: null } });
    },
  );

  test('is true after the merge: list, show, diff and logs', async () => {
    const factory = await aFactory();
    const { dog } = await factory.run(aContract());
    await dog.stop();
    const [merge = ''] = factory.merges();
    expect(await factory.list()).toMatchObject([
      { task_id: 'DOC-001', status: 'merged', merged_as: merge, cost_usd: 0.02 },
    ]);
    const shown = await factory.show('DOC-001');
    expect(shown).toMatchObject({
      attempt: 1,
      verdict: 'PASS',
      halt: null,
      working: null,
      commit: factory.git('rev-parse', 'task/DOC-001'),
      reviews: [
        { station: 'local-reviewer', reviewer: 'local-reviewer', verdict: 'PASS', findings: 0 },
        { station: 'judge', reviewer: 'judge', verdict: 'PASS', findings: 0 },
      ],
    });
    expect(new Set(shown.reviews.map(({ tree }) => tree))).toEqual(
      new Set([factory.git('rev-parse', 'task/DOC-001^{tree}')]),
    );
    expect(shown.calls.map(({ station }) => station)).toEqual(['implementer', 'local-reviewer', 'judge']);
    expect((await factory.andon('show', 'DOC-001')).stdout).toContain('3 calls, $0.0200');
    expect((await factory.andon('show', 'DOC-001', '--prompt', '1')).stdout).toContain('Merge both documents into one');
    expect((await factory.andon('show', 'DOC-001', '--answer', '1')).stdout).toContain('FILE: docs/auth_final.md');

    const { stdout: patch } = await factory.andon('diff', 'DOC-001');
    factory.git('switch', '--quiet', '--detach', shown.base);
    factory.write('../change.patch', patch);
    factory.git('apply', join(factory.folder, 'change.patch'));
    expect(factory.read('docs/auth_final.md')).toBe(FINAL);

    const logs = await factory.andon('logs', '--json', '--task', 'DOC-001');
    const rows = logs.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { seq: number; task_id: string });
    expect(rows.length).toBeGreaterThan(8);
    expect(rows.every(({ task_id: id }) => id === 'DOC-001')).toBe(true);
    expect((await factory.andon('logs')).stdout).toContain('merged into main');
  });

  test(
    'is followed live by logs --follow, which begins before there is a journal and ends with Ctrl-C',
    { tags: 'thorough' },
    async () => {
      const factory = await aFactory();
      const logs = factory.start(['logs', '--follow']);
      await eventually(() => logs.output() !== '', 'it says that it waits');
      await factory.run(aContract());
      await eventually(() => logs.output().includes('merged into main'), 'logs --follow tells of the merge');
      logs.child.kill('SIGINT');
      expect(await logs.ended).toMatchObject({
        code: 0,
        stderr: 'andon: Waits for the first task. Press Ctrl-C to end.\n',
      });
    },
  );

  test('is the same from a subfolder of the repository', { tags: 'thorough' }, async () => {
    const factory = await aFactory();
    await factory.run(aContract());
    const { stdout } = await factory.andonIn(join(factory.repo, 'docs'), 'list', '--json');
    expect(JSON.parse(stdout)).toMatchObject([{ task_id: 'DOC-001', status: 'merged' }]);
  });
});

describe('what is typed wrong', { tags: 'thorough' }, () => {
  test('outside a repository a command ends with one sentence and what to do, exit code 2', async () => {
    const factory = await aFactory();
    const outside = join(factory.folder, 'elsewhere');
    mkdirSync(outside);
    for (const args of [
      ['status'],
      ['list'],
      ['show', 'X'],
      ['diff', 'X'],
      ['logs'],
      ['resume', 'X', '--path', '1'],
      ['abandon', 'X'],
      ['watch'],
    ]) {
      const { code, stdout, stderr } = await factory.andonIn(outside, ...args);
      expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: '' });
      expect(stderr).toMatch(/^andon: .*not a git repository.*\n.*git init/);
      expect(stderr).not.toMatch(/\n\s+at /);
    }
  });

  test('what is about no task, or about one that has ended, is refused with exit code 2', async () => {
    const factory = await aFactory();
    const { dog } = await factory.run(aContract());
    await dog.stop();
    for (const [args, about] of [
      [['show', 'NOPE'], 'NOPE'],
      [['diff', 'NOPE'], 'NOPE'],
      [['resume', 'NOPE', '--path', '1'], 'NOPE'],
      [['abandon', 'NOPE'], 'NOPE'],
      [['resume', 'DOC-001', '--path', '1'], 'DOC-001'],
      [['abandon', 'DOC-001'], 'DOC-001'],
      [['show', 'DOC-001', '--prompt', '99'], '99'],
      [['frobnicate'], 'frobnicate'],
    ] as const) {
      const { code, stderr } = await factory.andon(...args);
      expect([args, code, stderr]).toEqual([args, 2, expect.stringContaining(about)]);
      expect(stderr).not.toMatch(/\n\s+at /);
    }
  });

  test.each([
    [['shw'], 'Unknown command: shw. The nearest is show.', 'Run `andon --help` to see all commands.'],
    [['shw', '--help'], 'Unknown command: shw. The nearest is show.', 'Run `andon --help` to see all commands.'],
    [['diffs'], 'Unknown command: diffs. The nearest is diff.', 'Run `andon --help` to see all commands.'],
    [
      ['status', '--jsn'],
      'Unknown option: --jsn. The nearest is --json.',
      'Run `andon status --help` to see its options.',
    ],
    [['abandon'], 'Missing argument: task id.', 'Run `andon list` to see all tasks.'],
    [['show'], 'Missing argument: task id.', 'Run `andon list` to see all tasks.'],
    [['diff'], 'Missing argument: task id.', 'Run `andon list` to see all tasks.'],
    [['explain'], 'Missing argument: task id.', 'Run `andon list` to see all tasks.'],
    [['resume'], 'No task is halted.', 'Run `andon list` to see all tasks.'],
    [['logs', '--task'], 'Missing value: --task <task>.', 'Run `andon logs --help` to see its options.'],
    [['status', 'x', 'y'], 'Unexpected argument: x, y.', 'Run `andon status --help`.'],
    [['show', 'X', '--diff', '--cost'], '--diff and --cost cannot be combined.', 'Run `andon show --help`.'],
    ...['diff', 'prompt', 'answer'].map((view): [string[], string, string] => [
      ['show', 'X', `--${view}`, '--json'],
      `--${view} and --json cannot be combined.`,
      `Run \`andon show X --${view}\`.`,
    ]),
    [['diff', 'X', '--json'], '--diff and --json cannot be combined.', 'Run `andon show X --diff`.'],
    [['show', 'X', '--html'], '--html needs --report.', 'Run `andon show --help`.'],
    [['resume', 'X', '--again', '--path', '1'], '--again and --path cannot be combined.', 'Run `andon resume --help`.'],
    [['start', '--print'], '--print needs --service install.', 'Run `andon start --help`.'],
    [['check', '--base', '--staged'], '--base and --staged cannot be combined.', 'Run `andon check --base`.'],
  ])('%j names the fault, the value and one command to paste', async (args, fault, remedy) => {
    const factory = await aFactory();
    const { code, stdout, stderr } = await factory.andon(...args);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: `andon: ${fault}\n       ${remedy}\n` });
    expect(factory.has('_handoff')).toBe(false);
  });

  test('another spelling does what the command does', async () => {
    const factory = await aFactory();
    const { dog } = await factory.run(aContract());
    await dog.stop();
    for (const [alias, words] of [
      [
        ['diff', 'DOC-001'],
        ['show', 'DOC-001', '--diff'],
      ],
      [
        ['explain', 'DOC-001'],
        ['show', 'DOC-001', '--explain'],
      ],
      [
        ['cost', 'DOC-001', '--json'],
        ['show', 'DOC-001', '--cost', '--json'],
      ],
      [
        ['verify', '--json'],
        ['doctor', '--journal', '--json'],
      ],
      [['enforce'], ['rules', 'enforce']],
      [['ci'], ['check', '--base']],
    ] as const) {
      const [first, second] = [await factory.andon(...alias), await factory.andon(...words)];
      expect(first.stdout).not.toBe('');
      expect([alias, first.code, first.stdout]).toEqual([alias, second.code, second.stdout]);
    }
  });

  test('a broken configuration is refused with file and place', async () => {
    const factory = await aFactory({ projectConfig: { gatez: [] } });
    const { code, stderr } = await factory.andon('watch');
    expect(code).toBe(2);
    expect(stderr).toContain('.andon/config.yaml');
    expect(stderr).toContain('gatez');
  });

  test('a repository without a commit is refused in words', async () => {
    const factory = await aFactory();
    rmSync(join(factory.repo, '.git'), { recursive: true });
    factory.git('init', '--quiet');
    const dog = await factory.begin(aContract());
    await dog.until(() => factory.paper('CONTRACT_REJECTED.md'));
    expect(factory.paper('CONTRACT_REJECTED.md')).toContain('$.git.base_branch');
  });

  test('a repository may not switch the cage off or name programs, and is told so', async () => {
    const factory = await aFactory({ projectConfig: { cage: 'none', agents: { claude: { program: '/bin/true' } } } });
    const dog = await factory.watch();
    expect(dog.output()).toContain('`cage`');
    factory.drop(aContract());
    expect(await factory.end(dog)).toBe('merged');
    expect(factory.calls('judge')).toHaveLength(1);
  });

  test('a task that waits in the queue has not begun, and is told how to be withdrawn', async () => {
    const factory = await aFactory();
    factory.drop(aContract({ task_id: 'LATER' }), 'queue/any-name.json');
    for (const command of ['abandon', 'halt']) {
      const { code, stderr } = await factory.andon(command, 'LATER');
      expect(code).toBe(2);
      expect(stderr).toContain('LATER has not begun: it waits in _handoff/queue/any-name.json');
      expect(stderr).toContain('andon queue withdraw LATER takes it out');
    }
    expect((await factory.andon('list')).stdout).toContain('`andon status` shows what waits');
  });

  test('--help and --version are no mistakes', async () => {
    const factory = await aFactory();
    expect(await factory.andon('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('resume') });
    expect(await factory.andon('--version')).toMatchObject({ code: 0, stdout: '0.1.0\n' });
  });
});
