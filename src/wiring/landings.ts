/** Thrown through a step that was told to stop; whatever it was doing does not count. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** The moments in which a target is moved: none begins once its step was told to stop, and nothing halts the line within one. */
export class Landings {
  /** How many have begun. */
  begun = 0;
  private now: Promise<unknown> | undefined;

  async during<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    if (signal.aborted) throw new Stopped();
    this.begun += 1;
    const done = work();
    this.now = done;
    try {
      return await done;
    } finally {
      this.now = undefined;
    }
  }

  /** Waits until none is under way. */
  async over(): Promise<void> {
    while (this.now !== undefined) await this.now.catch(() => {});
  }
}
