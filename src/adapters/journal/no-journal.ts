import type { Journal } from '../../ports/journal.ts';

/** A journal in which nothing was ever written; for commands that only look. */
export const NO_JOURNAL: Journal = {
  append: () => ({ seq: 0, hash: '' }),
  entries: () => [],
  since: () => [],
  whole: () => ({ entries: [], brokenAt: undefined }),
  head: () => 0,
  taskIds: () => [],
  verify: () => undefined,
  verifyOnDisk: () => undefined,
  close: () => {},
};
