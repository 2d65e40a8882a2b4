import { defineConfig } from 'vitest/config';

/** Packs andon, installs it as its users do, under the oldest and the newest Node.js it supports, and runs it. */
export default defineConfig({
  test: { include: ['test/package/**/*.test.ts'], testTimeout: 300_000, hookTimeout: 300_000, maxWorkers: 1 },
});
