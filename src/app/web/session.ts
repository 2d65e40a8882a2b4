import { randomBytes } from 'node:crypto';
import { SESSION_HEADER } from '../../base/names.ts';
import { isSameSecret, type RequestRefusal } from './listener.ts';
import { sha256 } from '../../base/sha256.ts';
import { isCurrentDevice, withoutPush, type Device, type Devices } from '../../line/notify/devices.ts';
import type { PushSubscription } from '../../line/notify/push-notifier.ts';
import { ROUTES } from './routes.ts';

/** Maximum browsers; the oldest is the first to need a new link. */
const MOST_SESSIONS = 50;
/** Maximum unopened links; the oldest expires first. */
const MOST_LINKS = 10;
/** Below it is everything that shows or asks for something; all else is the same for everybody. */
const API = '/api/';

/**
 * Who may look: a browser that spent the token of a link, and since then sends its session in a header. It is no cookie,
 * because a browser sends those to every port of a host: another server of this machine would receive it. A link lives
 * as long as this server, a session for 90 days or until it is revoked.
 */
export class Sessions {
  readonly #links: string[] = [];
  readonly #devices: Devices;
  readonly #board: string;

  constructor(devices: Devices, board: string) {
    this.#devices = devices;
    this.#board = board;
  }

  /** A new link, below an address. */
  link(url: string): string {
    const token = newSecret();
    this.#links.push(token);
    if (this.#links.length > MOST_LINKS) this.#links.shift();
    return `${url}/in?token=${token}`;
  }

  /** Spends the token of a link; the session of the browser that did, or undefined. */
  enter(token: string, name = ''): string | undefined {
    const at = this.#links.findIndex((one) => isSameSecret(token, one));
    if (at === -1) return undefined;
    this.#links.splice(at, 1);
    const session = newSecret();
    const device = { digest: sha256(session), name, at: new Date().toISOString(), board: this.#board };
    this.#devices.update((all) => [...all, device].slice(-MOST_SESSIONS));
    return session;
  }

  /** The devices of this board, the newest first. */
  devices(): readonly Device[] {
    return this.#devices
      .read()
      .filter((one) => one.board === this.#board && isCurrentDevice(one))
      .toReversed();
  }

  /** The device of a session; undefined for an unknown, revoked or expired one. */
  deviceOf(session: unknown): Device | undefined {
    if (typeof session !== 'string') return undefined;
    const digest = sha256(session);
    return this.devices().find((one) => one.digest === digest);
  }

  /** Removes a device; false for an unknown one. */
  revoke(digest: string): boolean {
    if (!this.#devices.read().some((one) => one.digest === digest)) return false;
    this.#devices.update((all) => all.filter((one) => one.digest !== digest));
    return true;
  }

  /** Notifies a device from now on, or no longer; a browser that was let in again is one device. */
  subscribe(digest: string, push: PushSubscription | undefined): void {
    this.#devices.update((all) =>
      all.map((one) => {
        const { push: _, ...device } = one;
        if (one.digest === digest) return push === undefined ? device : { ...device, push };
        return push === undefined ? one : withoutPush(one, push.endpoint);
      }),
    );
  }

  /** Why a request is turned away: it shows no session that was given out, or asks for something without saying from which page. */
  refusal(
    headers: Readonly<Record<string, string | readonly string[] | undefined>>,
    method: string,
    path: string,
  ): RequestRefusal | undefined {
    const isGet = method === 'GET' || method === 'HEAD';
    if (isGet && !path.startsWith(API)) return undefined;
    const enters = method === ROUTES.enter.method && path === ROUTES.enter.path;
    if (!enters && this.deviceOf(headers[SESSION_HEADER]) === undefined)
      return { status: 401, why: 'this board opens with the link that `andon web` prints; a link opens it once' };
    if (isGet) return undefined;
    const site = headers['sec-fetch-site'];
    if (headers['origin'] === undefined || (site !== undefined && site !== 'same-origin'))
      return { status: 403, why: 'only a page of this board asks for something' };
    return undefined;
  }
}

const newSecret = (): string => randomBytes(32).toString('base64url');
