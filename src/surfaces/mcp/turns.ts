/** Lets so much work be under way at a time; the rest waits and begins in order, or leaves when nobody wants it any more. */
export class Turns {
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

  /** Waits until a place is kept for whoever called; one who was called off takes his at once and gives it back. */
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
