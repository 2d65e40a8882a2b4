import type { Board } from '../../line/board/board.ts';
import type { LiveBoard } from '../../daemon/readers/live-board.ts';
import { maskKnownIn } from '../../base/known-secrets.ts';
import { toSafeJson } from '../../base/plain-text.ts';

/** Maximum connected pages. */
const MOST_READERS = 64;
/** Proxies cut an idle connection. */
const PING_MS = 15_000;

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

  constructor(live: LiveBoard, began: string) {
    this.#began = began;
    this.#take(live.board());
    this.#unfollow = live.follow((board) => this.#take(board));
  }

  /** How many pages look. */
  get count(): number {
    return this.#readers.size;
  }

  /** The events for one page, without those up to its last id. Undefined with too many pages. */
  open(signal: AbortSignal, lastId: string | undefined): ReadableStream<Uint8Array> | undefined {
    if (this.#readers.size >= MOST_READERS) return undefined;
    const reader = new Reader(
      () => this.#event,
      () => this.#version,
      () => this.#readers.delete(reader),
    );
    this.#readers.add(reader);
    return reader.stream(signal, lastId === this.#id() ? this.#version : -1);
  }

  close(): void {
    this.#unfollow();
    for (const reader of this.#readers) reader.end();
  }

  #id = (): string => `${this.#began}-${this.#version}`;

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

/** One connected page. */
class Reader {
  readonly #event: () => Uint8Array;
  readonly #version: () => number;
  readonly #left: () => void;
  #told = -1;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #ready: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(event: () => Uint8Array, version: () => number, left: () => void) {
    this.#event = event;
    this.#version = version;
    this.#left = left;
  }

  stream(signal: AbortSignal, told: number): ReadableStream<Uint8Array> {
    this.#told = told;
    signal.addEventListener('abort', () => this.end(), { once: true });
    this.#timer = setInterval(() => this.ping(PING), PING_MS);
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
          controller.enqueue(ENCODER.encode('retry: 1000\n\n'));
        },
        pull: () => {
          if (this.#told !== this.#version()) return this.#say();
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

  #say(): void {
    this.#told = this.#version();
    this.#send(this.#event());
  }

  #send(event: Uint8Array): void {
    const ready = this.#ready;
    this.#ready = undefined;
    this.#controller?.enqueue(event);
    ready?.();
  }
}
