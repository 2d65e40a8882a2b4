import { describe, expect, it } from 'vitest';
import { SESSION_HEADER } from '../../../../src/base/names.ts';
import { ROUTES } from '../../../../src/surfaces/web/routes.ts';
import { Sessions } from '../../../../src/surfaces/web/session.ts';

const HERE = 'http://127.0.0.1:1';
const ORIGIN = { origin: HERE };

/** A browser that was let in, and its session. */
function letIn(sessions = new Sessions()): { sessions: Sessions; token: string; session: string } {
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
    const refused = new Sessions().refusal({ ...ORIGIN }, method, path);
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

  it('is forgotten when too many came after', () => {
    const { sessions, session } = letIn();
    for (let at = 0; at < 50; at += 1) letIn(sessions);
    expect(sessions.refusal(shows(session), 'GET', '/api/start')).toMatchObject({ status: 401 });
  });
});
