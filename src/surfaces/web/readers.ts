import type { Board } from '../../line/board/board.ts';
import type { CallOutput } from '../../line/board/call-output.ts';
import type { LiveBoard } from '../../daemon/readers/live-board.ts';
import { maskKnownIn } from '../../base/known-secrets.ts';
import { toSafeJson } from '../../base/plain-text.ts';
import type { OutputLine } from './api-types.ts';

/** Maximum connected pages. */
const MOST_READERS = 64;
/** Proxies cut an idle connection. */
const PING_MS = 15_000;
/** Characters of the newest line on a row; the page of the task has the rest. */
const LONGEST_LINE = 300;

const ENCODER = new TextEncoder();
const PING = ENCODER.encode(': \n\n');

/**
 * Tells boards to pages as they change. A reader gets the newest board when it is ready: none waits for
 * another, and of each only one board is kept, which all of them share. Who takes nothing is dropped by the listener.
 */
export class Readers {
  readonly #readers = new Set<Reader>();
  readonly #unfollow: () => void;
  readonly #began: string;
  #version = 0;
  #shown = '';
  #event: Uint8Array = new Uint8Array();
  #outputs = 0;
  #output: Uint8Array = new Uint8Array();

  constructor(live: LiveBoard, began: string) {
    this.#began = began;
    this.#take(live.board());
    const ends = [live.follow((board) => this.#take(board)), live.output.follow(() => this.#hear(live.output.calls()))];
    this.#unfollow = () => ends.forEach((end) => end());
    if (live.output.calls().length > 0) this.#hear(live.output.calls());
  }

  /** How many pages look. */
  get count(): number {
    return this.#readers.size;
  }

  /** The events for one page, without those up to its last id. Undefined with too many pages. */
  open(signal: AbortSignal, lastId: string | undefined): ReadableStream<Uint8Array> | undefined {
    if (this.#readers.size >= MOST_READERS) return undefined;
    const reader = new Reader(
      (seen) => this.#next(seen),
      () => this.#readers.delete(reader),
    );
    this.#readers.add(reader);
    return reader.stream(signal, { board: lastId === this.#id() ? this.#version : -1, output: 0 });
  }

  close(): void {
    this.#unfollow();
    for (const reader of this.#readers) reader.end();
  }

  #id = (): string => `${this.#began}-${this.#version}`;

  /** The newest event that a page has not seen; the board first. */
  #next(seen: Seen): News | undefined {
    if (seen.board !== this.#version) return { event: this.#event, seen: { ...seen, board: this.#version } };
    if (seen.output !== this.#outputs) return { event: this.#output, seen: { ...seen, output: this.#outputs } };
    return undefined;
  }

  /** Agents have written: the newest line of each call is sent. */
  #hear(calls: readonly CallOutput[]): void {
    const lines = calls.map(({ repository, task_id, call, first, lines: all }): OutputLine => {
      const line = all.findLast((one) => one.trim() !== '') ?? '';
      return { repository, task_id, call, count: first + all.length, line: line.slice(0, LONGEST_LINE) };
    });
    this.#outputs += 1;
    this.#output = ENCODER.encode(`event: output\ndata: ${toSafeJson(maskKnownIn(lines), 0)}\n\n`);
    for (const reader of this.#readers) reader.wake();
  }

  /** Only differences are sent; a ping carries the time of the last poll. */
  #take(board: Board): void {
    const { at: _, ...rest } = board;
    const shown = JSON.stringify(rest, (key, value: unknown) =>
      key === 'as_of' && isFresh(rest, value) ? 'now' : value,
    );
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.#version += 1;
      this.#event = ENCODER.encode(`id: ${this.#id()}\nevent: board\ndata: ${toSafeJson(maskKnownIn(board), 0)}\n\n`);
      for (const reader of this.#readers) reader.wake();
    } else {
      const looked = ENCODER.encode(`event: looked\ndata: "${board.at}"\n\n`);
      for (const reader of this.#readers) reader.ping(looked);
    }
  }
}

/** Just-polled values have the age of the board; every other age is sent. */
const isFresh = ({ repositories }: Omit<Board, 'at'>, at: unknown): boolean =>
  repositories.some((one) => one.unknown === null && one.as_of === at);

/** The versions that a page has received. */
interface Seen {
  readonly board: number;
  readonly output: number;
}

/** An event, and what a page has seen after it. */
interface News {
  readonly event: Uint8Array;
  readonly seen: Seen;
}

/** One connected page. */
class Reader {
  readonly #next: (seen: Seen) => News | undefined;
  readonly #left: () => void;
  #seen: Seen = { board: -1, output: 0 };
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #ready: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(next: (seen: Seen) => News | undefined, left: () => void) {
    this.#next = next;
    this.#left = left;
  }

  stream(signal: AbortSignal, seen: Seen): ReadableStream<Uint8Array> {
    this.#seen = seen;
    signal.addEventListener('abort', () => this.end(), { once: true });
    this.#timer = setInterval(() => this.ping(PING), PING_MS);
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
          controller.enqueue(ENCODER.encode('retry: 1000\n\n'));
        },
        pull: () => {
          if (this.#say()) return;
          return new Promise<void>((resolve) => (this.#ready = resolve));
        },
        cancel: () => this.end(),
      },
      { highWaterMark: 1 },
    );
  }

  /** There is a newer board; who is not ready for it takes it when he is. */
  wake(): void {
    if (this.#ready !== undefined) this.#say();
  }

  /** Said only to who is ready: it is worth nothing later. */
  ping(said: Uint8Array): void {
    if (this.#ready !== undefined) this.#send(said);
  }

  end(): void {
    clearInterval(this.#timer);
    this.#left();
    const controller = this.#controller;
    this.#controller = undefined;
    this.#ready?.();
    this.#ready = undefined;
    try {
      controller?.close();
    } catch {
      // it was cancelled from the other side
    }
  }

  /** Sends the next news; false where there is none. */
  #say(): boolean {
    const news = this.#next(this.#seen);
    if (news === undefined) return false;
    this.#seen = news.seen;
    this.#send(news.event);
    return true;
  }

  #send(event: Uint8Array): void {
    const ready = this.#ready;
    this.#ready = undefined;
    this.#controller?.enqueue(event);
    ready?.();
  }
}
