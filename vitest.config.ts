import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { parseCLI } from 'vitest/node';
import { patience, slowness } from './test/support/patience.ts';

/**
 * One project for each kind of test: pure rooms (milliseconds), the edge on real temporary repositories, the installed
 * command. Their time limits end what hangs, also on a machine that is busy with something else.
 */
const project = (name: string, include: string[], testTimeout: number, globalSetup: string[] = []) => ({
  test: {
    name,
    include,
    testTimeout: testTimeout * slowness(),
    hookTimeout: testTimeout * slowness(),
    globalSetup,
    setupFiles: globalSetup.includes(MEMORY) ? ['test/support/where-worlds-lie.ts'] : [],
    // Who starts programs had better be small: each start takes the longer the more memory the starter holds. The others
    // collect garbage less often with more room for what is new, and take a tenth less CPU time.
    execArgv: [`--max-semi-space-size=${globalSetup.includes(MEMORY) ? 4 : 32}`],
    isolate: false, // no test leaves anything to the next, so every module is loaded once in a worker, not once a file
  },
});
const MEMORY = 'test/support/worlds-in-memory.ts';
const BUILD = ['test/support/build.ts', MEMORY];

const { filter: names, options } = parseCLI(['vitest', ...process.argv.slice(2)], { allowUnknownOptions: true });
const isAll =
  process.env['ANDON_TESTS'] === 'all' ||
  options.tagsFilter !== undefined ||
  options.project?.includes('thorough') === true;

/**
 * Tests with the tag `thorough`, and `test/thorough` as a whole, look closer at what others show as well. They run where
 * their file is named, as vitest names files by a part of their path, and with `npm run test:thorough`; without them
 * `npm test` takes a tenth as long.
 */
const thoroughFiles = readdirSync(join(import.meta.dirname, 'test/thorough')).map((file) => `test/thorough/${file}`);
const isThoroughAsked =
  isAll || names.some((name) => thoroughFiles.some((file) => file.includes(name.replace(/^\.\//, ''))));

export default defineConfig({
  test: {
    expect: { poll: { timeout: patience() } }, // a wait, no measure: on a busy machine what is waited for comes late
    tags: [{ name: 'thorough', description: 'left out by `npm test`' }],
    tagsFilter: isAll || names.length > 0 ? [] : ['!thorough'],
    maxWorkers: availableParallelism() + 1, // most tests wait for processes some of their time
    projects: [
      project('unit', ['test/unit/**/*.test.ts'], 60_000),
      project('integration', ['test/integration/**/*.test.ts'], 120_000, [MEMORY]),
      // Cases share the workers of these tests, and the warm process that each worker has.
      project('end-to-end', ['test/end-to-end/**/*.test.ts', 'test/cases/**/*.test.ts'], 300_000, BUILD),
      ...(isThoroughAsked ? [project('thorough', ['test/thorough/**/*.test.ts'], 300_000, BUILD)] : []),
    ],
  },
});
