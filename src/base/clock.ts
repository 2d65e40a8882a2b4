/** Time for the line. */
export interface Clock {
  /** The wall clock as an ISO 8601 text in UTC; for people and for commit dates, never for order or limits. */
  now(): string;
  /**
   * Calls `expired` once `ms` of awake time went by without `touch()`. Suspended and stopped time does not count.
   */
  awake(ms: number, expired: () => void): { touch(): void; stop(): void };
  /**
   * Resolves when the wall clock reaches a time, also after a suspend, or when the signal fires. It also resolves when
   * the clock was set back, because the time may now be a day away; check the time afterwards.
   */
  until(time: string, signal: AbortSignal): Promise<void>;
}
