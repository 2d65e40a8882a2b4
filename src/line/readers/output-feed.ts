import { basename } from 'node:path';
import { parseJsonObject } from '../../base/json-object.ts';
import { toSingleLine } from '../../base/plain-text.ts';
import type { CallOutput } from '../board/call-output.ts';
import { outputTailSchema } from '../../project/requests/request.ts';
import { readTails, watchTails } from '../../project/folders/live-tails.ts';

/** How often the tails of working repositories are read where the kernel does not report writes. */
const POLL_MS = 500;
/** The least time between two reads of one repository. */
const LEAST_MS = 100;

/** The output of running calls in some repositories, as their daemons lend it. It changes nothing. */
export class OutputFeed {
  readonly #calls = new Map<string, readonly CallOutput[]>();
  readonly #watchers = new Map<string, { close(): void }>();
  readonly #pending = new Map<string, NodeJS.Timeout>();
  readonly #listeners = new Set<() => void>();
  readonly #timer: NodeJS.Timeout;
  #working: readonly string[] = [];

  constructor() {
    this.#timer = setInterval(() => {
      for (const state of this.#working) if (!this.#watchers.has(state)) this.#read(state);
    }, POLL_MS);
    this.#timer.unref();
  }

  /** The calls at work, the one that wrote last at the end. */
  calls(): readonly CallOutput[] {
    return [...this.#calls.values()].flat();
  }

  /** Calls back after each change, until the returned function is called. */
  follow(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => void this.#listeners.delete(changed);
  }

  /** Follows these state folders, in which calls are at work, and no others. */
  attend(states: readonly string[]): void {
    this.#working = states;
    for (const state of this.#calls.keys()) if (!states.includes(state)) this.#set(state, []);
    for (const [state, watcher] of this.#watchers)
      if (!states.includes(state)) {
        watcher.close();
        this.#watchers.delete(state);
      }
    for (const state of states) {
      if (this.#watchers.has(state)) continue;
      const watcher = watchTails(
        state,
        () => this.#later(state),
        () => this.#watchers.delete(state),
      );
      if (watcher !== undefined) this.#watchers.set(state, watcher);
      this.#read(state);
    }
  }

  close(): void {
    clearInterval(this.#timer);
    this.attend([]);
    for (const timer of this.#pending.values()) clearTimeout(timer);
    this.#listeners.clear();
  }

  #later(state: string): void {
    if (this.#pending.has(state)) return;
    const read = (): void => {
      this.#pending.delete(state);
      if (this.#working.includes(state)) this.#read(state);
    };
    this.#pending.set(state, setTimeout(read, LEAST_MS));
  }

  #read(state: string): void {
    const before = this.#calls.get(state) ?? [];
    const calls = readTails(state).flatMap(({ taskId, call, text }) => {
      const read = outputTailSchema().safeParse(parseJsonObject(text, []));
      if (read.success) {
        const { station, first } = read.data;
        // Lines of an agent are untrusted: they are made safe to print here, once for every reader.
        const lines = read.data.lines.map((line) => toSingleLine(line.replaceAll('\t', '  ')));
        return [{ repository: basename(state), task_id: taskId, call: read.data.call, station, first, lines }];
      }
      // It is being written; the end of the write is reported, too.
      return before.filter((one) => one.task_id === taskId && one.call === call);
    });
    this.#set(state, calls);
  }

  #set(state: string, calls: readonly CallOutput[]): void {
    if (JSON.stringify(this.#calls.get(state) ?? []) === JSON.stringify(calls)) return;
    if (calls.length === 0) this.#calls.delete(state);
    else this.#calls.set(state, calls);
    for (const changed of this.#listeners) changed();
  }
}
