import { setTimeout as sleep } from 'node:timers/promises';
import { classifyDiskError, isDiskTrouble, describeDiskWait } from '../../base/disk-trouble.ts';
import type { Line } from './line.ts';
import { findWriteObstacle } from '../../project/workspace/files.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { getStatesHome, readLastStop } from '../calls/open-ledger.ts';
import { NIGHT_STOPPED, holdToWatch, startWatchdog, type Watchdog, type WatchOptions } from './watchdog.ts';
import type { LineEvent } from '../services/services.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** A full disk is logged this often. */
const SAY_MS = 60_000;
/** A watchdog that breaks this often, although the disk takes writes in between, ends. */
const TRIES = 5;

/** Watches a repository. While its disk takes no writes nothing runs; afterwards the line continues by itself. */
export async function keepWatch(
  { facts, ...found }: Workspace,
  env: NodeJS.ProcessEnv,
  say: (news: LineEvent) => void,
  {
    breaks = false,
    ...options
  }: WatchOptions & {
    /** Takes a lock whose holder on another machine cannot be asked. */
    readonly breaks?: boolean;
  } = {},
): Promise<Watchdog> {
  const place = { ...found, facts, inboxRoot: facts.root };
  const stopBefore = readLastStop(getStatesHome(place));
  const held = await holdToWatch(place, { breaks, stopBefore });
  const keeper = new Keeper(place, env, say, { ...options, stopBefore }, held);
  await keeper.start();
  return keeper;
}

/** A watchdog that is restarted when its disk takes writes again; it holds the lock all the time. */
class Keeper implements Watchdog {
  readonly place: Workspace;
  private readonly env: NodeJS.ProcessEnv;
  private readonly say: (news: LineEvent) => void;
  private readonly options: WatchOptions & { readonly stopBefore: number };
  /** The stopped night whose running work was ended. */
  private heldBy: number | undefined;
  private readonly stopping = new AbortController();
  private readonly ending = Promise.withResolvers<string>();
  readonly broken = this.ending.promise;
  private held: Awaited<ReturnType<typeof holdToWatch>>;
  private dog: Watchdog | undefined;
  private stopped: Promise<void> | undefined;

  constructor(
    place: Workspace,
    env: NodeJS.ProcessEnv,
    say: Keeper['say'],
    options: Keeper['options'],
    held: Keeper['held'],
  ) {
    this.place = place;
    this.env = env;
    this.say = say;
    this.options = options;
    this.held = held;
  }

  get line(): Line {
    if (this.dog === undefined) throw new Error('the watchdog was not started');
    return this.dog.line;
  }

  async start(): Promise<void> {
    try {
      this.dog = await this.open();
    } catch (error) {
      await this.held.lock.release();
      throw error;
    }
    this.held = { ...this.held, tookOverFrom: undefined };
    void this.keep(this.dog).then(this.ending.resolve, (error: unknown) => this.ending.resolve(getErrorMessage(error)));
  }

  stop(): Promise<void> {
    return (this.stopped ??= this.end());
  }

  private async end(): Promise<void> {
    this.stopping.abort();
    await this.broken;
    try {
      await this.dog?.stop();
    } catch (error) {
      if (!isDiskTrouble(getErrorMessage(error))) throw error; // logged already
    } finally {
      await this.held.lock.release().catch(() => {}); // the socket of the lock ends with the process
    }
  }

  private async keep(first: Watchdog): Promise<string> {
    const { signal } = this.stopping;
    const stopped = new Promise<undefined>((resolve) => {
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    let dog = first;
    for (let times = 1; ; times += 1) {
      const began = performance.now();
      const reason = await Promise.race([dog.broken, stopped]);
      if (reason === undefined) return 'stopped';
      if (performance.now() - began > SAY_MS) times = 1;
      if (reason === NIGHT_STOPPED && this.options.ownNight === undefined) {
        await dog.stop();
        if (signal.aborted) return 'stopped';
        this.heldBy = readLastStop(getStatesHome(this.place));
        this.word('the night was stopped: what ran is ended, and nothing begins');
        dog = this.dog = await this.openAgain();
        continue;
      }
      if (!isDiskTrouble(reason) || times > TRIES) return reason;
      await dog.stop().catch(() => {}); // its disk may refuse that too; the next start recovers
      const again = await this.startAgain(reason);
      if (again === undefined) return reason;
      dog = this.dog = again;
    }
  }

  /** Waits until the disk takes writes again; undefined when a person stops it before. */
  private async startAgain(reason: string): Promise<Watchdog | undefined> {
    const { signal } = this.stopping;
    const since = new Date().toISOString();
    let loggedAt = Number.NEGATIVE_INFINITY;
    let why = findWriteObstacle(this.place) ?? reason; // a database does not pass on the kernel's error
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const wait = { ...classifyDiskError(why), since };
      this.held.lock.waits(wait);
      if (performance.now() - loggedAt >= SAY_MS) {
        this.word(describeDiskWait(wait));
        loggedAt = performance.now();
      }
      await sleep(pause, undefined, { signal }).catch(() => {});
      if (signal.aborted) return undefined;
      try {
        const obstacle = findWriteObstacle(this.place);
        if (obstacle !== undefined) {
          why = obstacle;
          continue;
        }
        const dog = await this.openAgain();
        this.held.lock.waits(undefined);
        this.word('the disk takes writes again; going on');
        return dog;
      } catch (error) {
        why = getErrorMessage(error);
        if (!isDiskTrouble(why)) throw error;
      }
    }
  }

  /** A disk without writes may have cost the lock, which is on it. */
  private async openAgain(): Promise<Watchdog> {
    const isLost = await Promise.race([this.held.lost.then(() => true), Promise.resolve(false)]);
    if (isLost) {
      await this.held.lock.release();
      this.held = await holdToWatch(this.place, { stopBefore: this.options.stopBefore });
    }
    return this.open();
  }

  private open(): Promise<Watchdog> {
    const { held, heldBy, options } = this;
    // Every command shows a step that waits for the disk, like a wait of the watchdog.
    const log = (news: LineEvent): void => {
      if (news.kind === 'word' && news.disk !== undefined) held.lock.waits(news.disk ?? undefined);
      this.say(news);
    };
    return startWatchdog(this.place, this.env, log, { ...options, heldBy }, held);
  }

  private word(text: string): void {
    this.say({ kind: 'word', level: 'warn', text });
  }
}
