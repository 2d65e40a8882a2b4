/** Shows what andon pushes, and opens its page at a tap. It asks for nothing and keeps only the number of needs. */

const NEEDS = '/needs';

addEventListener('push', (event) => event.waitUntil(show(event.data.json())));

addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data));
});

async function show({ title, body, page, tag }) {
  const others = await registration.getNotifications({ tag });
  await registration.showNotification(title, { body, tag, data: page });
  if (others.length > 0 || navigator.setAppBadge === undefined) return;
  // The board tells the number whenever it is open; until then each notification is one more.
  const cache = await caches.open('andon');
  const needs = Number((await (await cache.match(NEEDS))?.text()) ?? 0) + 1;
  await cache.put(NEEDS, new Response(String(needs)));
  await navigator.setAppBadge(needs);
}

async function open(page) {
  const { href, origin } = new URL(page, location.origin);
  if (origin !== location.origin) return;
  const [board] = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (board === undefined) return void (await clients.openWindow(href));
  await board.focus();
  board.postMessage({ page }, {});
}
