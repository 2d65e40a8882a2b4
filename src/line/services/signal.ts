/** Notifies after each poll of the folder; a step that waits for a file waits for the next notification. */
export class Signal {
  private waiting = new Set<() => void>();

  /** How many wait for the next ring. */
  get waiters(): number {
    return this.waiting.size;
  }

  notifyAll(): void {
    const { waiting } = this;
    this.waiting = new Set();
    for (const wake of waiting) wake();
  }

  /** Resolves at the next notification, or at once when `signal` aborts. No listener stays behind. */
  next(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        this.waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.waiting.add(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }
}
