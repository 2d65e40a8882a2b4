import { defineConfig } from 'vitest/config';
import { slowness } from './test/support/patience.ts';

/** Packs andon, installs it as its users do, under the oldest and the newest Node.js it supports, and runs it. */
export default defineConfig({
  test: {
    include: ['test/package/**/*.test.ts'],
    testTimeout: 300_000 * slowness(),
    hookTimeout: 300_000 * slowness(),
    maxWorkers: 1,
  },
});
