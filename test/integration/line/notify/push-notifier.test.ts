import { describe, expect, it } from 'vitest';
import { createPushNotifier, encryptForBrowser, makePushKeys } from '../../../../src/line/notify/push-notifier.ts';
import type { Notification } from '../../../../src/project/config/notification.ts';
import { aPushService } from '../../../support/push-service.ts';

const HALT: Notification = {
  id: 'a'.repeat(32),
  event: 'halt',
  priority: 'high',
  repository: { name: 'shop', root: '/home/erik/shop' },
  task_id: 'FIX-103',
  title: 'Sessions end',
  phrase: 'Reviewer and judge disagree',
  sentence: 'FIX-103 is halted: the judge quotes `const secret = 1`',
  next: 'andon resume FIX-103 --path 1',
  at: '2026-01-16T12:00:00.000Z',
  halt_id: 'FIX-103-1',
  page: '/halt/shop-1/FIX-103?halt=FIX-103-1',
  breaker: 'paradox',
};
const never = new AbortController().signal;
const contact = 'mailto:andon@example.org';

describe('a push to a browser', () => {
  it('is encrypted as in the example of RFC 8291', () => {
    const decode = (text: string): Buffer => Buffer.from(text, 'base64url');
    const sealed = encryptForBrowser(
      Buffer.from('When I grow up, I want to be a watermelon'),
      {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
      { salt: decode('DGv6ra1nlYgDCS1FRnbzlw'), privateKey: decode('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw') },
    );
    expect(sealed.toString('base64url')).toBe(
      'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
    );
  });

  it('is signed, and holds title, cause and page, no quotation', async () => {
    const service = await aPushService();
    const subscriptions = ['one', 'two'].map((name) => service.subscribe(name));
    const dropped: string[] = [];
    const plan = { keys: makePushKeys(), contact, drop: (endpoint: string) => void dropped.push(endpoint) };
    expect(await createPushNotifier({ ...plan, subscriptions: () => subscriptions })(HALT, never)).toBeUndefined();
    expect(service.messages.map(({ path }) => path).toSorted()).toEqual(['/one', '/two']);
    for (const { text, headers, body } of service.messages) {
      expect(JSON.parse(text)).toEqual({
        title: 'Sessions end',
        body: 'Reviewer and judge disagree · FIX-103',
        page: HALT.page,
        tag: HALT.id,
      });
      expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high', topic: HALT.id });
      expect(body.includes('FIX-103')).toBe(false);
    }
    expect(dropped).toEqual([]);
  });

  it('forgets a browser that is gone, and says what else failed', async () => {
    const statuses: Readonly<Record<string, number>> = { '/gone': 410, '/unknown': 404, '/refusing': 413 };
    const service = await aPushService((path) => statuses[path] ?? 201);
    const subscriptions = ['gone', 'unknown', 'there'].map((name) => service.subscribe(name));
    const dropped: string[] = [];
    const plan = { keys: makePushKeys(), contact, drop: (endpoint: string) => void dropped.push(endpoint) };
    expect(await createPushNotifier({ ...plan, subscriptions: () => subscriptions })(HALT, never)).toBeUndefined();
    expect(dropped.map((endpoint) => new URL(endpoint).pathname)).toEqual(['/gone', '/unknown']);
    expect(service.messages.map(({ path }) => path)).toEqual(['/there']);
    const refusing = [service.subscribe('refusing')];
    expect(await createPushNotifier({ ...plan, subscriptions: () => refusing })(HALT, never)).toMatch(/answered 413$/);
  });
});
