import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Notification, NotificationSettings } from '../../record/notification.ts';
import type { Notifier } from '../../ports/notifier.ts';

/** Time limits of one try and of all, and the pauses between them. */
const LIMITS = { tryMs: 5000, totalMs: 20_000, pausesMs: [500, 2000] };

/**
 * Posts the event as JSON. `Andon-Signature: t=<seconds>,v1=<hex>` is the HMAC-SHA256 of `<seconds>.<body>` under the
 * shared secret; the id of the event is the same at every try. No redirect is followed.
 */
export function createWebhookNotifier(
  { url, secret, secret_env }: NonNullable<NotificationSettings['webhook']>,
  env: Readonly<Record<string, string | undefined>>,
  limits = LIMITS,
): Notifier {
  return async (notification, signal) => {
    const key = secret ?? env[secret_env ?? ''] ?? '';
    if (key === '') return `the variable ${secret_env ?? ''} is not set where andon runs, so nothing can be signed`;
    const until = AbortSignal.any([signal, AbortSignal.timeout(limits.totalMs)]);
    for (let tried = 1; ; tried += 1) {
      const refused = await post(url, notification, key, until, limits.tryMs);
      if (refused === undefined) return undefined;
      const pause = refused.mayPass ? limits.pausesMs[tried - 1] : undefined;
      const isOver = pause === undefined || !(await rest(pause, until));
      if (isOver) return `${new URL(url).host} ${refused.why}${tried === 1 ? '' : ` (${tried} tries)`}`;
    }
  };
}

/** One try; why it failed, and whether to retry. */
async function post(
  url: string,
  notification: Notification,
  key: string,
  until: AbortSignal,
  tryMs: number,
): Promise<{ readonly why: string; readonly mayPass: boolean } | undefined> {
  const body = JSON.stringify(notification);
  const seconds = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex');
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'manual',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'andon',
        connection: 'close',
        'andon-event': notification.event,
        'andon-delivery': notification.id,
        'andon-signature': `t=${seconds},v1=${signature}`,
      },
      signal: AbortSignal.any([until, AbortSignal.timeout(tryMs)]),
    });
    void response.body?.cancel().catch(() => {});
    if (response.ok) return undefined;
    const why = `answered ${response.status}`;
    if (response.status >= 300 && response.status < 400)
      return { why: `${why}; redirects are not followed`, mayPass: false };
    return { why, mayPass: response.status >= 500 };
  } catch (error) {
    return { why: describeWebhookError(error), mayPass: true };
  }
}

function describeWebhookError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'did not answer in time';
  const { cause } = error;
  return `could not be reached (${cause instanceof Error ? cause.message || cause.name : error.message})`;
}

/** Waits; false when no retry is possible. */
const rest = (ms: number, signal: AbortSignal): Promise<boolean> =>
  sleep(ms, undefined, { signal }).then(
    () => true,
    () => false,
  );
