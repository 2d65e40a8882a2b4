import { describe, expect, it } from 'vitest';
import { Sessions } from '../../../../src/surfaces/web/session.ts';

const HERE = 'http://127.0.0.1:1';
const ORIGIN = { origin: HERE };

/** A browser that was let in, and its cookie. */
function letIn(sessions = new Sessions()): { sessions: Sessions; token: string; cookie: string } {
  const token = new URL(sessions.link(HERE)).searchParams.get('token') ?? '';
  const header = sessions.enter(token, false) ?? '';
  return { sessions, token, cookie: header.split(';')[0] ?? '' };
}

describe('who may look at the board', () => {
  it('is who opened a link, once', () => {
    const { sessions, token, cookie } = letIn();
    expect(sessions.refusal({ cookie }, 'GET', '/')).toBeUndefined();
    expect(sessions.enter(token, false)).toBeUndefined();
    expect(sessions.enter('', false)).toBeUndefined();
  });

  it('gets a cookie that no script reads and no other site sends', () => {
    const sessions = new Sessions();
    const token = (): string => new URL(sessions.link(HERE)).searchParams.get('token') ?? '';
    expect(sessions.enter(token(), false)).toMatch(
      /^andon=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
    );
    expect(sessions.enter(token(), true)).toMatch(/; Secure$/);
  });

  it('is nobody without it, with another, or with two', () => {
    const { sessions, cookie } = letIn();
    for (const wrong of [
      undefined,
      '',
      'andon=',
      `${cookie}x`,
      cookie.slice(0, -1),
      `${cookie}; ${cookie}`,
      `x${cookie}`,
    ])
      expect(sessions.refusal({ cookie: wrong }, 'GET', '/api/start'), wrong).toMatchObject({ status: 401 });
    expect(sessions.refusal({}, 'POST', '/in')).toMatchObject({ status: 401 });
    expect(sessions.refusal({}, 'GET', '/in')).toBeUndefined();
  });

  it('asks for something only from a page of the board', () => {
    const { sessions, cookie } = letIn();
    expect(sessions.refusal({ cookie }, 'POST', '/api/links')).toMatchObject({ status: 403 });
    expect(sessions.refusal({ cookie, ...ORIGIN, 'sec-fetch-site': 'same-site' }, 'POST', '/x')).toMatchObject({
      status: 403,
    });
    expect(sessions.refusal({ cookie, ...ORIGIN, 'sec-fetch-site': 'same-origin' }, 'POST', '/x')).toBeUndefined();
    expect(sessions.refusal({ cookie, ...ORIGIN }, 'POST', '/x')).toBeUndefined();
  });

  it('comes from a link of another site by a navigation of our own, which brings the cookie', () => {
    const { sessions } = letIn();
    const linked = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect(sessions.refusal(linked, 'GET', '/halt/a/b')).toMatchObject({ status: 401, headers: { refresh: '0' } });
    expect(sessions.refusal({ ...linked, 'sec-fetch-mode': 'cors' }, 'GET', '/')?.headers).toBeUndefined();
    expect(sessions.refusal({ ...linked, 'sec-fetch-site': 'same-origin' }, 'GET', '/')?.headers).toBeUndefined();
  });

  it('is forgotten when too many came after', () => {
    const { sessions, cookie } = letIn();
    for (let at = 0; at < 50; at += 1) letIn(sessions);
    expect(sessions.refusal({ cookie }, 'GET', '/')).toMatchObject({ status: 401 });
  });
});
