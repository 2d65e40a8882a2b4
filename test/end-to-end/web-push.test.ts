/** @module-tag thorough */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { DevicesResponse, PushKeyResponse } from '../../src/app/web/api-types.ts';
import { ask, enter } from '../support/board-browser.ts';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually } from '../support/factory.ts';
import { aPushService } from '../support/push-service.ts';
import { webOf } from '../support/web.ts';

test('a browser that asked for it is told of a halt by the watchdog, until it is gone', async () => {
  const gone = new Set<string>();
  const service = await aPushService((path) => (gone.has(path) ? 410 : 201));
  const factory = await aFactory();
  const web = await webOf(factory);
  const mine = { ...(await enter(web.link)), origin: web.origin };
  const post = async (path: string, body: object): Promise<unknown> =>
    JSON.parse((await ask(web.origin + path, mine, body)).body);
  const isNotified = async (): Promise<boolean | undefined> =>
    (JSON.parse((await ask(`${web.origin}/api/devices`, mine)).body) as DevicesResponse).devices[0]?.is_notified;
  const subscription = service.subscribe('phone');
  for (const endpoint of ['http://push.example/1', 'file:///etc/passwd', 'https://user:word@push.example/1'])
    expect(await post('/api/push', { subscription: { ...subscription, endpoint } }), endpoint).toMatchObject({
      ok: false,
    });
  const { key } = (await post('/api/push/key', {})) as Extract<PushKeyResponse, { ok: true }>;
  expect(await post('/api/push/key', {})).toMatchObject({ key }); // made once
  expect(statSync(join(factory.folder, 'state/andon/web/push-keys.json')).mode & 0o777).toBe(0o600);
  expect(await post('/api/push', { subscription })).toMatchObject({ ok: true });
  expect(await isNotified()).toBe(true);

  const { dog } = await factory.run(aContract({ 'constraints.max_diff_size': 1 }));
  await eventually(() => service.messages.length === 1, 'the halt is pushed');
  const [first] = service.messages;
  expect(first?.headers['authorization']).toContain(`k=${key}`);
  const said = JSON.parse(first?.text ?? '') as Readonly<Record<string, string>>;
  expect(said).toMatchObject({ body: 'The change exceeds its limits · DOC-001' });
  expect(Object.keys(said)).toEqual(['title', 'body', 'page', 'tag']);
  expect((await ask(web.origin + (said['page'] ?? ''), mine)).status).toBe(200);
  expect(said['page']).toMatch(/^\/halt\/[^/]+\/DOC-001\?halt=DOC-001-1$/);

  await dog.stop();

  gone.add('/phone');
  await factory.andon('doctor', '--notify');
  expect(await isNotified()).toBe(false);
  expect(service.messages).toHaveLength(1);
});
