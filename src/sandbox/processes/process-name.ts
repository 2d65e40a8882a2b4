/** A process by pid and start time (clock ticks since boot); a pid alone is reused. */
export interface ProcessName {
  readonly pid: number;
  readonly startTime: string;
}

/** A process of this machine, also after a boot; `boot` also names its pid namespace. */
export interface Owner extends ProcessName {
  readonly boot: string;
}
