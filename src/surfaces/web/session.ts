import { randomBytes } from 'node:crypto';
import { SESSION_HEADER } from '../../base/names.ts';
import { isSameSecret, type RequestRefusal } from '../../wiring/open-listener.ts';
import { ROUTES } from './routes.ts';

/** Maximum browser sessions; the oldest is the first to need a new link. */
const MOST_SESSIONS = 50;
/** Maximum unopened links; the oldest expires first. */
const MOST_LINKS = 10;
/** Below it is everything that shows or asks for something; all else is the same for everybody. */
const API = '/api/';

/**
 * Who may look: a browser that spent the token of a link, and since then sends its session in a header. It is no cookie,
 * because a browser sends those to every port of a host: another server of this machine would receive it. Tokens
 * and sessions live as long as this server does.
 */
export class Sessions {
  readonly #links: string[] = [];
  readonly #sessions: string[] = [];

  /** A new link, below an address. */
  link(url: string): string {
    const token = newSecret();
    this.#links.push(token);
    if (this.#links.length > MOST_LINKS) this.#links.shift();
    return `${url}/in?token=${token}`;
  }

  /** Spends the token of a link; the session of the browser that did, or undefined. */
  enter(token: string): string | undefined {
    const at = this.#links.findIndex((one) => isSameSecret(token, one));
    if (at === -1) return undefined;
    this.#links.splice(at, 1);
    const session = newSecret();
    this.#sessions.push(session);
    if (this.#sessions.length > MOST_SESSIONS) this.#sessions.shift();
    return session;
  }

  /** Why a request is turned away: it shows no session that was given out, or asks for something without saying from which page. */
  refusal(
    headers: Readonly<Record<string, string | readonly string[] | undefined>>,
    method: string,
    path: string,
  ): RequestRefusal | undefined {
    const isGet = method === 'GET' || method === 'HEAD';
    if (isGet && !path.startsWith(API)) return undefined;
    const shown = headers[SESSION_HEADER];
    const isKnown = typeof shown === 'string' && this.#sessions.some((one) => isSameSecret(shown, one));
    const enters = method === ROUTES.enter.method && path === ROUTES.enter.path;
    if (!isKnown && !enters)
      return { status: 401, why: 'this board opens with the link that `andon web` prints; a link opens it once' };
    if (isGet) return undefined;
    const site = headers['sec-fetch-site'];
    if (headers['origin'] === undefined || (site !== undefined && site !== 'same-origin'))
      return { status: 403, why: 'only a page of this board asks for something' };
    return undefined;
  }
}

const newSecret = (): string => randomBytes(32).toString('base64url');
