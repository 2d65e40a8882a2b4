import { createHmac } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCommandNotifier } from '../../../../src/line/notify/command-notifier.ts';
import { createDesktopNotifier } from '../../../../src/line/notify/desktop-notifier.ts';
import { createWebhookNotifier } from '../../../../src/line/notify/webhook-notifier.ts';
import type { Notification } from '../../../../src/project/config/notification.ts';
import { aWebhook } from '../../../support/webhook.ts';
import { aFolder, aRunner, isAlive, pidIn, until } from '../../sandbox/processes/a-runner.ts';

const HALT: Notification = {
  id: 'a'.repeat(32),
  event: 'halt',
  priority: 'high',
  repository: { name: 'shop', root: '/home/erik/shop' },
  task_id: 'DOC-001',
  title: 'Sessions end',
  phrase: 'Wants files outside its scope',
  sentence: 'DOC-001 is halted (scope): `rm -rf /` $(reboot) "; <b>bold</b> & more',
  next: 'andon resume DOC-001 --path 1',
  at: '2026-01-16T12:00:00.000Z',
  halt_id: 'DOC-001-7',
  page: '/halt/shop-1/DOC-001?halt=DOC-001-7',
  breaker: 'scope',
};
const never = new AbortController().signal;

/** A folder with an executable script in it, and surroundings in which that is the first on PATH. */
function aScript(name: string, script: string) {
  const folder = aFolder();
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, name), 0o755);
  const env = { PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}`, DISPLAY: ':0' };
  return { folder, around: { ...aRunner(), folder, env } };
}
const ARGUMENTS = 'for word in "$@"; do printf "%s\\0" "$word"; done >told';
const wordsIn = (folder: string) => readFileSync(join(folder, 'told'), 'utf8').split('\0').slice(0, -1);

describe('the desktop', () => {
  it('is told by notify-send, in arguments that no shell reads and no markup escapes from', async () => {
    const { folder, around } = aScript('notify-send', ARGUMENTS);
    expect(await createDesktopNotifier('auto', around, 'linux')?.(HALT, never)).toBeUndefined();
    expect(wordsIn(folder)).toEqual([
      '--app-name=andon',
      '--urgency=critical',
      '--',
      'andon: DOC-001',
      'DOC-001 is halted (scope): `rm -rf /` $(reboot) "; &lt;b&gt;bold&lt;/b&gt; &amp; more\nandon resume DOC-001 --path 1',
    ]);
  });

  it('is told by osascript, whose script is always the same and takes the texts as arguments', async () => {
    const { folder, around } = aScript('osascript', ARGUMENTS);
    expect(await createDesktopNotifier('auto', around, 'darwin')?.(HALT, never)).toBeUndefined();
    const words = wordsIn(folder);
    expect(words.slice(0, 6).join(' ')).toBe(
      '-e on run argv -e display notification (item 2 of argv) with title (item 1 of argv) -e end run',
    );
    expect(words.slice(6)).toEqual(['andon: DOC-001', `${HALT.sentence}\n${HALT.next}`]);
  });

  it('is left alone where there is none, where the program is missing, and where it is switched off', () => {
    const { around } = aScript('notify-send', '');
    const bare = { ...around, env: { PATH: around.env.PATH } };
    const empty = { ...around, env: { PATH: aFolder(), DISPLAY: ':0' } };
    expect(createDesktopNotifier('auto', bare, 'linux')).toBeUndefined();
    expect(createDesktopNotifier('auto', empty, 'linux')).toBeUndefined();
    expect(createDesktopNotifier(false, around, 'linux')).toBeUndefined();
  });

  it('that was demanded and is missing is a failure in words', async () => {
    const { around } = aScript('other', '');
    const empty = { ...around, env: { PATH: aFolder() } };
    expect(await createDesktopNotifier(true, empty, 'linux')?.(HALT, never)).toMatch(/notify-send is not installed/);
  });
});

describe('the command', () => {
  it('gets one JSON object on standard input, and event and task in its environment', async () => {
    const { folder, around } = aScript('hook', 'cat >told; env >env; echo "$1" >arg');
    expect(await createCommandNotifier(['hook', 'a $(b) c'], around)(HALT, never)).toBeUndefined();
    expect(JSON.parse(readFileSync(join(folder, 'told'), 'utf8'))).toEqual(HALT);
    expect(readFileSync(join(folder, 'env'), 'utf8')).toMatch(/^ANDON_EVENT=halt$/m);
    expect(readFileSync(join(folder, 'env'), 'utf8')).toMatch(/^ANDON_TASK=DOC-001$/m);
    expect(readFileSync(join(folder, 'arg'), 'utf8')).toBe('a $(b) c\n');
  });

  it.each([
    ['fails', 'echo "no\u001b[31m network" >&2; exit 3', /^hook ended with 3: no network$/],
    ['reads nothing', 'exit 0', undefined],
    ['prints without end', 'yes', /^hook was ended: too much output$/],
  ])('that %s is told about in one safe line', async (_, script, words) => {
    const { around } = aScript('hook', script);
    const why = await createCommandNotifier(['hook'], around)(HALT, never);
    if (words === undefined) expect(why).toBeUndefined();
    else expect(why).toMatch(words);
  });

  it('that is missing is a failure in words', async () => {
    const { around } = aScript('hook', '');
    expect(await createCommandNotifier(['no-such-hook'], around)(HALT, never)).toMatch(
      /^no-such-hook is not installed/,
    );
  });

  it('that hangs and is deaf is ended after its time, with all that it started', { tags: 'thorough' }, async () => {
    const { folder, around } = aScript('hook', "trap '' TERM; sleep 60 & echo $! >child; echo $$ >pid; wait; sleep 60");
    expect(await createCommandNotifier(['hook'], around, 2000)(HALT, never)).toBe('hook took longer than 2 s');
    expect(isAlive(pidIn(join(folder, 'pid')))).toBe(false);
    expect(await until(() => !isAlive(pidIn(join(folder, 'child'))))).toBe(true);
  });

  it('is ended when andon stops, long before its time is over', async () => {
    const { folder, around } = aScript('hook', "trap '' TERM; echo $$ >pid; while :; do sleep 1; done");
    const stop = new AbortController();
    const told = createCommandNotifier(['hook'], around)(HALT, stop.signal);
    expect(await until(() => existsSync(join(folder, 'pid')))).toBe(true);
    const began = performance.now();
    stop.abort();
    expect(await told).toBe('hook was ended: aborted');
    expect(performance.now() - began).toBeLessThan(15_000); // half of what it may take by itself
  });
});

const FAST = { tryMs: 1500, totalMs: 15_000, pausesMs: [20, 40] };
const SECRET = 'a shared secret';

describe('the webhook', () => {
  it('posts JSON with a signature over time and body', async () => {
    const hook = await aWebhook();
    expect(await createWebhookNotifier({ url: hook.url, secret: SECRET }, {}, FAST)(HALT, never)).toBeUndefined();
    const [request] = hook.requests;
    expect(JSON.parse(request?.body ?? '')).toEqual(HALT);
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'andon-event': 'halt',
      'andon-delivery': HALT.id,
    });
    const [, seconds = '', signature] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(request?.headers['andon-signature'] ?? '') ?? [];
    expect(Math.abs(Number(seconds) - Date.now() / 1000)).toBeLessThan(60);
    expect(signature).toBe(createHmac('sha256', SECRET).update(`${seconds}.${request?.body}`).digest('hex'));
  });

  it('takes its secret from the environment, and posts nothing unsigned', async () => {
    const hook = await aWebhook();
    const settings = { url: hook.url, secret_env: 'HOOK_SECRET' };
    expect(await createWebhookNotifier(settings, {}, FAST)(HALT, never)).toMatch(/HOOK_SECRET is not set/);
    expect(hook.requests).toEqual([]);
    expect(await createWebhookNotifier(settings, { HOOK_SECRET: SECRET }, FAST)(HALT, never)).toBeUndefined();
  });

  it('that fails twice is tried a third time, with the same id', async () => {
    const hook = await aWebhook([500, 'hang up', 204]);
    expect(await createWebhookNotifier({ url: hook.url, secret: SECRET }, {}, FAST)(HALT, never)).toBeUndefined();
    expect(hook.requests.map(({ headers }) => headers['andon-delivery'])).toEqual([HALT.id, HALT.id, HALT.id]);
  });

  it.each([
    ['keeps failing', [503], 3, /^127\.0\.0\.1:\d+ answered 503 \(3 tries\)$/],
    ['never answers', ['silent'], 3, /^127\.0\.0\.1:\d+ did not answer in time \(3 tries\)$/],
    ['refuses', [401], 1, /^127\.0\.0\.1:\d+ answered 401$/],
    ['sends elsewhere', [307], 1, /^127\.0\.0\.1:\d+ answered 307; redirects are not followed$/],
  ] as const)('that %s is a failure in words', { tags: 'thorough' }, async (_, answers, tries, words) => {
    const elsewhere = await aWebhook();
    const hook = await aWebhook(answers, elsewhere.url);
    expect(await createWebhookNotifier({ url: hook.url, secret: SECRET }, {}, FAST)(HALT, never)).toMatch(words);
    expect([hook.requests.length, elsewhere.requests.length]).toEqual([tries, 0]);
  });

  it('that nobody runs is a failure in words', async () => {
    const hook = await aWebhook();
    await hook.close();
    const why = await createWebhookNotifier({ url: hook.url, secret: SECRET }, {}, FAST)(HALT, never);
    expect(why).toMatch(/could not be reached \(.*ECONNREFUSED.*\) \(3 tries\)$/);
  });

  it('is given up at its total time, and at once when andon stops', async () => {
    const hook = await aWebhook(['silent']);
    const settings = { url: hook.url, secret: SECRET };
    const began = performance.now();
    const slow = { tryMs: 10_000, totalMs: 150, pausesMs: [10_000] };
    expect(await createWebhookNotifier(settings, {}, slow)(HALT, never)).toMatch(/did not answer in time/);
    const stop = new AbortController();
    const told = createWebhookNotifier(settings, {}, { ...slow, totalMs: 60_000 })(HALT, stop.signal);
    expect(await until(() => hook.requests.length === 2)).toBe(true);
    stop.abort();
    expect(await told).toBeDefined();
    expect(performance.now() - began).toBeLessThan(9000); // less than one try may take
  });
});
