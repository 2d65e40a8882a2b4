import type { Needs, Services } from '../../wiring/services.ts';

/** An editor that saves in pieces needs a few milliseconds between two of them. */
const SETTLE_MS = 100;
/** A text that ends too early may still be being written for this long. */
const UNFINISHED_MS = 2000;

/** A file in `_handoff/` that a person writes, seen over several polls: it counts once it has stayed the same for a moment. */
export class DebouncedFile {
  text: string | undefined;
  /** Why it cannot be read: a link, a folder. */
  unreadable: string | undefined;
  isSettled = false;
  private readonly handoff: Services['handoff'];
  private readonly name: string;
  private seen: string | undefined;
  private since = 0;
  private refused: string | undefined;

  constructor({ handoff }: Needs<'handoff'>, name: string) {
    this.handoff = handoff;
    this.name = name;
  }

  poll(): void {
    const read = this.handoff.read(this.name);
    this.text = read.ok ? read.value : undefined;
    this.unreadable = read.ok ? undefined : read.why;
    const now = this.text ?? (read.ok ? undefined : `\u0000${read.why}`);
    if (now !== this.seen) this.since = performance.now();
    this.seen = now;
    this.isSettled = now !== undefined && this.age >= SETTLE_MS;
    if (now === undefined) this.refused = undefined;
  }

  /** Marks what the file says now as refused. */
  refuse(): void {
    this.refused = this.seen;
  }

  /** Lets what was refused be read again. */
  forget(): void {
    this.refused = undefined;
  }

  get isRefused(): boolean {
    return this.seen !== undefined && this.seen === this.refused;
  }

  /** Whether it has stayed the same for so long that its writer has finished. */
  get isFinished(): boolean {
    return this.age >= UNFINISHED_MS;
  }

  /** Milliseconds until the next poll can find it settled; undefined when it is, or is missing. */
  get settlesIn(): number | undefined {
    if (this.seen === undefined || this.isSettled) return undefined;
    return this.age < SETTLE_MS ? SETTLE_MS - this.age : SETTLE_MS;
  }

  private get age(): number {
    return performance.now() - this.since;
  }
}
