/**
 * Serialises polls. A poll requested while one runs is coalesced into one more run; none start after `stop()`. Other work
 * on the line takes turns with them: each checks, waits for git, and acts on what must still be true.
 */
export class PollLoop {
  private readonly tick: () => Promise<void>;
  private readonly onBroken: (error: unknown) => void;
  private running: Promise<void> | undefined;
  private isRequested = false;
  isStopped = false;
  private timer: NodeJS.Timeout | undefined;
  private last: Promise<unknown> = Promise.resolve();

  constructor(tick: () => Promise<void>, onBroken: (error: unknown) => void) {
    this.tick = tick;
    this.onBroken = onBroken;
  }

  /** Polls now, or once more when the running poll has ended. */
  poll(): Promise<void> {
    if (this.isStopped) return Promise.resolve();
    if (this.running) {
      this.isRequested = true;
      return this.running;
    }
    this.running = this.inTurn(() => (this.isStopped ? Promise.resolve() : this.tick()))
      .catch((error: unknown) => this.onBroken(error))
      .finally(() => {
        this.running = undefined;
        if (!this.isRequested || this.isStopped) return;
        this.isRequested = false;
        void this.poll();
      });
    return this.running;
  }

  /** Polls after some milliseconds; the last such call counts. */
  pollIn(ms: number): void {
    clearTimeout(this.timer);
    if (!this.isStopped) this.timer = setTimeout(() => void this.poll(), ms);
  }

  /** Runs work after the running poll or work has ended. */
  inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = this.last.then(work);
    this.last = done.catch(() => {});
    return done;
  }

  /** Starts no further poll; `ended` waits for the running one. */
  stop(): void {
    this.isStopped = true;
    clearTimeout(this.timer);
  }

  async ended(): Promise<void> {
    await this.running;
  }
}
