import { describe, expect, it } from 'vitest';
import { createApp } from '../../../../src/app/web/create-app.ts';
import { PAGE_FILES, ROUTES, type Handlers, type HttpRoute, type RouteName } from '../../../../src/app/web/routes.ts';

const ALL: readonly (readonly [string, HttpRoute])[] = Object.entries(ROUTES);
const reached: string[] = [];
const handlers = Object.fromEntries(
  [...Object.keys(ROUTES), 'file'].map((name) => [
    name,
    () => {
      reached.push(name);
      return new Response(name);
    },
  ]),
) as unknown as Handlers;

/** A path that a route takes. */
const sample = ({ path }: HttpRoute): string => path.replace(/:\w+/g, 'X');

describe('the routes of the board', () => {
  it('are those of the table and no other', () => {
    const known = createApp(handlers, undefined).routes.filter(
      ({ path, method }) => !(path === '/*' && method === 'ALL'),
    );
    expect(known.map(({ method, path }) => `${method} ${path}`)).toEqual([
      ...Object.keys(PAGE_FILES).map((path) => `GET ${path}`),
      ...ALL.map(([, { method, path }]) => `${method} ${path}`),
    ]);
  });

  it('ask for something or let a browser in exactly where they are no GET', () => {
    expect(ALL.filter(([, { method, does }]) => (method === 'GET') === (does === 'asks' || does === 'enters'))).toEqual(
      [],
    );
  });

  it.each(ALL)('answer, and say to the browser what it may do: %s', async (name, route) => {
    const answer = await createApp(handlers, undefined).request(sample(route), { method: route.method });
    expect(await answer.text()).toBe(name);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect([...answer.headers.keys()].filter((one) => one.startsWith('access-control'))).toEqual([]);
  });

  it.each(ALL.filter(([, { does }]) => does === 'asks'))(
    'are refused where nothing may be asked for: %s',
    async (name, route) => {
      reached.length = 0;
      const answer = await createApp(handlers, 'read-only').request(sample(route), { method: 'POST' });
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({ ok: false, said: 'read-only' });
      expect(reached).not.toContain(name as RouteName);
    },
  );

  it('lead a person with a wrong address to the board, and tell a program in JSON', async () => {
    const ask = (accept: string) => createApp(handlers, undefined).request('/agents', { headers: { accept } });
    const page = await ask('text/html,*/*');
    expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('<a href="/">Go to the board</a>')]);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await (await ask('*/*')).json()).toMatchObject({ ok: false, said: 'there is no such page' });
  });

  it('take no other method', async () => {
    for (const [, route] of ALL)
      for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', route.method === 'GET' ? 'POST' : 'GET']) {
        const clash = ALL.some(([, one]) => one.path === route.path && one.method === method);
        if (!clash)
          expect((await createApp(handlers, undefined).request(sample(route), { method })).status, sample(route)).toBe(
            404,
          );
      }
  });
});
