import { signal } from '@preact/signals';
import { SESSION_HEADER } from '../base/names.ts';
import type { Entered, Ticket } from '../surfaces/web/told.ts';

/** Where this browser keeps its session: unlike a cookie, no other port of this host reads or receives it. */
const KEPT = 'andon-session';

/** Why the link that led here did not let this browser in; empty where it did, or none was opened. */
export const linkRefusal = signal('');

/** A request that shows the session of this browser. */
export function withSession(init: RequestInit = {}): RequestInit {
  const headers = new Headers(init.headers);
  headers.set(SESSION_HEADER, localStorage.getItem(KEPT) ?? '');
  return { ...init, headers };
}

/** Spends the token of a link that was opened, and forgets it; a browser that was let in before keeps its session. */
export async function enterByLink(): Promise<void> {
  if (location.pathname !== '/in') return;
  const token = new URLSearchParams(location.search).get('token') ?? '';
  history.replaceState(null, '', '/');
  try {
    const entered = (await (await send('/api/enter', { token })).json()) as Entered;
    if (entered.ok) localStorage.setItem(KEPT, entered.session);
    else linkRefusal.value = `${entered.said} ${entered.remedy}`;
  } catch {
    linkRefusal.value = 'The link was not answered as a board answers: open it again.';
  }
}

/** Opens a page that runs no script: a navigation sends no header, so a ticket stands for it, once. */
export async function openByTicket(path: string): Promise<void> {
  const answer = await send('/api/tickets', { path }).catch(() => undefined);
  if (answer?.ok !== true) return; // the board says itself that it is not heard or does not know this browser
  const { ticket } = (await answer.json()) as Ticket;
  location.replace(`${path}?ticket=${ticket}`);
}

const send = (path: string, body: object): Promise<Response> =>
  fetch(
    path,
    withSession({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  );
