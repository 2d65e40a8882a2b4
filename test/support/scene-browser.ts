import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, extname, join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { formatProof, outlineDigest } from '../../src/line/digest/outline-digest.ts';
import { formatPrice } from '../../src/line/reports/task-report/format-figures.ts';
import { listShownRows, readDiff } from '../../src/base/read-diff.ts';
import { createApp } from '../../src/app/web/create-app.ts';
import { traceQrCode } from '../../src/app/web/qr-code.ts';
import { ROUTES, type Handlers } from '../../src/app/web/routes.ts';
import { SCENE_PATCH, type Scene } from './scene.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

const SCENE_LINK = `https://board.example.org/in?token=${'aB3_'.repeat(10)}xyz`;

const SCENE_TASK = {
  taskId: 'AN-INDEX-OF-HEADINGS',
  title: 'An index of headings',
  requirements: ['Every page lists its headings'],
  allowed_paths: ['docs/'],
  contract: '{}',
  inferred: ['allowed_paths docs/: the files that the proposal names'],
  notices: [],
};

/** Shows a scene in a browser, by the built page and the routes with their policy; the answers given are noted. */
export async function showScene(
  context: BrowserContext,
  scene: Scene,
  andon: string,
): Promise<{ origin: string; answers: string[] }> {
  const answers: string[] = [];
  const file = (name: string, type: string): Response =>
    new Response(readFileSync(join(dirname(andon), 'page', name)), { headers: { 'content-type': type } });
  const json = (value: unknown): Response => Response.json(value);
  const readers = new Set<ReadableStreamDefaultController<string>>();
  const send = (reader: ReadableStreamDefaultController<string>): void =>
    reader.enqueue(`event: board\ndata: ${JSON.stringify(scene.board())}\n\n`);
  const follow = (): ReadableStream =>
    new ReadableStream<string>({
      start(reader) {
        readers.add(reader);
        send(reader);
      },
    }).pipeThrough(new TextEncoderStream());
  const none = (): Response => json({ ok: false, code: 'no-task', said: 'there is none here', remedy: 'go to /' });
  const told: Partial<Handlers> = {
    file: (_, name) => file(name, TYPES[extname(name)] ?? 'application/manifest+json'),
    start: () => json({ board: scene.board(), read_only: null, version: '0' }),
    events: () => new Response(follow(), { headers: { 'content-type': 'text/event-stream' } }),
    task: ({ req }) => json(scene.taskOf(req.param('repository') ?? '', req.param('task') ?? '') ?? {}),
    diff: ({ req }) => {
      const change = scene.taskOf(req.param('repository') ?? '', req.param('task') ?? '');
      const path = change?.repository === 'docs-site' ? 'docs/intro.md' : 'src/session.js';
      return json({
        is_there: true,
        hidden: 0,
        files: [{ path, status: 'modified', oldMode: '1', newMode: '1', added: 7, deleted: 1 }],
      });
    },
    patch: () => json({ rows: readDiff(SCENE_PATCH).flatMap((file) => listShownRows(file.rows)), is_cut: false }),
    colours: () => json({ old: {}, fresh: {} }),
    answer: async ({ req }) => {
      const [repository, task, halt] = [
        req.param('repository') ?? '',
        req.param('task') ?? '',
        req.param('halt') ?? '',
      ];
      answers.push(`${halt} ${JSON.stringify(await req.json())}`);
      scene.answer(repository, task);
      for (const reader of readers) send(reader);
      return json({ ok: true, said: `Answered. ${task} goes on.` });
    },
    waitingFile: () =>
      json({
        file: '_handoff/PROPOSAL.md',
        text: '# Proposal: An index of headings\n## Requirements\n- Every page lists its headings\n',
        version: '1',
        faults: [],
        draft: { by: null, shown: '1', tasks: [SCENE_TASK] },
      }),
    devices: () =>
      json({ devices: [{ id: '1', name: 'Firefox Linux', at: '2026-11-27T05:00:00.000Z', is_own: true }] }),
    link: () => json({ ok: true, said: SCENE_LINK, code: traceQrCode(SCENE_LINK) }),
    digest: ({ req }) => {
      const digest = scene.digest(req.query('since') ?? '');
      const outline = outlineDigest(digest, { here: undefined, when: (at) => at });
      return json({
        digest,
        outline,
        proofs: digest.merged.map(formatProof),
        spent: formatPrice(digest.spent.together),
      });
    },
    rules: () => json({ rules: [], found: [], waivers: [], faults: [] }),
    insights: () => json(scene.insights()),
  };
  const handlers = Object.fromEntries(
    ['file', ...Object.keys(ROUTES)].map((name) => [name, told[name as keyof Handlers] ?? none]),
  ) as unknown as Handlers;
  const app = createApp(handlers, undefined);
  const server = createServer((asked, response) => void serve(app, asked, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  context.on('close', () => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, answers };
}

async function serve(
  app: ReturnType<typeof createApp>,
  asked: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of asked) chunks.push(chunk as Buffer);
  const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks).toString() };
  const headers = asked.headers as Record<string, string>;
  const answer = await app.request(asked.url ?? '/', { method: asked.method ?? 'GET', headers, ...body });
  response.writeHead(answer.status, Object.fromEntries(answer.headers));
  for await (const chunk of answer.body ?? []) response.write(chunk);
  response.end();
}

/** How many of these are wholly within the window, above a bar at its bottom. */
export const countInWindow = (page: Page, selector: string): Promise<number> =>
  page.evaluate<number>(`{
    const { top } = document.querySelector('.bar nav').getBoundingClientRect();
    const bottom = top > innerHeight / 2 ? top : innerHeight;
    [...document.querySelectorAll(${JSON.stringify(selector)})].filter((one) => {
      const box = one.getBoundingClientRect();
      return box.height > 0 && box.top >= 0 && box.bottom <= bottom;
    }).length;
  }`);
