import { defineConfig } from 'vitest/config';

/** The real daemon is killed at every effect on the disk, and its disk fails; opt-in, because it takes minutes. */
export default defineConfig({
  test: {
    name: 'crash',
    include: ['test/crash/**/*.test.ts'],
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    fileParallelism: false,
    globalSetup: ['test/support/build.ts'],
  },
});
