import { spawn } from 'node:child_process';
import { request } from 'node:http';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SESSION_HEADER } from '../../../src/base/names.ts';
import { openJournal } from '../../../src/line/journal/sqlite-journal.ts';
import { startDaemon } from '../daemon.ts';
import { median, memoryOf, percentile } from '../figures.ts';
import { lagProbe, ownPart, until, waitOf, type Tick } from '../lag.ts';
import type { Options } from '../options.ts';
import type { Measured } from '../report.ts';
import { openSource } from '../repositories.ts';
import type { Stage } from '../stage.ts';

const PAGES = 20;
/** Number of pages that never read their events. */
const DEAF = 5;
const EVENTS_PER_SECOND = 50;
const TASKS_PER_ROUND = 4;
/** More rounds than this tell nothing new. */
const MOST_ROUNDS = 10;

/** How late a daemon is while 20 pages of the board are open and 50 entries are written a second, beside the same without a board. */
export async function board(stage: Stage, { pairs }: Options): Promise<Measured> {
  const source = await openSource(stage, 'small');
  const [repo, other] = [source.copy('repo'), source.copy('other')];
  const lag = lagProbe(stage.folder);
  const first = await startDaemon(stage, [repo, other]);
  for (const one of [repo, other]) await first.task(one, 'FIRST-1');
  await first.stop();
  const daemon = await startDaemon(stage, [repo], { ...stage.env, ...lag.env });
  const [without, open]: [(readonly Tick[])[], (readonly Tick[])[]] = [[], []];
  const [told, alone, crowded]: [number[], number[], number[]] = [[], [], []];
  let task = 0;
  const round = (): Promise<readonly Tick[]> =>
    lag.during(async () => {
      for (let at = 0; at < TASKS_PER_ROUND; at += 1) await daemon.task(repo, `TASK-${(task += 1)}`);
    });
  const writer = writesInto(stateOf(stage, other));
  try {
    for (let at = 0; at <= Math.min(pairs, MOST_ROUNDS); at += 1) {
      const [before, web] = [await round(), await startWeb(stage)];
      try {
        const memory = memoryOf(web.pid);
        const pages = await Promise.all(Array.from({ length: PAGES }, (_, page) => web.open(page < DEAF)));
        const ticks = await round();
        if (at === 0) continue; // the first round is thrown away
        without.push(before);
        open.push(ticks);
        alone.push(memory);
        crowded.push(memoryOf(web.pid));
        for (const { heard } of pages) told.push(...delays(heard, writer.written));
      } finally {
        await web.stop();
      }
    }
  } finally {
    writer.stop();
    await daemon.stop();
  }
  const lags = (rounds: readonly (readonly Tick[])[], of: (tick: Tick) => number): number =>
    waitOf(rounds.flat().map(of), 99);
  const late = ({ late: ms }: Tick): number => ms;
  return {
    name: 'board',
    notes: [
      `${PAGES} pages of one andon web, ${DEAF} of them take nothing; ${EVENTS_PER_SECOND} entries a second in the journal of a second repository, on both sides; meanwhile the daemon moves ${TASKS_PER_ROUND} tasks a round.`,
      `${open.flat().length} ticks of 5 ms with the board, ${without.flat().length} without; "its own" is without the time in which another process had its core.`,
    ],
    sides: [
      {
        label: 'lag without a board, 99th percentile',
        unit: 'ms',
        values: without.map((one) => waitOf(one.map(late), 99)),
      },
      {
        label: `lag with ${PAGES} pages, 99th percentile`,
        unit: 'ms',
        values: open.map((one) => waitOf(one.map(late), 99)),
      },
      { label: 'its own lag without a board', unit: 'ms', values: without.map((one) => waitOf(one.map(ownPart), 99)) },
      { label: `its own lag with ${PAGES} pages`, unit: 'ms', values: open.map((one) => waitOf(one.map(ownPart), 99)) },
      { label: 'andon web with no page', unit: 'MB', values: alone },
      { label: `andon web with ${PAGES} pages`, unit: 'MB', values: crowded },
      { label: 'from an entry to a page', unit: 'ms', values: told },
    ],
    figures: [
      { key: 'board.lag', label: 'lag', value: lags(open, late) - lags(without, late) },
      {
        key: 'board.own',
        label: 'the same of its own lag alone (ms)',
        value: lags(open, ownPart) - lags(without, ownPart),
      },
      { key: 'board.reader', label: 'memory', value: (median(crowded) - median(alone)) / PAGES },
      { key: 'board.told', label: 'told', value: percentile(told, 95) },
    ],
  };
}

/** The state folder of a repository, which is called after it. */
function stateOf(stage: Stage, repo: string): string {
  const home = join(stage.env['XDG_STATE_HOME'] ?? '', 'andon/repositories');
  const name = readdirSync(home).find((one) => one.startsWith(repo.split('/').at(-1) ?? ''));
  if (name === undefined) throw new Error(`${home} holds no state of ${repo}`);
  return join(home, name);
}

/** Writes remarks about a task that is under way, each with its number, until it is stopped. */
function writesInto(state: string): { readonly written: number[]; stop(): void } {
  const journal = openJournal(join(state, 'journal.sqlite'));
  const written: number[] = [];
  const timer = setInterval(() => {
    const at = new Date().toISOString();
    journal.append('(line)', [
      { kind: written.length % 2 === 0 ? 'paused' : 'unpaused', at, by: `number ${written.length}` },
    ]);
    written.push(performance.now());
  }, 1000 / EVENTS_PER_SECOND);
  return {
    written,
    stop() {
      clearInterval(timer);
      journal.close();
    },
  };
}

/** The events of a page: the times, and the newest entry. */
interface Heard {
  readonly at: number;
  readonly number: number;
}

/** From the first entry that a page had not heard of to the look that told of it or of a later one: what a person waits for it. */
function delays(heard: readonly Heard[], written: readonly number[]): readonly number[] {
  return heard.slice(1).flatMap(({ at, number }, before) => {
    const since = written[(heard[before]?.number ?? 0) + 1];
    return since === undefined || number <= (heard[before]?.number ?? 0) ? [] : [at - since];
  });
}

/** Spends the token of a link, as the page does. */
async function enter({ origin, searchParams }: URL): Promise<string> {
  const body = JSON.stringify({ token: searchParams.get('token') });
  const headers = { 'content-type': 'application/json', origin };
  const answer = await fetch(new URL('/api/enter', origin), { method: 'POST', headers, body });
  const { session } = (await answer.json()) as { readonly session: string };
  return session;
}

/** An `andon web`, started from the installed command. */
async function startWeb(stage: Stage) {
  const child = spawn(process.execPath, [stage.andon, 'web', '--port', '0'], {
    env: stage.env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const die = (): boolean => child.kill('SIGKILL');
  process.prependOnceListener('exit', die);
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await until(() => output.includes('/in?token='), 'andon web serves');
  const link = new URL(/open once: (\S+)/.exec(output)?.[1] ?? '');
  const session = await enter(link);
  return {
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      process.off('exit', die);
    },
    /** Opens one page; a deaf one never reads its events. */
    open: (isDeaf: boolean): Promise<{ readonly heard: readonly Heard[] }> =>
      new Promise((resolve, reject) => {
        const heard: Heard[] = [];
        const asked = request(
          new URL('/api/events', link),
          { agent: false, headers: { [SESSION_HEADER]: session } },
          (answer) => {
            resolve({ heard });
            if (isDeaf) return void answer.pause();
            answer.setEncoding('utf8').on('data', (text: string) => {
              const numbers = [...text.matchAll(/number (\d+)/g)].map(([, number]) => Number(number));
              if (numbers.length > 0) heard.push({ at: performance.now(), number: Math.max(...numbers) });
            });
            answer.on('error', () => {}); // it is ended with the server
          },
        );
        asked.once('error', reject).end();
      }),
  };
}
