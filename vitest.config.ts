import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * One project for each kind of test: pure rooms (milliseconds), the edge on real temporary repositories, the installed
 * command. Their time limits end what hangs, also on a machine that is busy with something else.
 */
const project = (name: string, include: string[], testTimeout: number, globalSetup: string[] = [], isolate = true) => ({
  test: {
    name,
    include,
    testTimeout,
    hookTimeout: testTimeout,
    globalSetup,
    setupFiles: globalSetup.includes(MEMORY) ? ['test/support/where-worlds-lie.ts'] : [],
    // Who starts programs had better be small: each start takes the longer the more memory the starter holds.
    execArgv: globalSetup.includes(MEMORY) ? ['--max-semi-space-size=4'] : [],
    isolate,
  },
});
const MEMORY = 'test/support/worlds-in-memory.ts';
const BUILD = ['test/support/build.ts', MEMORY];

/**
 * Whole lives of tasks that look closer at what other tests and the drills show as well: `test/thorough`. They run by
 * their names and with `npm run test:thorough`; without them `npm test` takes a third as long.
 */
const isThoroughAsked = process.argv
  .slice(2)
  .filter((_, at, words) => !['-t', '--testNamePattern'].includes(words[at - 1] ?? '')) // a part of a title, not of a path
  .some((word) => word.includes('thorough') || isPartOf(readdirSync(join(import.meta.dirname, 'test/thorough')), word));

/** Who names files on the command line as vitest does, by a part of their path, means these as well. */
function isPartOf(files: readonly string[], word: string): boolean {
  if (word.startsWith('-') || ['run', 'list', 'watch'].includes(word)) return false;
  const name = word.replace(/^\.\//, '');
  return files.some((file) => `test/thorough/${file}`.includes(name));
}

export default defineConfig({
  test: {
    expect: { poll: { timeout: 60_000 } }, // a wait, no measure: on a busy machine what is waited for comes late
    maxWorkers: availableParallelism() + 2, // most tests wait for processes half of their time
    projects: [
      // Pure rooms share nothing that one test could leave to the next, so every module is loaded once, not once a file.
      project('unit', ['test/unit/**/*.test.ts'], 60_000, [], false),
      project('integration', ['test/integration/**/*.test.ts'], 120_000, [MEMORY]),
      project('cases', ['test/cases/**/*.test.ts'], 240_000, BUILD),
      project('end-to-end', ['test/end-to-end/**/*.test.ts'], 240_000, BUILD, false),
      ...(isThoroughAsked || process.env['ANDON_TESTS'] === 'all'
        ? [project('thorough', ['test/thorough/**/*.test.ts'], 240_000, BUILD, false)]
        : []),
    ],
  },
});
