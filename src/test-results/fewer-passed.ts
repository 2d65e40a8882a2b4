/** The tests of a run that passed, as counted in its machine-readable results. */
export interface PassedTests {
  readonly format: string;
  readonly count: number;
}

/** A run in which fewer tests passed than before; `after` is null where the later count is unknown. */
export interface FewerPassed {
  readonly runner: string;
  readonly before: number;
  readonly after: number | null;
}

/** Compares two counts. Without a count before there is nothing to lose; a count that has become unknown is no pass. */
export function fewerPassed(before: PassedTests | undefined, after: PassedTests | undefined): FewerPassed | undefined {
  if (before === undefined || before.count === 0) return undefined;
  const now = after?.format === before.format ? after.count : null;
  return now !== null && now >= before.count ? undefined : { runner: before.format, before: before.count, after: now };
}
