import type { Board, RepositorySnapshot, Usual } from '../board/board.ts';
import { buildBoard } from '../board/build-board.ts';
import { listWorkspaces } from '../../project/workspace/list-workspaces.ts';
import type { KnownState } from '../../project/folders/moved-state.ts';
import { openEvents, readJournal } from '../journal/open-journal.ts';
import { JournalReader, NEWEST_CALLS } from './journal-reader.ts';
import { OutputFeed } from './output-feed.ts';
import { basename } from 'node:path';
import type { WrittenEntry } from '../journal/journal.ts';
import { readNight, hasDigestContent } from './read-night.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

/** The board of this user, updated when a journal grows. It takes no lock and changes nothing. */
export interface LiveBoard {
  board(): Board;
  /** Calls back after each read, until the returned function is called. */
  follow(listener: (board: Board) => void): () => void;
  look(): Promise<void>;
  /** The output of running calls, between reads too. */
  readonly output: Pick<OutputFeed, 'calls' | 'follow'>;
  close(): void;
}

/** Facts outside journals (a started watchdog, a queued file) are read this often. */
const EVERY_MS = 3000;
/** The least and the longest time between a read and the next one, where a journal grew; the first read is slow. */
const LEAST_MS = 150;
const LONGEST_MS = 500;
/** Reading takes at most one part in this many of a core. */
const SHARE = 4;

/** Reads once, then at every entry of a journal and every few seconds, until it is closed. */
export async function openLiveBoard(wanted: BoardRequest): Promise<LiveBoard> {
  const live = new Live(wanted);
  await live.look();
  return live;
}

class Live implements LiveBoard {
  readonly output = new OutputFeed();
  readonly #wanted: BoardRequest;
  readonly #looked = new Map<string, RepositorySnapshot>();
  readonly #following = new Map<string, { close(): void }>();
  readonly #journals = new Map<string, JournalReader>();
  readonly #listeners = new Set<(board: Board) => void>();
  readonly #dirty = new Set<string>();
  #board: Board = buildBoard([], new Date().toISOString());
  #timer: NodeJS.Timeout | undefined;
  #next = 0;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(wanted: BoardRequest) {
    this.#wanted = wanted;
  }

  board(): Board {
    return this.#board;
  }

  follow(listener: (board: Board) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async look(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
    await this.#run(undefined);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const one of [...this.#following.values(), ...this.#journals.values()]) one.close();
    this.output.close();
    this.#listeners.clear();
  }

  /** A journal grew: its repository is read as soon as the limits allow. */
  #poke(state: string): void {
    this.#dirty.add(state);
    this.#later();
  }

  #later(): void {
    if (this.#isClosed || this.#running !== undefined) return; // the running read schedules the next one
    clearTimeout(this.#timer);
    const rest = this.#next - performance.now();
    this.#timer = setTimeout(
      () => void this.#run(this.#dirty.size === 0 ? undefined : new Set(this.#dirty)),
      this.#dirty.size > 0 ? Math.max(0, rest) : Math.max(EVERY_MS, rest),
    );
  }

  #run(only: ReadonlySet<string> | undefined): Promise<void> {
    const began = process.cpuUsage();
    this.#running = this.#lookAtAll(only)
      .catch((error: unknown) => this.#lost(error))
      .finally(() => {
        this.#running = undefined;
        const { user, system } = process.cpuUsage(began); // not the clock: on a busy machine a read mostly waits
        this.#next =
          performance.now() + Math.min(LONGEST_MS, Math.max(LEAST_MS, ((user + system) / 1000) * (SHARE - 1)));
        this.#later();
      });
    return this.#running;
  }

  /** The read failed: the last snapshots stay, marked as old. */
  #lost(error: unknown): void {
    const unknown = getErrorMessage(error);
    for (const [state, one] of this.#looked) this.#looked.set(state, { ...one, unknown });
    this.#tell();
  }

  #tell(): void {
    this.#board = buildBoard([...this.#looked.values()], new Date().toISOString());
    const working = new Set(this.#board.lanes.working.map(({ repository }) => repository));
    this.output.attend([...this.#looked].flatMap(([state, { id }]) => (working.has(id) ? [state] : [])));
    for (const listener of this.#listeners) listener(this.#board);
  }

  async #lookAtAll(only: ReadonlySet<string> | undefined): Promise<void> {
    const { env } = this.#wanted;
    const known = listBoardStates(this.#wanted);
    for (const one of known) {
      if (only !== undefined && !only.has(one.state) && this.#looked.has(one.state)) continue;
      this.#dirty.delete(one.state);
      this.#attend(one);
      const now = new Date().toISOString();
      const looked = await readBoardRepository(one, {
        now,
        before: this.#looked.get(one.state),
        env,
        journal: this.#journalOf(one),
      });
      if (this.#isClosed) return;
      if (looked === undefined) this.#looked.delete(one.state);
      else this.#looked.set(one.state, looked);
    }
    for (const state of this.#journals.keys()) if (!known.some((one) => one.state === state)) this.#drop(state);
    this.#tell();
  }

  #journalOf({ state }: KnownState): JournalReader {
    const journal = this.#journals.get(state) ?? new JournalReader(state);
    this.#journals.set(state, journal);
    return journal;
  }

  /** Drops a repository that is no longer known. */
  #drop(state: string): void {
    this.#looked.delete(state);
    for (const one of [this.#following, this.#journals]) {
      one.get(state)?.close();
      one.delete(state);
    }
  }

  /** Follows the journal of a repository from its present end; a replaced journal is followed again. */
  #attend({ state }: KnownState): void {
    if (this.#following.has(state)) return;
    const place = { state };
    let head = 0;
    try {
      const journal = readJournal(place);
      head = journal?.head() ?? 0;
      journal?.close();
    } catch {
      return; // reported as unknown, and tried again at the next read
    }
    this.#following.set(
      state,
      openEvents(place).follow(
        head,
        () => this.#poke(state),
        () => {
          this.#following.delete(state);
          this.#poke(state);
        },
      ),
    );
  }
}

/** The repositories of a board: all of this user, or only those of these states. */
export interface BoardRequest {
  readonly env: NodeJS.ProcessEnv;
  /** Folders of states; undefined = all. */
  readonly states?: readonly string[] | undefined;
}

export async function readBoard(wanted: BoardRequest): Promise<Board> {
  const live = await openLiveBoard(wanted);
  live.close();
  return live.board();
}

const listBoardStates = ({ env, states }: BoardRequest): readonly KnownState[] =>
  listWorkspaces(env).filter(
    ({ state, root }) => root !== undefined && (states === undefined || states.includes(state)),
  );

/** Ended tasks stay on the board this long. */
const ENDED_MS = 7 * 24 * 3_600_000;

interface Looking {
  readonly now: string;
  readonly before: RepositorySnapshot | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly journal: JournalReader;
}

/** Reads one repository for the board; undefined where it has no content. After a failure the last snapshot is kept. */
async function readBoardRepository(
  { state, root = state, isThere }: KnownState,
  { now, before, env, journal }: Looking,
): Promise<RepositorySnapshot | undefined> {
  const since = new Date(Date.parse(now) - ENDED_MS).toISOString();
  const { night, entries } = await readNight({ state, root, isThere }, { at: since, heads: {} }, env, journal.read());
  if (night.line !== undefined) journal.forget(night.since);
  if (!hasDigestContent(night)) return undefined;
  const id = basename(state);
  if (night.line !== undefined || night.damage !== undefined)
    return { id, night, at: now, unknown: undefined, history: usualIn(entries) };
  const unknown = night.notKnown[0]?.what ?? 'it cannot be read';
  if (before === undefined) return { id, night, at: now, unknown, history: [] };
  return { ...before, night: { ...before.night, notKnown: night.notKnown }, unknown };
}

function usualIn(entries: readonly WrittenEntry[]): readonly Usual[] {
  return entries
    .filter(({ glance }) => glance.kind === 'called')
    .slice(-NEWEST_CALLS)
    .flatMap(({ entry }) => {
      if (entry.kind !== 'called' || !entry.ok) return [];
      const { station, model, ms } = entry;
      return [{ station, model, ms }];
    });
}
