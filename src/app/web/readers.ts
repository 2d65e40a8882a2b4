import type { Board } from '../../line/board/board.ts';
import type { CallOutput } from '../../line/board/call-output.ts';
import type { LiveBoard } from '../../line/readers/live-board.ts';
import { maskKnownIn } from '../../base/known-secrets.ts';
import { toSafeJson } from '../../base/plain-text.ts';
import type { OutputLine } from './api-types.ts';

/** Maximum connected pages. */
const MOST_READERS = 64;
/** Proxies cut an idle connection. */
const PING_MS = 15_000;
/** Characters of the newest line on a row; the page of the task has the rest. */
const LONGEST_LINE = 300;

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/**
 * Tells boards to pages as they change. A reader gets the newest board when it is ready: none waits for
 * another, and of each only one board is kept, which all of them share. Who takes nothing is dropped by the listener.
 */
export class Readers {
  readonly #open = new Set<symbol>();
  /** Ends the wait of each reader that has seen everything, with an event of the moment or none. */
  readonly #idle = new Set<(event?: Uint8Array) => void>();
  readonly #unfollow: () => void;
  readonly #began: string;
  #shown = '';
  /** The newest event of each kind, and its version. */
  #board: News = { version: 0, event: new Uint8Array() };
  #output: News = { version: 0, event: new Uint8Array() };

  constructor(live: LiveBoard, began: string) {
    this.#began = began;
    this.#take(live.board());
    const ends = [live.follow((board) => this.#take(board)), live.output.follow(() => this.#hear(live.output.calls()))];
    this.#unfollow = () => ends.forEach((end) => end());
    if (live.output.calls().length > 0) this.#hear(live.output.calls());
  }

  /** How many pages look. */
  get count(): number {
    return this.#open.size;
  }

  /** The events for one page, without those up to its last id. Undefined with too many pages. */
  open({ signal, lastId, mayRead }: PageReader): ReadableStream<Uint8Array> | undefined {
    if (this.#open.size >= MOST_READERS) return undefined;
    const own = Symbol('reader');
    const leave = (): void => {
      this.#open.delete(own);
      this.wake();
    };
    this.#open.add(own);
    signal.addEventListener('abort', leave, { once: true });
    const events = this.#follow(own, mayRead, lastId === this.#id() ? this.#board.version : -1);
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          const { value, done } = await events.next();
          if (done === true) controller.close();
          else controller.enqueue(value);
        },
        cancel: leave,
      },
      { highWaterMark: 0 },
    );
  }

  close(): void {
    this.#unfollow();
    this.#open.clear();
    this.wake();
  }

  /** Ends the wait of every page; one that may read no longer ends. */
  wake(event?: Uint8Array): void {
    for (const end of this.#idle) end(event);
  }

  #id = (version = this.#board.version): string => `${this.#began}-${version}`;

  /** The newest event that a page has not seen, the board first, whenever it takes one and as long as it may. */
  async *#follow(own: symbol, mayRead: () => boolean, version: number): AsyncGenerator<Uint8Array, void> {
    const seen = { board: version, output: 0 };
    yield encode('retry: 1000\n\n');
    // Asked before a wait too: a page that ended while it took an event is woken by nothing.
    const isOpen = (): boolean => this.#open.has(own) && mayRead();
    while (isOpen()) {
      const event = this.#takeUnseen(seen) ?? (await this.#wait());
      if (event !== undefined && isOpen()) yield event;
    }
    this.#open.delete(own);
  }

  #takeUnseen(seen: { board: number; output: number }): Uint8Array | undefined {
    const kind = seen.board === this.#board.version ? 'output' : 'board';
    const { version, event } = kind === 'board' ? this.#board : this.#output;
    const isUnseen = seen[kind] !== version;
    seen[kind] = version;
    return isUnseen ? event : undefined;
  }

  #wait(): Promise<Uint8Array | undefined> {
    const { promise, resolve } = Promise.withResolvers<Uint8Array | undefined>();
    const end = (event?: Uint8Array): void => {
      clearTimeout(timer);
      this.#idle.delete(end);
      resolve(event);
    };
    const timer = setTimeout(() => end(encode(': \n\n')), PING_MS);
    this.#idle.add(end);
    return promise;
  }

  /** Agents have written: the newest line of each call is sent. */
  #hear(calls: readonly CallOutput[]): void {
    const lines = calls.map(({ repository, task_id, call, first, lines: all }): OutputLine => {
      const line = all.findLast((one) => one.trim() !== '') ?? '';
      return { repository, task_id, call, count: first + all.length, line: line.slice(0, LONGEST_LINE) };
    });
    const event = encode(`event: output\ndata: ${toSafeJson(maskKnownIn(lines), 0)}\n\n`);
    this.#output = { version: this.#output.version + 1, event };
    this.wake();
  }

  /** Only differences are sent; a ping carries the time of the last poll. */
  #take(board: Board): void {
    const { at: _, ...rest } = board;
    const shown = JSON.stringify(rest, (key, value: unknown) =>
      key === 'as_of' && isFresh(rest, value) ? 'now' : value,
    );
    if (shown === this.#shown) return this.wake(encode(`event: looked\ndata: "${board.at}"\n\n`));
    this.#shown = shown;
    const version = this.#board.version + 1;
    const event = encode(`id: ${this.#id(version)}\nevent: board\ndata: ${toSafeJson(maskKnownIn(board), 0)}\n\n`);
    this.#board = { version, event };
    this.wake();
  }
}

/** A page that follows the board. */
interface PageReader {
  readonly signal: AbortSignal;
  readonly lastId: string | undefined;
  /** Asked before each wait, event and ping: a session may end in another process, or by its age. */
  readonly mayRead: () => boolean;
}

interface News {
  readonly version: number;
  readonly event: Uint8Array;
}

/** Just-polled values have the age of the board; every other age is sent. */
const isFresh = ({ repositories }: Omit<Board, 'at'>, at: unknown): boolean =>
  repositories.some((one) => one.unknown === null && one.as_of === at);
