import type { Fault } from '../../base/fault.ts';

/** A fault of a contract that shows only when it is held against the world; its line is known where it was looked for. */
export const locateFault = (path: string, found: string, expected: string, example?: string, line?: number): Fault => ({
  path,
  line,
  found,
  expected,
  example,
  kind: 'invalid',
});
