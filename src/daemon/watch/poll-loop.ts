/**
 * Looks, one at a time: calls during a look lead to one more look, and none begins once they are stopped. What else moves
 * the line takes turns with them: both check first, wait for git, and act then on what must still be so.
 */
export class PollLoop {
  private readonly tick: () => Promise<void>;
  private readonly broken: (error: unknown) => void;
  private looking: Promise<void> | undefined;
  private again = false;
  private stopped = false;
  private soon: NodeJS.Timeout | undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(lookOnce: () => Promise<void>, broken: (error: unknown) => void) {
    this.tick = lookOnce;
    this.broken = broken;
  }

  get isStopped(): boolean {
    return this.stopped;
  }

  /** Looks now, or once more when the look that is under way has ended. */
  look(): Promise<void> {
    if (this.stopped) return Promise.resolve();
    if (this.looking) {
      this.again = true;
      return this.looking;
    }
    this.looking = this.inTurn(() => (this.stopped ? Promise.resolve() : this.tick()))
      .catch((error: unknown) => this.broken(error))
      .finally(() => {
        this.looking = undefined;
        if (!this.again || this.stopped) return;
        this.again = false;
        void this.look();
      });
    return this.looking;
  }

  /** Looks once more after so many milliseconds; of several such calls the last one counts. */
  lookIn(ms: number): void {
    clearTimeout(this.soon);
    if (!this.stopped) this.soon = setTimeout(() => void this.look(), ms);
  }

  /** Does something when the look or the work that is under way has ended. */
  inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.last.then(work);
    this.last = done.catch(() => {});
    return done;
  }

  /** Lets no further look begin; what is under way ends with `ended`. */
  stop(): void {
    this.stopped = true;
    clearTimeout(this.soon);
  }

  async ended(): Promise<void> {
    await this.looking;
  }
}
