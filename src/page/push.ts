import type { ActionOutcome, PushKeyResponse } from '../app/web/api-types.ts';
import { ask } from './ask.ts';
import { go } from './current-route.ts';
import { getErrorMessage } from '../base/get-error-message.ts';

/** Why this browser cannot be notified; undefined where it can. */
export function findPushObstacle(): string | undefined {
  if (!isSecureContext)
    return 'Not possible here: needs HTTPS. Put a TLS proxy in front and set web.url to its address.';
  if (!('serviceWorker' in navigator) || !('PushManager' in globalThis))
    return /iPhone|iPad/.test(navigator.userAgent)
      ? 'Add this page to the home screen (Share), and open it from there: only then it can be notified.'
      : 'Not possible here: this browser has no Web Push.';
  if (Notification.permission === 'denied')
    return 'Blocked: allow notifications of this address in the settings of the browser.';
  return undefined;
}

const refuse = (said: string, remedy: string): ActionOutcome => ({ ok: false, code: 'bad-argument', said, remedy });

/** Asks the browser, then its push service, then the board; to be called by a tap. */
export async function subscribe(): Promise<ActionOutcome> {
  if ((await Notification.requestPermission()) !== 'granted')
    return refuse('The browser does not allow it', 'allow notifications of this address in its settings');
  const answer = await ask<PushKeyResponse>('/api/push/key', {});
  if (!answer.ok) return answer;
  try {
    await navigator.serviceWorker.register('/push-worker.js');
    const { pushManager } = await navigator.serviceWorker.ready;
    await (await pushManager.getSubscription())?.unsubscribe(); // it may be for other keys
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: answer.key });
    const { endpoint, keys: { p256dh = '', auth = '' } = {} } = made.toJSON();
    return await ask('/api/push', { subscription: { endpoint, p256dh, auth } });
  } catch (error) {
    const why = getErrorMessage(error);
    return refuse(`The push service of this browser refused: ${why}`, 'try again, or use another browser');
  }
}

export async function unsubscribe(): Promise<ActionOutcome> {
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
  await registration?.unregister();
  return ask('/api/push', { subscription: null });
}

/** Opens the page of a notification that was tapped. */
export function followNotifications(): void {
  if (!('serviceWorker' in navigator)) return;
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ readonly page?: string }>) => {
    if (data.page !== undefined) go(data.page);
  });
}

/** Shows the number of needs on the icon of the installed board, and leaves it to the service worker. */
export function showBadge(needs: number): void {
  const ignore = (): undefined => undefined; // some browsers have badges for installed pages only
  if ('setAppBadge' in navigator) void navigator.setAppBadge(needs).catch(ignore);
  if ('caches' in globalThis)
    void caches
      .open('andon')
      .then((cache) => cache.put('/needs', new Response(String(needs))))
      .catch(ignore);
}
