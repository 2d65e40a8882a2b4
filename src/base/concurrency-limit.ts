/** Limits concurrency; the rest waits in order, or leaves when it is cancelled. */
export class ConcurrencyLimit {
  readonly #atOnce: number;
  readonly #waiting = new Set<() => void>();
  #underWay = 0;

  constructor(atOnce: number) {
    this.#atOnce = atOnce;
  }

  /** Whether nothing is under way or waits. */
  get isIdle(): boolean {
    return this.#underWay === 0 && this.#waiting.size === 0;
  }

  /** Does it when its turn comes; undefined when it was called off before. */
  async take<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result | undefined> {
    if (this.#underWay >= this.#atOnce || this.#waiting.size > 0) await this.#turn(signal);
    else this.#underWay += 1;
    try {
      return signal.aborted ? undefined : await work();
    } finally {
      this.#underWay -= 1;
      this.#callNext();
    }
  }

  /** Waits for a slot; a cancelled caller takes its slot and returns it at once. */
  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const enter = (): void => {
        this.#waiting.delete(enter);
        signal.removeEventListener('abort', enter);
        this.#underWay += 1;
        resolve();
      };
      this.#waiting.add(enter);
      if (signal.aborted) enter();
      else signal.addEventListener('abort', enter, { once: true });
    });
  }

  #callNext(): void {
    const [next] = this.#waiting;
    if (next !== undefined && this.#underWay < this.#atOnce) next();
  }
}
