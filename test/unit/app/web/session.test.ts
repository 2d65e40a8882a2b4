import { describe, expect, it } from 'vitest';
import { SESSION_HEADER } from '../../../../src/base/names.ts';
import { ROUTES } from '../../../../src/app/web/routes.ts';
import type { Device, Devices } from '../../../../src/line/notify/devices.ts';
import { Sessions } from '../../../../src/app/web/session.ts';

const HERE = 'http://127.0.0.1:1';
const ORIGIN = { origin: HERE };

/** Devices as a file keeps them. */
function inMemory(): Devices {
  let all: readonly Device[] = [];
  return { read: () => all, update: (change) => void (all = change(all)) };
}

/** A browser that was let in, and its session. */
function letIn(sessions = new Sessions(inMemory(), '')): { sessions: Sessions; token: string; session: string } {
  const token = new URL(sessions.link(HERE)).searchParams.get('token') ?? '';
  return { sessions, token, session: sessions.enter(token) ?? '' };
}

const shows = (session: string): Record<string, string> => ({ [SESSION_HEADER]: session });

describe('who may look at the board', () => {
  it('is a browser that spent the token of a link, once', () => {
    const { sessions, token, session } = letIn();
    expect(session).toMatch(/^[\w-]{43}$/);
    expect(sessions.refusal(shows(session), 'GET', '/api/start')).toBeUndefined();
    expect(sessions.enter(token)).toBeUndefined();
    expect(sessions.enter('')).toBeUndefined();
  });

  it('is no browser without the session, with another one, or with it in a cookie', () => {
    const { sessions, session } = letIn();
    for (const wrong of ['', `${session}x`, session.slice(0, -1), `${session}, ${session}`])
      expect(sessions.refusal(shows(wrong), 'GET', '/api/start'), wrong).toMatchObject({ status: 401 });
    for (const headers of [{}, { cookie: `andon=${session}` }, { cookie: `${SESSION_HEADER}=${session}` }])
      expect(sessions.refusal(headers, 'GET', '/api/start')).toMatchObject({ status: 401 });
  });

  it.each(Object.entries(ROUTES))('sees nothing of the line without a session: %s', (name, { method, path }) => {
    const refused = new Sessions(inMemory(), '').refusal({ ...ORIGIN }, method, path);
    expect(refused?.status).toBe(name === 'enter' ? undefined : 401);
  });

  it('asks for something only from a page of the board', () => {
    const { sessions, session } = letIn();
    const mine = shows(session);
    for (const path of ['/api/links', '/api/enter'])
      expect(sessions.refusal(mine, 'POST', path)).toMatchObject({ status: 403 });
    for (const site of ['same-site', 'cross-site', 'none'])
      for (const path of ['/api/x', '/api/enter'])
        expect(sessions.refusal({ ...mine, ...ORIGIN, 'sec-fetch-site': site }, 'POST', path)).toMatchObject({
          status: 403,
        });
    expect(sessions.refusal({ ...mine, ...ORIGIN, 'sec-fetch-site': 'same-origin' }, 'POST', '/api/x')).toBeUndefined();
    expect(sessions.refusal({ ...mine, ...ORIGIN }, 'POST', '/api/x')).toBeUndefined();
    expect(sessions.refusal({ ...ORIGIN }, 'POST', '/x')).toMatchObject({ status: 401 });
  });

  it('is known to the next board at this address, to none at another, and by a digest alone', () => {
    const devices = inMemory();
    const { session } = letIn(new Sessions(devices, ''));
    const at = (board: string): unknown => new Sessions(devices, board).refusal(shows(session), 'GET', '/api/start');
    expect(at('')).toBeUndefined();
    expect(at('192.168.1.20')).toMatchObject({ status: 401 });
    expect(JSON.stringify(devices.read())).not.toContain(session);
    devices.update((all) => all.map((one) => ({ ...one, at: '2020-01-01T00:00:00.000Z' })));
    expect(at('')).toMatchObject({ status: 401 });
  });

  it('is let in no more once it is revoked, by another board too', () => {
    const devices = inMemory();
    const { sessions, session } = letIn(new Sessions(devices, ''));
    const { digest = '' } = sessions.deviceOf(session) ?? {};
    expect(sessions.revoke('')).toBe(false);
    expect([new Sessions(devices, '').revoke(digest), sessions.devices()]).toEqual([true, []]);
    expect(sessions.refusal(shows(session), 'GET', '/api/start')).toMatchObject({ status: 401 });
  });

  it('is notified at one address alone, until it is revoked or ends it', () => {
    const devices = inMemory();
    const { sessions, session } = letIn(new Sessions(devices, ''));
    const { digest = '' } = sessions.deviceOf(session) ?? {};
    const again = letIn(sessions);
    const own = sessions.deviceOf(again.session)?.digest ?? '';
    const push = { endpoint: 'https://push.example/1', p256dh: 'p', auth: 'a' };
    const notified = () => devices.read().flatMap((one) => (one.push === undefined ? [] : one.digest));
    sessions.subscribe(digest, push);
    expect(notified()).toEqual([digest]);
    sessions.subscribe(own, push); // the same browser, let in again
    expect(notified()).toEqual([own]);
    sessions.subscribe(digest, { ...push, endpoint: 'https://push.example/2' });
    sessions.subscribe(own, undefined);
    expect(notified()).toEqual([digest]);
    sessions.revoke(digest);
    expect(notified()).toEqual([]);
  });

  it('is forgotten when too many came after', () => {
    const { sessions, session } = letIn();
    for (let at = 0; at < 50; at += 1) letIn(sessions);
    expect(sessions.refusal(shows(session), 'GET', '/api/start')).toMatchObject({ status: 401 });
  });
});
