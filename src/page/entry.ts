import { signal } from '@preact/signals';
import { SESSION_HEADER } from '../base/names.ts';
import type { LoginResponse } from '../app/web/api-types.ts';

/** Where this browser keeps its session: unlike a cookie, it is invisible to other ports of this host. */
const KEPT = 'andon-session';

/** The page that a browser without a session wanted to see; a link leads there. */
const WANTED = 'andon-wanted';

export function rememberPage(): void {
  localStorage.setItem(WANTED, location.pathname + location.search);
}

/** Why the login link failed; empty where it worked or none was opened. */
export const linkRefusal = signal('');

export function withSession(init: RequestInit = {}): RequestInit {
  const headers = new Headers(init.headers);
  headers.set(SESSION_HEADER, localStorage.getItem(KEPT) ?? '');
  return { ...init, headers };
}

/** Redeems and removes the token of a login link; a browser with a session keeps it. */
export async function enterByLink(): Promise<void> {
  if (location.pathname !== '/in') return;
  const token = new URLSearchParams(location.search).get('token') ?? '';
  history.replaceState(null, '', '/');
  try {
    const entered = (await (await send('/api/enter', { token })).json()) as LoginResponse;
    if (entered.ok) {
      localStorage.setItem(KEPT, entered.session);
      history.replaceState(null, '', localStorage.getItem(WANTED) ?? '/');
      localStorage.removeItem(WANTED);
    } else linkRefusal.value = `${entered.said} ${entered.remedy}`;
  } catch {
    linkRefusal.value = 'The link was not answered as a board answers: open it again.';
  }
}

const send = (path: string, body: object): Promise<Response> =>
  fetch(
    path,
    withSession({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  );
