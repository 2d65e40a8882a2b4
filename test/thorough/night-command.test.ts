/** @module-tag thorough */
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually, type Factory } from '../support/factory.ts';
import { write } from '../support/versions.ts';

const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
const holdOf = async (factory: Factory) => {
  const { stdout } = await factory.andon('status', '--json');
  return (JSON.parse(stdout) as { task: { hold: { own: string; until: string; reason: string } | null } | null }).task
    ?.hold;
};
const digestOf = async (factory: Factory) =>
  JSON.parse((await factory.andon('digest', '--json')).stdout) as {
    nights: readonly { went: string; what: string | null }[];
    spent: { ceilings: readonly { ceiling: string; of: string; at_least: number; limit: number }[] };
  };

describe('andon night', () => {
  test('works until it is stopped, and the digest says that it was cut short', async () => {
    const factory = await aFactory({ apart: true });
    const { child, ended, output } = factory.start(['night', '--until', inHours(6), '--usd', '5']);
    await eventually(() => output().includes('watches'), 'it watches');
    factory.drop(aContract());
    await eventually(() => factory.isMerged(), 'the task is merged');
    const { spent } = await digestOf(factory);
    expect(spent.ceilings).toMatchObject([{ ceiling: 'of this night', of: 'usd', limit: 5 }]);
    child.kill('SIGINT');
    expect((await ended).code).toBe(0);
    expect(output()).toMatch(/the night ended at .*, before its time/);
    expect((await digestOf(factory)).nights).toMatchObject([
      { went: 'cut short', what: expect.stringMatching(/^it was ended early at /) },
    ]);
  });

  test('lets nothing begin that could not be over in time, and ends by itself', async () => {
    const factory = await aFactory({ apart: true });
    factory.drop(aContract());
    const until = new Date(Date.now() + 8000).toISOString();
    const refused = await factory.andon('night', '--until', until);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /Nothing can begin in this night: the night ends at .*, and the shortest next step takes up to 60 minutes\n.*andon night --until \S+; or .*andon new --hard-limit MINUTES/,
      ),
    });
    const { ended, output } = factory.start(['night', '--until', until, '--usd', '5', '--anyway']);
    const { code } = await ended;
    expect(output()).toMatch(/implementer: waits: the night ends at .*, and the next step may take 60 minutes/);
    expect(output()).toContain('the night is over');
    const { nights, spent } = await digestOf(factory);
    expect(spent.ceilings).toMatchObject([{ ceiling: 'of this night', of: 'usd', at_least: 0, limit: 5 }]);
    expect(nights).toMatchObject([{ could_not_begin: [expect.stringContaining('DOC-001: the night ends at')] }]);
    expect(code).toBe(0);
    expect(factory.calls()).toEqual([]);
  });

  test('goes on with a night whose andon was killed, with what that has used; with other limits it does not', async () => {
    const factory = await aFactory({ apart: true });
    const until = inHours(6);
    const first = factory.start(['night', '--until', until, '--tokens', '1']);
    await eventually(() => first.output().includes('watches'), 'it watches');
    first.child.kill('SIGKILL');
    await first.ended;
    expect(await factory.andon('night', '--tokens', '900000')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/until .*, with 1 tokens; its andon is gone/),
    });
    const second = factory.start(['night']);
    await eventually(() => second.output().includes('watches'), 'it watches again');
    expect(second.output()).toMatch(/the night that was opened at .* goes on: its andon is gone/);
    factory.drop(aContract());
    await eventually(() => second.output().includes('the ceiling of this night of 1 tokens'), 'its ceiling holds');
    second.child.kill('SIGINT');
    await second.ended;
    expect((await digestOf(factory)).nights).toMatchObject([{ went: 'cut short' }]);
    expect((await factory.andon('night', '--stop')).code).toBe(1);
  });

  test('is ended by --stop with the andon that it started: the call under way is settled, and none begins', async () => {
    const factory = await aFactory({
      apart: true,
      scenario: { implementer: [{ ...write(1), does: [{ touch: 'at' }, { 'wait-for': 'never' }] }] },
    });
    const { ended, output } = factory.start(['night', '--until', inHours(6)]);
    await eventually(() => output().includes('watches'), 'it watches');
    factory.drop(aContract());
    await eventually(() => factory.calls('implementer').length === 1, 'the implementer works');
    const stopped = await factory.andon('night', '--stop');
    expect(stopped).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('the watchdogs that it started have ended'),
    });
    expect((await ended).code).toBe(0);
    expect((await factory.show('DOC-001')).story.filter(({ text }) => text.includes('interrupted'))).toHaveLength(1);
    expect(factory.calls()).toHaveLength(1);
    expect((await factory.andon('status')).stdout).not.toContain('a night is open');
  });

  test('an andon that died is no night under way: it is said, though another watches elsewhere, with the command', async () => {
    const factory = await aFactory({ apart: true });
    const other = await aFactory({ apart: true });
    other.env['XDG_STATE_HOME'] = factory.env['XDG_STATE_HOME'] ?? '';
    await other.watch();
    const { child, ended, output } = factory.start(['night', '--until', inHours(6), '--usd', '5']);
    await eventually(() => output().includes('watches'), 'it watches');
    child.kill('SIGKILL');
    await ended;
    expect((await digestOf(factory)).nights).toMatchObject([
      { went: 'cut short', what: expect.stringContaining('no andon is alive'), goes_on: { command: 'andon night' } },
    ]);
    const { stdout } = await factory.andon('status');
    expect(stdout).toContain('its andon is not alive');
    expect(stdout).toContain('no watchdog is running here. Run `andon night` to go on with the night.');
  });

  test('holds an andon that watches already; ended by hand, that one begins nothing until it is told to go on', async () => {
    const factory = await aFactory({ apart: true });
    const dog = await factory.watch();
    const until = inHours(6);
    const opened = await factory.andon('night', '--until', until, '--tokens', '1');
    expect(opened).toMatchObject({ code: 0, stdout: expect.stringContaining('its andon heeds this night') });
    const again = await factory.andon('night');
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('A night is open already') });
    factory.drop(aContract());
    await dog.until(/waits: the ceiling of this night of 1 tokens is less than the next call may take: \d+ tokens/);
    expect(await holdOf(factory)).toMatchObject({ own: 'night', until });
    expect((await factory.andon('status')).stdout).toContain('a night is open until');
    const stopped = await factory.andon('night', '--stop');
    expect(stopped).toMatchObject({ code: 0, stdout: expect.stringContaining('begins nothing') });
    await dog.until(/waits: the night was stopped at /);
    expect(factory.calls()).toEqual([]);
    expect((await factory.andon('night', '--stop', '--keep-watching')).code).toBe(0);
    expect(await factory.end(dog)).toBe('merged');
  });

  test('--dry-run says what would run, in which order, and what it would use at most; nothing is opened', async () => {
    const factory = await aFactory();
    factory.drop({ ...aContract(), limits: { budget: { usd: 2, tokens: 50_000 } } });
    const more = (id: string, priority: number) => ({
      ...aContract(),
      task_id: id,
      priority,
      limits: { budget: { usd: 1.5 } },
    });
    factory.drop(more('DOC-003', 1), 'queue/c.json');
    factory.drop(more('DOC-002', 5), 'queue/b.json');
    const said = await factory.andon('night', '--dry-run', '--until', inHours(6));
    expect(said.stdout).toMatch(/3 tasks until .*\n1\. .*DOC-001 .*\n2\. .*DOC-002 .*\n3\. .*DOC-003 /);
    expect(said.stdout).toContain(
      'at most: $5.00 (the budgets of these tasks together; what is submitted meanwhile comes on top); no limit on tokens',
    );
    const plan = JSON.parse((await factory.andon('night', '--dry-run', '--usd', '3', '--json')).stdout) as object;
    expect(plan).toMatchObject({
      at_most: { usd: 3, tokens: null },
      bounded_by: { usd: '--usd' },
      tasks: [{ task_id: 'DOC-001', state: 'waits', usd: 2, tokens: 50_000, step_minutes: 60 }, {}, {}],
    });
    expect(await factory.andon('night', '--stop')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No night is open'),
    });
  });

  test.each([
    [['--until', 'later'], 'Invalid value: --until later'],
    [['--until', '2020-01-01T07:00'], 'a moment to come'],
    [['--usd', '-1'], 'Invalid value: --usd -1'],
    [['--usd', 'ten'], 'Invalid value: --usd ten'],
    [['--tokens', '1.5'], 'Invalid value: --tokens 1.5'],
    [['--json'], '--json needs --dry-run'],
    [['--keep-watching'], '--keep-watching needs --stop'],
  ])('refuses %j, and changes nothing', async (args, why) => {
    const factory = await aFactory();
    const ended = await factory.andon('night', ...args);
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
    expect((await factory.andon('night', '--stop')).code).toBe(1);
  });
});
