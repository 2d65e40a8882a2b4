/** @module-tag thorough */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { eventually } from '../support/factory.ts';
import { HALTING, TELL, aToldFactory, events, noted } from '../support/told-factory.ts';
import { HAS_TERMINAL, inTerminal } from '../support/terminal.ts';
import { aWebhook } from '../support/webhook.ts';

describe('an event', () => {
  test('is told once over every channel, a halt only when its papers lie there', async () => {
    const webhook = await aWebhook([500, 'hang up', 200]);
    const settings = { desktop: true, webhook: { url: webhook.url, secret_env: 'HOOK_SECRET' } };
    const { factory, script, told, read } = await aToldFactory(TELL, settings);
    script('notify-send', 'echo "$4" >>"$HERE/desktop"');
    factory.env['HOOK_SECRET'] = 'a shared secret';
    const { dog } = await factory.run(aContract(HALTING));
    await eventually(() => noted(factory).length === 3, 'the halt is told over three channels');
    expect(noted(factory).toSorted()).toEqual(['halt command', 'halt desktop', 'halt webhook']);
    expect(told()).toMatchObject([
      { event: 'halt', priority: 'high', task_id: 'DOC-001', breaker: 'destructive_action', halt_id: 'DOC-001-1' },
    ]);
    expect(told()[0]?.repository).toEqual({ name: 'Project-A', root: factory.repo });
    expect(read('while-locked')).toBe('halt\n');
    expect(read('desktop')).toBe('andon: DOC-001\n');
    expect(webhook.requests).toHaveLength(3);
    expect(JSON.parse(webhook.requests[2]?.body ?? '')).toEqual(told()[0]);

    await dog.stop();
    const again = await factory.watch();
    expect((await factory.andon('resume', 'DOC-001', '--path', '1')).code).toBe(0);
    await again.until(() => factory.isMerged());
    await eventually(() => noted(factory).length === 6, 'the merge is told over three channels');
    await again.stop();
    const last = await factory.watch();
    await last.stop();
    expect(events(told())).toEqual(['halt', 'merged']);
    expect(webhook.requests).toHaveLength(4);
    expect(read('desktop')).toBe('andon: DOC-001\nandon: DOC-001\n');
  });

  test('that is a refused contract is told once, also over a restart', async () => {
    const { factory, told } = await aToldFactory();
    const dog = await factory.begin({ ...aContract(), roles: 'nobody' });
    await eventually(() => told().length === 1, 'the refusal is told');
    expect(told()).toMatchObject([
      { event: 'refused', task_id: null, next: 'andon contract lint _handoff/TASK_CONTRACT.json' },
    ]);
    await eventually(() => noted(factory).length === 1, 'that is noted');
    await dog.stop();
    const again = await factory.watch();
    await again.until('is refused');
    factory.drop({ ...aContract(), roles: 'nobody else' });
    await eventually(() => told().length > 1, 'the next refusal is told');
    expect(events(told())).toEqual(['refused', 'refused']);
    expect(new Set(told().map(({ id }) => id)).size).toBe(2);
  });
});

describe('an event that comes by the way', () => {
  test('is the loss of the lock, after which nothing is written any more', async () => {
    const { factory, told, path } = await aToldFactory();
    const dog = await factory.watch();
    const home = path('state/andon/repositories');
    rmSync(join(home, readdirSync(home)[0] ?? '', 'daemon.lock'), { recursive: true });
    await eventually(() => told().length > 0, 'the loss is told');
    expect(told()).toMatchObject([{ event: 'broken', priority: 'high', task_id: null, next: 'andon watch' }]);
    expect(told()[0]?.sentence).toMatch(/^andon stopped: the lock was lost/);
    await eventually(() => factory.processes().every(({ pid }) => pid !== dog.pid), 'andon has stopped');
    expect(dog.output()).toContain('stopped: the lock was lost');
    expect(noted(factory)).toEqual([]);
  });
});

describe('kill -9', () => {
  test('while the halt is being told neither loses the notification nor repeats it', async () => {
    const hook = `echo $$ >"$HERE/at"; until test -f "$HERE/go"; do sleep 0.02; done; ${TELL}`;
    const { factory, told, has, path } = await aToldFactory(hook, {}, { apart: true });
    const { dog } = await factory.run(aContract(HALTING));
    await eventually(() => has('at'), 'the command was started');
    await dog.kill9();
    expect([told(), noted(factory)]).toEqual([[], []]);
    rmSync(path('at'));
    const again = await factory.watch();
    await eventually(() => has('at'), 'the command was started again');
    writeFileSync(path('go'), '');
    await eventually(() => noted(factory).length === 1, 'the halt is noted as told');
    await again.kill9();
    const last = await factory.watch();
    expect((await factory.andon('resume', 'DOC-001', '--path', '1')).code).toBe(0);
    await last.until(() => factory.isMerged());
    await eventually(() => told().length > 1, 'the merge is told');
    expect(events(told())).toEqual(['halt', 'merged']);
  });
});

describe('a notifier that does not work', () => {
  test.each([
    [
      'fails',
      'echo "no network" >&2; exit 1',
      {},
      /the notification by command failed: .*hook ended with 1: no network/,
    ],
    ['is missing', '', { command: ['/nowhere/hook'] }, /notification by command failed: .*is not there/],
    ['is a desktop that is not there', '', { desktop: true }, /notification by desktop failed: notify-send/],
    ['has no secret', '', { webhook: { url: 'http://127.0.0.1:9', secret_env: 'NO_SUCH' } }, /NO_SUCH is not set/],
  ])('because it %s costs one line of warning', async (_, hook, settings, words) => {
    const { factory } = await aToldFactory(hook, settings);
    const { dog, status } = await factory.run(aContract());
    expect(status).toBe('merged');
    await dog.until(words);
    expect(dog.output().match(/the notification by/g)).toHaveLength(1);
    expect(noted(factory)).toEqual([expect.stringMatching(/^merged \w+ failed$/)]);
    expect((await factory.andon('logs')).stdout).toContain('a notification by');
  });

  test('because it hangs delays neither the line nor Ctrl-C, and tells after the next start', async () => {
    const webhook = await aWebhook(['silent']);
    const settings = { webhook: { url: webhook.url, secret: 'a shared secret' } };
    const { factory, told, has, script } = await aToldFactory(
      `trap '' TERM; echo >"$HERE/at"; while :; do sleep 1; done`,
      settings,
    );
    const { dog } = await factory.run(aContract(HALTING));
    await eventually(() => has('at') && webhook.requests.length > 0, 'both hang');
    expect((await factory.andon('resume', 'DOC-001', '--path', '1')).code).toBe(0);
    await dog.until(() => factory.isMerged());
    const { code, ms } = await dog.stop();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(15_000); // both hang for longer
    expect(noted(factory)).toEqual([]);
    await eventually(() => factory.processes().length === 0, 'nothing is left running');
    script('hook', TELL);
    const again = await factory.watch();
    await eventually(() => told().length > 0, 'the merge is told after the restart');
    expect(events(told())).toEqual(['merged']);
    await again.stop();
  });
});

describe.skipIf(!HAS_TERMINAL)('the terminal that watches', () => {
  const TITLE = '\u001b]2;andon: DOC-001 is halted';
  test('rings once at a halt and shows it in its title, which is given back at the end', async () => {
    const { factory } = await aToldFactory('');
    const terminal = inTerminal(factory, ['watch', '--plain']);
    await terminal.see('watches');
    factory.drop(aContract(HALTING));
    await terminal.see(TITLE);
    expect((await factory.andon('resume', 'DOC-001', '--path', '1')).code).toBe(0);
    await eventually(() => factory.isMerged(), 'the task is merged');
    await terminal.see('\u001b]2;andon: DOC-001 is merged into main');
    terminal.type('\u0003');
    expect(await terminal.ended).toBe(0);
    const bells = terminal
      .raw()
      .replace(/\u001b\]2;[^\u0007]*\u0007/g, '')
      .match(/\u0007/g);
    expect(bells).toHaveLength(1);
    expect(terminal.raw()).toMatch(/\u001b\]2;\u0007\u001b\[23;2t\s*$/);
    expect(noted(factory)).toEqual(['halt bell']);
  });

  test('shows nothing of what the name of a file would do to it', async () => {
    const { factory } = await aToldFactory('');
    const terminal = inTerminal(factory, ['watch', '--plain']);
    await terminal.see('watches');
    factory.drop('{}', 'queue/\u001b]0;owned\u0007.json');
    await terminal.see('is refused');
    terminal.type('\u0003');
    expect(await terminal.ended).toBe(0);
    expect(terminal.raw()).not.toContain('\u001b]0;owned');
    expect(terminal.raw()).toContain('\\u{1b}]0;owned');
  });
});

describe('andon doctor --notify', () => {
  test('tries every channel and says what worked', async () => {
    const webhook = await aWebhook([204]);
    const settings = { webhook: { url: webhook.url, secret: 'a shared secret' } };
    const { factory, told } = await aToldFactory(TELL, settings);
    const tried = await factory.andon('doctor', '--notify');
    expect(tried.code).toBe(0);
    expect(tried.stdout).toMatch(
      /^off {3}bell .*\noff {3}title .*\noff {3}desktop .*\noff {3}push .*\nok {4}command\nok {4}webhook\n/,
    );
    expect(events(told())).toEqual(['test']);
    expect(webhook.requests).toHaveLength(1);
    expect(tried.ms).toBeLessThan(15_000);
  });

  test('ends with 1 when one channel failed, and says why', async () => {
    const { factory } = await aToldFactory('exit 4');
    const tried = await factory.andon('doctor', '--notify');
    expect([tried.code, tried.stdout]).toEqual([1, expect.stringMatching(/FAIL {2}command {2}.*hook ended with 4/)]);
    const facts = JSON.parse((await factory.andon('doctor', '--notify', '--json')).stdout) as object[];
    expect(facts).toContainEqual({ channel: 'command', state: 'failed', detail: expect.stringContaining('with 4') });
  });

  test('is not ended by a watchdog that starts meanwhile', async () => {
    const hook = 'touch "$HERE/began"; until [ -e "$HERE/go" ]; do sleep 0.1; done';
    const { factory, has, path } = await aToldFactory(hook);
    const testing = factory.start(['doctor', '--notify']);
    await eventually(() => has('began'), 'the command runs');
    await factory.watch();
    writeFileSync(path('go'), '');
    const { code, stdout } = await testing.ended;
    expect([code, stdout]).toEqual([0, expect.stringContaining('ok    command')]);
  });
});
