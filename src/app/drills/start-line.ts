import { getLastLine } from '../../base/last-line.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatEntry } from '../../line/core/story.ts';
import { openHolder } from '../../project/workspace/open-reader.ts';
import { startAndon } from '../../sandbox/processes/start-andon.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { keepWatch } from '../../line/daemon/keep-watch.ts';
import type { LineEvent } from '../../line/services/services.ts';

/** A running line, in this process or its own. */
export interface RunningLine {
  readonly pid: number;
  /** Why it ended by itself; undefined while it runs. */
  broken(): string | undefined;
  /** Its last output. */
  lastWords(): string;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** Starts the watchdog: in this process, or (`apart`) as `andon watch`. */
export const startLine = (place: Workspace, env: NodeJS.ProcessEnv, apart: boolean): Promise<RunningLine> =>
  apart ? startApart(place, env) : startHere(place, env);

async function startHere(place: Workspace, env: NodeJS.ProcessEnv): Promise<RunningLine> {
  let words = '';
  let broken: string | undefined;
  const dog = await keepWatch(place, env, (news) => (words = wordsOf(news) ?? words));
  void dog.broken.then((reason) => (broken = reason));
  return {
    pid: process.pid,
    broken: () => broken,
    lastWords: () => words,
    stop: () => dog.stop(),
    kill: () => Promise.reject(new Error('only an andon of its own can be killed')),
  };
}

/** It watches once it holds the lock under its own pid. */
async function startApart(place: Workspace, env: NodeJS.ProcessEnv): Promise<RunningLine> {
  const andon = startAndon(['watch'], place.facts.root, env);
  let ended = false;
  const isUp = (): boolean => openHolder(place)?.pid === andon.pid && andon.output().includes('watches');
  for (const end = performance.now() + PATIENCE_MS; !isUp();) {
    if (performance.now() > end) {
      await andon.end('SIGKILL');
      throw new Error(`andon watch did not start: ${andon.output().slice(-400)}`);
    }
    await sleep(20);
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    ended = true;
    await andon.end(signal);
  };
  return {
    pid: andon.pid,
    broken: () => (!ended && openHolder(place) === undefined ? andon.output().slice(-400) : undefined),
    lastWords: () => getLastLine(andon.output()),
    stop: () => end('SIGINT'),
    kill: () => end('SIGKILL'),
  };
}

/** The most that a start or a step may take: where twenty programs wait for each core, a step takes 30 s. */
export const PATIENCE_MS = 90_000;

const wordsOf = (news: LineEvent): string | undefined => {
  if (news.kind === 'word') return news.text;
  return news.kind === 'entry' ? formatEntry(news.entry) : undefined;
};
