import { randomBytes } from 'node:crypto';
import type { Refusal } from '../../wiring/open-listener.ts';
import { isSameSecret } from '../../wiring/open-listener.ts';

/** The cookie of a browser that was let in. */
const COOKIE = 'andon';
/** So many browsers are let in at a time; whoever was let in first is the first to need a new link. */
const MOST_SESSIONS = 50;
/** So many links wait to be opened; the oldest is worth nothing any more. */
const MOST_LINKS = 10;
const THIRTY_DAYS_S = 30 * 24 * 3600;

/** Where a link leads, whose token is worth something once. */
export const ENTRANCE = '/in';

/**
 * Who may look: whoever opened a link with a token, which is worth something once, and since then shows the cookie. Both
 * live as long as this server does.
 */
export class Sessions {
  readonly #links: string[] = [];
  readonly #sessions: string[] = [];

  /** A new link, below an address. */
  link(url: string): string {
    const token = randomBytes(32).toString('base64url');
    this.#links.push(token);
    if (this.#links.length > MOST_LINKS) this.#links.shift();
    return `${url}${ENTRANCE}?token=${token}`;
  }

  /** Spends the token of a link; the header that makes a browser one that was let in, or undefined. */
  enter(token: string, isSecure: boolean): string | undefined {
    const at = this.#links.findIndex((one) => isSameSecret(token, one));
    if (at === -1) return undefined;
    this.#links.splice(at, 1);
    const session = randomBytes(32).toString('base64url');
    this.#sessions.push(session);
    if (this.#sessions.length > MOST_SESSIONS) this.#sessions.shift();
    return `${COOKIE}=${session}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${THIRTY_DAYS_S}${isSecure ? '; Secure' : ''}`;
  }

  /** Why a request is turned away: it shows no cookie that was given out, or asks for something without saying from which page. */
  refusal(
    headers: Readonly<Record<string, string | readonly string[] | undefined>>,
    method: string,
    path: string,
  ): Refusal | undefined {
    if (path === ENTRANCE && method === 'GET') return undefined;
    const shown = String(headers['cookie'] ?? '')
      .split(';')
      .map((part) => part.trim())
      .filter((part) => part.startsWith(`${COOKIE}=`))
      .map((part) => part.slice(COOKIE.length + 1));
    const isKnown = shown.length === 1 && this.#sessions.some((one) => isSameSecret(shown[0] ?? '', one));
    if (!isKnown) {
      // A link on a page of another site brings no cookie along; a navigation of our own does.
      const fromElsewhere = headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] === 'navigate';
      const again = fromElsewhere && method === 'GET' ? { headers: { refresh: '0' } } : {};
      return {
        status: 401,
        why: 'this board opens with the link that `andon web` prints; a link opens it once',
        ...again,
      };
    }
    if (method === 'GET' || method === 'HEAD') return undefined;
    const site = headers['sec-fetch-site'];
    if (headers['origin'] === undefined || (site !== undefined && site !== 'same-origin'))
      return { status: 403, why: 'only a page of this board asks for something' };
    return undefined;
  }
}
