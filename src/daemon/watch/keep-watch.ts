import { setTimeout as sleep } from 'node:timers/promises';
import { classifyDiskError, isDiskTrouble, describeDiskWait } from '../../base/disk-trouble.ts';
import type { Line } from './line.ts';
import { findWriteObstacle } from '../../wiring/files.ts';
import { resolveWatchedInbox } from '../../wiring/inbox.ts';
import type { Workspace } from '../../wiring/load-workspace.ts';
import { getStatesHome, readLastStop } from '../../wiring/open-ledger.ts';
import { NIGHT_STOPPED, holdToWatch, startWatchdog } from './watchdog.ts';
import type { WatchdogLock, Watchdog } from './watchdog.ts';
import type { LineEvent, Services } from '../../wiring/services.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
/** A disk that is still full is spoken of this often. */
const SAY_MS = 60_000;
/** A watchdog that breaks so often although the disk takes writes in between is not helped by waiting. */
const TRIES = 5;

/** Watches a repository; while its disk takes nothing, nothing runs, and when it does again the line goes on by itself. */
export async function keepWatch(
  place: Workspace,
  env: NodeJS.ProcessEnv,
  say: (news: LineEvent) => void,
  options: {
    readonly projects?: number;
    readonly agents?: Services['agents'];
    /** When it is to end; nothing begins from then on. */
    readonly ends?: string | undefined;
    /** The night that it is started for: it breaks off when that is stopped. */
    readonly ownNight?: number | undefined;
    /** Take a lock whose holder on another machine cannot be asked. */
    readonly breaks?: boolean;
    /** Called when a command asks for the end of this process. */
    readonly onStopRequest?: () => void;
  } = {},
): Promise<Watchdog> {
  const stopBefore = readLastStop(getStatesHome(place));
  const keeper = new Keeper(
    place,
    say,
    await holdToWatch(place, options),
    (held, heldBy) => {
      // A step that waits for the disk by itself is seen by every command, as the watchdog's own wait is.
      const told = (news: LineEvent): void => {
        if (news.kind === 'word' && news.disk !== undefined) held.lock.waits(news.disk ?? undefined);
        say(news);
      };
      return startWatchdog(place, env, told, { ...options, stopBefore, heldBy, held });
    },
    options.ownNight,
  );
  await keeper.start();
  return keeper;
}

/** A watchdog that is started again whenever its disk is better; the lock is held all the time, also while it waits. */
class Keeper implements Watchdog {
  readonly place: Workspace;
  private readonly say: (news: LineEvent) => void;
  private readonly open: (held: WatchdogLock, heldBy?: number) => Promise<Watchdog>;
  private readonly ownNight: number | undefined;
  /** The night that was stopped, and for which what ran was ended. */
  private heldBy: number | undefined;
  private readonly stopping = new AbortController();
  private readonly ending = Promise.withResolvers<string>();
  readonly broken = this.ending.promise;
  private held: WatchdogLock;
  private dog: Watchdog | undefined;

  constructor(
    place: Workspace,
    say: (news: LineEvent) => void,
    held: WatchdogLock,
    open: (held: WatchdogLock, heldBy?: number) => Promise<Watchdog>,
    ownNight: number | undefined,
  ) {
    this.ownNight = ownNight;
    this.place = resolveWatchedInbox(place);
    this.say = say;
    this.held = held;
    this.open = open;
  }

  get line(): Line {
    if (this.dog === undefined) throw new Error('the watchdog was not started');
    return this.dog.line;
  }

  async start(): Promise<void> {
    try {
      this.dog = await this.open(this.held);
    } catch (error) {
      await this.held.lock.release();
      throw error;
    }
    this.held = { ...this.held, tookOverFrom: undefined };
    void this.keep(this.dog).then(this.ending.resolve, (error: unknown) => this.ending.resolve(wordsOf(error)));
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.broken;
    try {
      await this.dog?.stop();
    } catch (error) {
      if (!isDiskTrouble(wordsOf(error))) throw error; // said already
    } finally {
      await this.held.lock.release().catch(() => {}); // so may this be: the name goes with the process
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
      if (reason === NIGHT_STOPPED && this.ownNight === undefined) {
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

  /** Waits until the disk takes writes again; undefined when a human stops it before. */
  private async startAgain(reason: string): Promise<Watchdog | undefined> {
    const { signal } = this.stopping;
    const since = new Date().toISOString();
    let said = Number.NEGATIVE_INFINITY;
    let why = findWriteObstacle(this.place) ?? reason; // a database does not tell the kernel's name of what ails it
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const wait = { ...classifyDiskError(why), since };
      this.held.lock.waits(wait);
      if (performance.now() - said >= SAY_MS) {
        this.word(describeDiskWait(wait));
        said = performance.now();
      }
      await sleep(pause, undefined, { signal }).catch(() => {});
      if (signal.aborted) return undefined;
      try {
        const still = findWriteObstacle(this.place);
        if (still !== undefined) {
          why = still;
          continue;
        }
        const dog = await this.openAgain();
        this.held.lock.waits(undefined);
        this.word('the disk takes writes again; going on');
        return dog;
      } catch (error) {
        why = wordsOf(error);
        if (!isDiskTrouble(why)) throw error;
      }
    }
  }

  /** A disk that took no writes for long may have cost the lock, which lies on it. */
  private async openAgain(): Promise<Watchdog> {
    const isLost = await Promise.race([this.held.lost.then(() => true), Promise.resolve(false)]);
    if (isLost) {
      await this.held.lock.release();
      this.held = await holdToWatch(this.place);
    }
    return this.open(this.held, this.heldBy);
  }

  private word(text: string): void {
    this.say({ kind: 'word', level: 'warn', text });
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
