import { request } from 'node:http';
import { appendFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SESSION_HEADER } from '../../src/base/names.ts';
import { ask, enter, type Answered } from '../support/board-browser.ts';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually } from '../support/factory.ts';
import type { Board } from '../../src/line/board/board.ts';
import type {
  ActionOutcome,
  DevicesResponse,
  LinkResponse,
  PageData,
  WaitingFileResponse,
  TaskResponse,
} from '../../src/app/web/api-types.ts';
import { aToldFactory } from '../support/told-factory.ts';
import { webOf } from '../support/web.ts';

/** A halted task, a board over it, and the session of a browser that opened its link. */
async function aServedHalt(...args: readonly string[]) {
  const factory = await aFactory();
  const { dog, status } = await factory.run(aContract({ 'constraints.max_diff_size': 1 }));
  expect(status).toBe('erik_consultation');
  await dog.stop();
  const web = await webOf(factory, ...args);
  const session = await enter(web.link);
  const start = JSON.parse((await ask(`${web.origin}/api/start`, session)).body) as PageData;
  const id = start.board.repositories[0]?.id ?? '';
  const haltId = start.board.lanes.needs_you[0]?.halt_id ?? '';
  return { factory, web, session, start, id, haltId, mine: { ...session, origin: web.origin } };
}

test('the board lets in who opened its link, once, under its own names and from its own pages', async () => {
  const { web, session, mine, id } = await aServedHalt();
  const { origin, link } = web;
  const opened = await ask(link); // a program that looks at a link before a person does spends nothing
  expect([opened.status, opened.headers['set-cookie']]).toEqual([200, undefined]);
  const token = new URL(link).searchParams.get('token');
  expect(await ask(`${origin}/api/enter`, { origin }, { token })).toMatchObject({ status: 403 });
  expect(await ask(`${origin}/api/enter`, { origin }, { token: null })).toMatchObject({ status: 403 });
  expect(await ask(`${origin}/api/start`)).toMatchObject({ status: 401 });
  for (const path of ['/api/digest', `/api/tasks/${id}/DOC-001`]) {
    expect((await ask(origin + path)).status).toBe(401);
    const page = await ask(origin + path, mine);
    expect([page.status, page.body]).toEqual([200, expect.stringContaining('DOC-001')]);
  }
  const { port } = new URL(origin);
  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    '127.0.0.1',
    'localhost',
    '127.0.0.1:1',
    `[::1]:${port}`,
    `0.0.0.0:${port}`,
  ])
    expect((await ask(`${origin}/api/start`, { ...session, host })).status, host).toBe(421);
  for (const from of ['http://evil.example', 'null', `https://localhost:${port}`, 'http://localhost:1', ''])
    expect((await ask(`${origin}/api/start`, { ...session, origin: from })).status, from).toBe(403);
  for (const headers of [
    session,
    { ...session, origin: 'http://evil.example' },
    { ...mine, 'sec-fetch-site': 'cross-site' },
  ])
    expect((await ask(`${origin}/api/asks/${id}`, headers, { do: 'pause' })).status).toBe(403);
  expect((await ask(`${origin}/api/asks/${id}`, { origin }, { do: 'pause' })).status).toBe(401);
  expect((await ask(`${origin}/api/start`, mine)).status).toBe(200);
  const one = JSON.parse((await ask(`${origin}/api/links`, mine, {})).body) as LinkResponse;
  expect(one).toMatchObject({ ok: true, code: null }); // a phone cannot reach 127.0.0.1
  expect(await web.stop()).toBe(0);
});

describe('a board that is served', { tags: 'thorough' }, () => {
  test('a port that somebody has is said, and the board ends', async () => {
    const { factory, web } = await aServedHalt();
    const second = await factory.start(['web', '--port', new URL(web.origin).port]).ended;
    expect(second).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be used') as string });
  });

  test('a request that says its host twice, or asks for another server, is turned away before it is read', async () => {
    const { web, session } = await aServedHalt();
    const shown = `${SESSION_HEADER}: ${session[SESSION_HEADER]}`;
    const { hostname, port, host } = new URL(web.origin);
    const raw = (lines: readonly string[]): Promise<string> =>
      new Promise((resolve, reject) => {
        const socket = connect(Number(port), hostname, () =>
          socket.end([...lines, 'Connection: close', '', ''].join('\r\n')),
        );
        let answer = '';
        socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
        socket.on('error', reject).on('close', () => resolve(answer));
      });
    const head = 'GET /api/start HTTP/1.1';
    expect(await raw([head, `Host: ${host}`, 'Host: evil.example', shown])).toMatch(/^HTTP\/1\.1 400 /);
    expect(await raw([head, `Host: ${host}`, shown, shown])).toMatch(/^HTTP\/1\.1 400 /);
    expect(await raw(['GET http://evil.example/ HTTP/1.1', `Host: ${host}`, shown])).toMatch(/^HTTP\/1\.1 4/);
    expect(await raw(['GET //evil.example/ HTTP/1.1', `Host: ${host}`, shown])).toMatch(/^HTTP\/1\.1 400 /);
    expect(await raw([head, `Host: ${host}`, shown])).toMatch(/^HTTP\/1\.1 200 /);
  });

  test('a halt is answered as andon resume does it: bound to its id, by one of its paths, never by words', async () => {
    const { factory, web, mine, id, haltId } = await aServedHalt();
    const task = (await ask(`${web.origin}/api/tasks/${id}/DOC-001`, mine)).body;
    const told = JSON.parse(task) as TaskResponse;
    expect(told.report.halt?.id).toBe(haltId);
    const to = (halt: string): string => `${web.origin}/api/halts/${id}/DOC-001/${halt}`;
    for (const body of [{}, { path: 3 }, { path: '1' }, { say: 'yes, merge it' }, { path: 1, also: true }])
      expect(await ask(to(haltId), mine, body), JSON.stringify(body)).toMatchObject({ status: 400 });
    const other = await ask(to('DOC-001-9'), mine, { path: 2 });
    expect(other.status).toBe(409);
    expect((JSON.parse(other.body) as ActionOutcome).ok).toBe(false);
    expect((await factory.show('DOC-001')).status).toBe('erik_consultation');
    const [one, two] = await Promise.all([ask(to(haltId), mine, { path: 2 }), ask(to(haltId), mine, { path: 2 })]);
    expect([one.status, two.status].toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect((await factory.show('DOC-001')).status).toBe('pending_implementer');
  });

  test('nothing can be asked for where it is read-only: as somebody says, or because nothing on the way is encrypted', async () => {
    const { factory, web, mine, id, haltId } = await aServedHalt('--read-only');
    for (const [path, body] of [
      [`halts/${id}/DOC-001/${haltId}`, { path: 2 }],
      [`asks/${id}`, { do: 'pause' }],
      [`contracts/${id}`, { check: true, task_id: 'A-1', requirements: ['x'], allowed_paths: ['docs/'] }],
      [`papers/${id}`, { do: 'approve', shown: '' }],
      ['links', {}],
    ] as const)
      expect((await ask(`${web.origin}/api/${path}`, mine, body)).status, path).toBe(403);
    expect((await factory.status()).paused).toBeNull();
    expect(web.output()).toContain('read-only');
    expect((await factory.andon('web', '--bind', '0.0.0.0')).stderr).toContain('one address of this machine');
    expect((await factory.andon('web', '--port', 'x')).code).toBe(2);
  });

  /** An address of this machine that others could reach it by. */
  const OUTSIDE = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  const NO_OUTSIDE = OUTSIDE === undefined ? ' (not run: this machine has no address but its own)' : '';

  test.skipIf(OUTSIDE === undefined)(
    `at another address nothing is encrypted, so nothing can be asked for there unless somebody says so${NO_OUTSIDE}`,
    async () => {
      const bound = ['--bind', OUTSIDE ?? ''];
      const { factory, web, mine, id } = await aServedHalt(...bound);
      expect(web.origin).toContain(OUTSIDE);
      expect((await ask(`${web.origin}/api/asks/${id}`, mine, { do: 'pause' })).status).toBe(403);
      expect(web.output()).toContain('is not encrypted');
      await web.stop();
      const open = await webOf(factory, ...bound, '--answers');
      const theirs = { ...(await enter(open.link)), origin: open.origin };
      expect((await ask(`${open.origin}/api/asks/${id}`, theirs, { do: 'pause' })).status).toBe(200);
      expect((await factory.status()).paused).not.toBeNull();
    },
  );

  test('the link in a notification leads to the halt, under the name that the user has given the board', async () => {
    const url = 'https://board.example.org';
    const { factory, told, path } = await aToldFactory();
    appendFileSync(path('config/andon/config.yaml'), `web: { url: '${url}' }\n`);
    const { dog } = await factory.run(aContract({ 'constraints.max_diff_size': 1 }));
    await eventually(() => told().length === 1, 'the halt is told');
    await dog.stop();
    const link = new URL(told()[0]?.link ?? '');
    expect([link.origin, link.searchParams.get('halt')]).toEqual([url, told()[0]?.halt_id]);
    const web = await webOf(factory);
    expect(web.link.startsWith(`${url}/in?token=`)).toBe(true);
    await eventually(() => /or on this machine: \S+\n/.test(web.output()), 'it says where it is on this machine');
    const here = /or on this machine: (\S+)/.exec(web.output())?.[1] ?? '';
    const local = new URL(here).origin;
    const through = { host: link.host };
    const session = await enter(web.link, local, through);
    expect((await ask(`${local}${link.pathname}${link.search}`, { ...through, ...session })).status).toBe(200);
    const task = await ask(`${local}/api${link.pathname.replace('/halt/', '/tasks/')}`, { ...through, ...session });
    expect((JSON.parse(task.body) as TaskResponse).report.halt?.id).toBe(link.searchParams.get('halt'));
    const [, repository = ''] = /^\/halt\/([^/]+)/.exec(link.pathname) ?? [];
    const pause = (origin: string): Promise<Answered> =>
      ask(`${local}/api/asks/${repository}`, { ...through, ...session, origin }, { do: 'pause' });
    expect((await pause('http://board.example.org')).status).toBe(403);
    expect((await pause(url)).status).toBe(200);
  });

  test('a new contract is refused for what andon new refuses it for, and else dropped and shown', async () => {
    const { factory, web, mine, id } = await aServedHalt();
    const send = async (body: object): Promise<ActionOutcome> =>
      JSON.parse((await ask(`${web.origin}/api/contracts/${id}`, mine, body)).body) as ActionOutcome;
    const draft = { task_id: 'DOC-007', requirements: ['Say hello'], allowed_paths: ['docs/'] };
    const refused = await send({ check: false, ...draft, allowed_paths: ['../etc/'] });
    expect(refused).toMatchObject({
      ok: false,
      faults: [{ path: expect.stringContaining('allowed_paths') as string }],
    });
    expect(await send({ check: true, ...draft })).toMatchObject({ ok: true });
    expect(factory.paper('queue/DOC-007.json')).toBeUndefined();
    expect(await send({ check: false, ...draft })).toMatchObject({ ok: true });
    expect(factory.paper('queue/DOC-007.json')).toContain('Say hello');
    const { board } = JSON.parse((await ask(`${web.origin}/api/start`, mine)).body) as { board: Board };
    expect(board.lanes.waiting.map(({ task_id: task }) => task)).toContain('DOC-007');
  });

  test('a contract that waits is mended and a proposal approved by the checks of the commands, and only as they were shown', async () => {
    const { factory, web, mine, id } = await aServedHalt();
    const at = `${web.origin}/api/papers/${id}`;
    const post = async (body: object): Promise<ActionOutcome> => JSON.parse((await ask(at, mine, body)).body);
    const read = async (query = ''): Promise<WaitingFileResponse> => JSON.parse((await ask(at + query, mine)).body);
    factory.drop(aContract({ task_id: 'DOC-007', 'constraints.allowed_paths': ['../etc/'] }), 'queue/DOC-007.json');
    const file = '_handoff/queue/DOC-007.json';
    const waiting = await read(`?file=${encodeURIComponent(file)}`);
    const [fault] = waiting.faults;
    expect(fault?.path).toBe('$.constraints.allowed_paths[0]');
    expect(waiting.text.split('\n')[(fault?.line ?? 0) - 1]).toContain('../etc/');
    const wish = { do: 'save', file, version: waiting.version };
    const still = await post({ ...wish, text: waiting.text.replace('../etc/', '/etc/') });
    expect(still).toMatchObject({ ok: false, said: expect.stringContaining('nothing was written') as string });
    expect(factory.paper('queue/DOC-007.json')).toBe(waiting.text);
    expect(await post({ ...wish, text: waiting.text.replace('../etc/', 'docs/') })).toMatchObject({ ok: true });
    expect(factory.paper('queue/DOC-007.json')).toContain('"docs/"');
    expect(await post({ ...wish, text: waiting.text })).toMatchObject({ ok: false, code: 'outdated-choice' });
    for (const other of ['_handoff/../.git/config', '_handoff/PROPOSAL.md', '_handoff/.gitignore', ''])
      expect(await post({ ...wish, file: other, text: 'x' }), other).toMatchObject({ ok: false, code: 'no-task' });
    const hidden = aContract({ task_id: 'DOC-007', title: 'Ship it \u2764\ufe0f' });
    factory.drop(hidden, 'queue/DOC-007.json');
    const shown = await read(`?file=${encodeURIComponent(file)}`);
    expect(shown).toMatchObject({ edit_at: join(factory.repo, file) });
    const text = shown.text.replace('Ship it', 'Ship that');
    expect(await post({ ...wish, version: shown.version, text })).toMatchObject({
      ok: false,
      remedy: `edit it in an editor: ${join(factory.repo, file)}`,
    });
    expect(JSON.parse(factory.paper('queue/DOC-007.json') ?? '')).toEqual(hidden);
    factory.drop(PROPOSAL, 'PROPOSAL.md');
    const { draft, version } = await read();
    expect(draft?.tasks.map(({ taskId }) => taskId)).toEqual(['SAY-HELLO']);
    const edited = PROPOSAL.replace('Say hello', 'Say good evening');
    expect(await post({ do: 'save', version, text: edited })).toMatchObject({ ok: true });
    const approve = { do: 'approve', shown: draft?.shown };
    expect(await post(approve)).toMatchObject({ ok: false, code: 'outdated-choice' });
    expect(factory.paper('PROPOSAL_FINAL.md')).toBeUndefined();
    expect(await post({ ...approve, shown: (await read()).draft?.shown })).toMatchObject({ ok: true });
    expect(factory.paper('PROPOSAL_FINAL.md')).toBe(edited);
    const undo = await ask(`${web.origin}/api/asks/${id}`, mine, { do: 'undo', taskId: 'DOC-001' });
    expect(JSON.parse(undo.body)).toMatchObject({
      ok: false,
      said: expect.stringContaining('is not merged') as string,
    });
  });

  const PROPOSAL = `# Proposal: Say hello
**Complexity:** minor
## Target
- \`docs/hello.md\`
## Requirements
- [ ] Say hello
`;

  test('everything that is only looked at changes nothing, and what is not there is said', async () => {
    const { factory, web, mine, id, haltId } = await aServedHalt();
    const before = [await factory.status(), factory.git('for-each-ref')];
    const told = JSON.parse((await ask(`${web.origin}/api/tasks/${id}/DOC-001`, mine)).body) as TaskResponse;
    const to = told.report.attempts.findLast(({ commit }) => commit !== null)?.commit ?? '';
    const own = `/api/tasks/${id}/DOC-001`;
    const paths = [
      '/',
      `/halt/${id}/DOC-001?halt=${haltId}`,
      '/queue',
      '/app.css',
      '/digest',
      '/api/digest',
      '/api/insights',
    ];
    const more = [
      `/api/rules/${id}`,
      `${own}/diff?from=${told.report.base}&to=${to}`,
      `${own}/patch?from=${told.report.base}&to=${to}&path=docs%2Fauth_final.md`,
      `${own}/colours?from=${told.report.base}&to=${to}&path=docs%2Fauth_final.md`,
    ];
    for (const path of [...paths, ...more, `${own}/calls/1/prompt`])
      expect((await ask(web.origin + path, mine)).status, path).toBe(200);
    for (const path of [
      '/x',
      `/api/tasks/nobody/DOC-001`,
      `/api/tasks/${id}/NO-1`,
      `${own}/calls/99/answer`,
      `${own}/patch?from=${told.report.base}&to=${to}`,
      `${own}/image?at=${to}&path=docs%2Fauth_final.md`, // its content is no image
      `${own}/image?at=${to}&path=docs%2Fnone.png`,
      '/api/tasks/..%2f..%2fetc/x',
    ])
      expect((await ask(web.origin + path, mine)).status, path).toBe(404);
    for (const path of ['diff?from=HEAD&to=HEAD', 'image?at=HEAD&path=README.md'])
      expect((await ask(`${web.origin}${own}/${path}`, mine)).status, path).toBe(400);
    expect((await ask(`${web.origin}${own}/patch?from=${to}&to=${to}&path=a%00b`, mine)).status).toBe(400);
    expect([await factory.status(), factory.git('for-each-ref')]).toEqual(before);
    const again = await factory.andon('digest', '--json');
    expect((JSON.parse(again.stdout) as { from: string }).from < new Date(Date.now() - 3_600_000).toISOString()).toBe(
      true,
    );
  });

  test('a change whose commits are not in the repository is not there, which is no error: it may come', async () => {
    const { factory, web, mine, id } = await aServedHalt();
    const own = `${web.origin}/api/tasks/${id}/DOC-001`;
    const { report } = JSON.parse((await ask(own, mine)).body) as TaskResponse;
    const to = report.attempts[0]?.commit ?? '';
    const look = async (): Promise<unknown> => {
      const { status, body } = await ask(`${own}/diff?from=${report.base}&to=${to}`, mine);
      return { status, ...(JSON.parse(body) as object) };
    };
    expect(await look()).toMatchObject({ status: 200, is_there: true, files: [{ path: 'docs/auth_final.md' }] });
    rmSync(join(factory.repo, '.git/objects', to.slice(0, 2), to.slice(2)));
    expect(await look()).toEqual({ status: 200, is_there: false });
  });

  test('a page is told of an entry of the journal, and of a watchdog that starts', async () => {
    const { factory, web, session, mine } = await aServedHalt();
    let heard = '';
    let hasEnded = false;
    const events = request(`${web.origin}/api/events`, { headers: session }, (answer) =>
      answer.on('data', (chunk: Buffer) => (heard += chunk.toString())).on('end', () => (hasEnded = true)),
    ).on('error', () => {});
    events.end();
    await eventually(() => heard.includes('event: board'), 'the board is told at once');
    const dog = await factory.watch();
    await eventually(() => heard.includes('"watched":"watched"'), 'the watchdog is seen');
    await factory.andon('pause');
    await eventually(() => heard.includes('"paused":true'), 'the pause is seen');
    const { devices } = JSON.parse((await ask(`${web.origin}/api/devices`, mine)).body) as DevicesResponse;
    await ask(`${web.origin}/api/devices/${devices[0]?.id ?? ''}`, mine, {});
    await eventually(() => hasEnded, 'the page of a revoked browser is told nothing more');
    await dog.stop();
  });
});
