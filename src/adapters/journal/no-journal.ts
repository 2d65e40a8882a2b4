import type { Journal } from '../../ports/journal.ts';

/** A journal in which nothing was ever written; for commands that only look. */
export const NO_JOURNAL: Journal = {
  append: () => ({ seq: 0, hash: '' }),
  entries: () => [],
  since: () => [],
  readOn: () => ({ entries: [], brokenAt: undefined, upTo: { seq: 0, hash: '' } }),
  head: () => 0,
  taskIds: () => [],
  verify: () => undefined,
  verifyOnDisk: () => undefined,
  close: () => {},
};
