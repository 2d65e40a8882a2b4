import { createHmac } from 'node:crypto';
import type { NotificationSettings } from '../../project/config/notification.ts';
import type { Notifier } from './notifier.ts';
import { postUntilTaken } from './post.ts';

/**
 * Posts the event as JSON. `Andon-Signature: t=<seconds>,v1=<hex>` is the HMAC-SHA256 of `<seconds>.<body>` under the
 * shared secret; the id of the event is the same at every try.
 */
export function createWebhookNotifier(
  { url, secret, secret_env }: NonNullable<NotificationSettings['webhook']>,
  env: Readonly<Record<string, string | undefined>>,
  limits?: Parameters<typeof postUntilTaken>[3],
): Notifier {
  return async (notification, signal) => {
    const key = secret ?? env[secret_env ?? ''] ?? '';
    if (key === '') return `the variable ${secret_env ?? ''} is not set where andon runs, so nothing can be signed`;
    const body = JSON.stringify(notification);
    const sign = () => {
      const seconds = Math.floor(Date.now() / 1000);
      const signature = createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex');
      return {
        body,
        headers: {
          'content-type': 'application/json',
          'andon-event': notification.event,
          'andon-delivery': notification.id,
          'andon-signature': `t=${seconds},v1=${signature}`,
        },
      };
    };
    return (await postUntilTaken(url, signal, sign, limits))?.why;
  };
}
