import type { Services } from '../../wiring/services.ts';

/** A file that is no whole text may still be being written; after this long without a change it is what it is. */
const SETTLE_MS = 2000;

/** What stays as it is for so long is saved: an editor that saves in pieces needs a few milliseconds between two. */
const QUIET_MS = 100;

/** One file of a human as it was seen over several looks: an editor may save in pieces. */
export class SeenPaper {
  text: string | undefined;
  unreadable: string | undefined;
  isSettled = false;
  /** The pair of files that was refused because they disagree. */
  together: string | undefined;
  private readonly services: Services;
  private readonly name: string;
  private seen: string | undefined;
  private since = 0;
  private refused: string | undefined;

  constructor(services: Services, name: string) {
    this.services = services;
    this.name = name;
  }

  look(): void {
    const read = this.services.handoff.read(this.name);
    this.text = read.ok ? read.value : undefined;
    this.unreadable = read.ok ? undefined : read.why;
    if (this.key !== this.seen) this.since = performance.now();
    this.seen = this.key;
    this.isSettled = this.key !== undefined && this.age >= QUIET_MS;
    if (this.key === undefined) this.refused = undefined;
  }

  refuse(): void {
    this.refused = this.key;
  }

  /** What was refused is looked at again. */
  forget(): void {
    this.refused = undefined;
  }

  get isRefused(): boolean {
    return this.key !== undefined && this.key === this.refused;
  }

  /** It has lain there unchanged for so long that nobody is writing it. */
  get isOld(): boolean {
    return this.age >= SETTLE_MS;
  }

  /**
   * Milliseconds until it is settled if nobody touches it; undefined when no look is waited for. A look that took so long
   * that the time is over by now has not seen it settled, so one more is waited for.
   */
  get settlesIn(): number | undefined {
    if (this.key === undefined || this.isSettled) return undefined;
    return this.age < QUIET_MS ? QUIET_MS - this.age : QUIET_MS;
  }

  private get age(): number {
    return performance.now() - this.since;
  }

  private get key(): string | undefined {
    return this.text ?? (this.unreadable === undefined ? undefined : `\u0000${this.unreadable}`);
  }
}
