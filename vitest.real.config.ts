import { defineConfig } from 'vitest/config';

/** Tests against the real programs; opt-in, because they install or need them and take minutes. */
export default defineConfig({
  test: {
    name: 'real',
    include: ['test/real/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 600_000,
    fileParallelism: false,
    globalSetup: ['test/support/build.ts'],
  },
});
