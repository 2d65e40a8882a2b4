/** The identity of a process on this machine. */
export interface Owner {
  readonly pid: number;
  readonly startTime: string;
  readonly boot: string;
}
