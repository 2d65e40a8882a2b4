import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Three projects: pure rooms (milliseconds), the edge on real temporary repositories, the installed command. */
const project = (
  name: string,
  include: string[],
  testTimeout: number,
  globalSetup: string[] = [],
  exclude: string[] = [],
  isolate = true,
) => ({
  test: {
    name,
    include,
    exclude,
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
 * Whole lives of tasks that look closer at what other tests and the drills show as well. They run by their names, and
 * all of them and nothing else with `npm run test:thorough`; without them `npm test` takes minutes on two cores, not a quarter of an hour.
 */
const THOROUGH = [
  'boundaries',
  'boundaries-deletion',
  'dropped-meanwhile',
  'failpoints',
  'found-halts',
  'halt-papers',
  'halt-paths-judge',
  'halt-paths-work',
  'hold',
  'loops',
  'misbehaving',
  'misbehaving-ollama',
  'newcomers',
  'notifications-killed',
  'one-writer',
  'power-loss',
  'red-gates-answered',
  'refinement-reports',
  'repositories-anew',
  'repositories-busy',
  'repositories-clones',
  'repositories-places',
  'repositories-settings',
  'received-answer',
  'rough',
  'sandbox-runtime',
  'search-replace',
  'signs-of-life',
  'task-branch-in-use',
  'takeover',
  'unreadable-files',
].map((name) => `test/end-to-end/${name}.test.ts`);

/** Who names files on the command line as vitest does (by a part of their path), or the project, means these as well. */
const isNamed = (file: string): boolean =>
  process.argv
    .slice(2)
    .filter((word) => !['run', 'list', 'watch'].includes(word)) // what vitest does, not a part of a name
    .map((word) => word.replace(/^--project=|^\.\//, ''))
    .some((word) => !word.startsWith('-') && (file.includes(word) || word.includes(file)));

/** `all` end-to-end tests, or only the `thorough` ones; by default the others, and what is named. */
const { ANDON_TESTS: asked } = process.env;
const leftOut = asked === 'all' ? [] : THOROUGH.filter((file) => !isNamed(file));
const endToEnd = asked === 'thorough' ? THOROUGH : ['test/end-to-end/**/*.test.ts'];

export default defineConfig({
  test: {
    maxWorkers: availableParallelism() + 2, // most tests wait for processes half of their time
    projects: [
      // Pure rooms share nothing that one test could leave to the next, so every module is loaded once, not once a file.
      project('unit', ['test/unit/**/*.test.ts'], 60_000, [], [], false),
      project('integration', ['test/integration/**/*.test.ts'], 60_000, [MEMORY]),
      project('cases', ['test/cases/**/*.test.ts'], 120_000, BUILD),
      project('end-to-end', endToEnd, 120_000, BUILD, leftOut, false),
    ],
  },
});
