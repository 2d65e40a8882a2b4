import { readdirSync } from 'node:fs';
import { defineConfig, type OxlintOverride } from 'oxlint';

/** The folders of `src/` from the bottom up. A folder imports from its own row and from the rows below it. */
export const ROWS = [
  ['base'],
  ['contract', 'likeness', 'rule-model', 'session', 'source', 'test-results'],
  ['compat', 'record'],
  ['config', 'ports'],
  ['night', 'rules'],
  ['line'],
  ['adapters', 'views'],
  ['wiring'],
  ['daemon', 'inspection', 'panels'],
  ['demo', 'drills', 'setup'],
  ['page', 'surfaces'],
] as const;

/** Folders that touch no clock, chance, process, disk or network. */
export const PURE =
  'base compat config contract likeness line night ports record rule-model rules session test-results views'
    .split(' ')
    .concat('adapters/queue');

const FOLDERS: readonly string[] = ROWS.flat();

/** Folders that a folder does not import although they are below it. */
const WALLS: Readonly<Record<string, readonly string[]>> = {
  adapters: ['line', 'night', 'rules', 'views'],
  ...Object.fromEntries(['daemon', 'demo', 'drills', 'inspection', 'panels', 'setup'].map((name) => [name, ['views']])),
  page: FOLDERS.filter((name) => !['base', 'line', 'page', 'surfaces', 'views'].includes(name)),
};

/** The one place of each package and each powerful module of the platform: files, or folders. */
export const PLACES: Readonly<Record<string, readonly string[]>> = {
  '@clack/prompts': ['surfaces/cli/prompts.ts'],
  '@modelcontextprotocol/server': ['surfaces/mcp'],
  '@preact/signals': ['page'],
  chokidar: ['adapters/handoff/watch.ts'],
  commander: ['surfaces/cli/parse-and-run.ts'],
  'compare-versions': ['base/version.ts'],
  diff: ['line/stations/answer-formats/file-text.ts', 'views/pair-rows.ts'],
  execa: ['adapters/processes/run.ts'],
  'fast-string-truncated-width': ['base/text-width.ts'],
  'fastest-levenshtein': ['base/nearest-word.ts'],
  hono: ['surfaces/web'],
  ink: ['surfaces/top/open.ts'],
  'jsonc-parser': ['base/json.ts', 'base/json-edit.ts'],
  picomatch: ['base/path-globs.ts'],
  pino: ['daemon/watch/log.ts'],
  preact: ['page', 'views'],
  'preact-render-to-string': ['views/page-frame.tsx'],
  'proper-lockfile': ['adapters/locks', 'adapters/audit'],
  re2js: ['rules/matchers/pattern.ts'],
  react: ['surfaces/top/open.ts'],
  rolldown: ['wiring/load-pages.ts'],
  saxes: ['test-results/junit.ts'],
  'simple-git': ['adapters/repository/user-git.ts'],
  'smol-toml': ['compat/toml.ts'],
  uqr: ['surfaces/web'],
  'web-tree-sitter': ['source'],
  xstate: ['line/machine.ts', 'daemon/watch/task-line.ts'],
  yaml: ['config', 'base/strict-yaml.ts', 'demo/demo-place.ts'],
  zod: 'base compat config contract demo drills inspection likeness record rule-model rules session test-results'
    .split(' ')
    .concat('surfaces/web/asks.ts', 'adapters/agents/claude-stream.ts'),
  'node:child_process': ['adapters/processes', 'adapters/repository/git.ts', 'adapters/trash.ts'],
  'node:http': ['adapters/listener', 'adapters/agents', 'surfaces/cli/environment.ts'],
  'node:https': ['adapters/agents/model-proxy.ts'],
  'node:net': ['adapters/locks/kernel-name.ts', 'setup/doctor/doors.ts', 'adapters/agents'],
  'node:sqlite': ['adapters/journal', 'adapters/ledger', 'adapters/locks/kernel-lock.ts'],
  'node:vm': [],
  'node:worker_threads': [],
};

const MESSAGE = 'See the rows, walls and places of oxlint.config.ts.';

/** The patterns of imports that are refused in a folder, except for packages that belong there. */
function refusedImports(folder: string, own: readonly string[]) {
  const row = ROWS.findIndex((names) => names.some((name) => name === folder));
  const refused = [...ROWS.slice(row + 1).flat(), ...(WALLS[folder] ?? [])];
  const foreign = Object.keys(PLACES).filter((name) => !own.includes(name));
  return [
    ...(refused.length === 0 ? [] : [{ regex: `^(\\.\\./)+(${refused.join('|')})/`, message: MESSAGE }]),
    { regex: `^(${foreign.join('|')})(/|$)`, message: MESSAGE },
    ...(PURE.includes(folder) ? [{ regex: '^node:', message: 'This folder is pure.', allowTypeImports: true }] : []),
    ...(folder === 'adapters'
      ? [{ regex: `^\\.\\.?/(${ADAPTERS.join('|')})/`, message: MESSAGE, allowTypeImports: true }]
      : []),
    ...(folder === 'wiring' || folder === 'adapters'
      ? []
      : [{ regex: '^(\\.\\./)+adapters/', message: 'wiring opens adapters.', allowTypeImports: true }]),
    ...(folder === 'page' ? [{ regex: '^(\\.\\./)+surfaces/', message: MESSAGE, allowTypeImports: true }] : []),
  ];
}

const ADAPTERS = readdirSync(new URL('src/adapters/', import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** A longer path comes later and wins. */
const scopes = [...new Set([...FOLDERS, ...Object.values(PLACES).flat()])].toSorted((a, b) => a.length - b.length);

const walls = scopes.map((scope): OxlintOverride => {
  const own = Object.keys(PLACES).filter((name) =>
    PLACES[name]?.some((at) => scope === at || scope.startsWith(`${at}/`)),
  );
  return {
    files: [scope.includes('.') ? `src/${scope}` : `src/${scope}/**`],
    rules: {
      'no-restricted-imports': ['error', { patterns: refusedImports(scope.split('/')[0] ?? '', own) }],
    },
  };
});

const WORLD = ['Buffer', 'console', 'crypto', 'fetch', 'globalThis', 'performance', 'process'];
const TIMERS = ['setImmediate', 'setInterval', 'setTimeout'];

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import'],
  categories: { correctness: 'error', suspicious: 'error' },
  rules: {
    'no-unused-expressions': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/no-unsafe-type-assertion': 'off',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-unassigned-import': 'off',
    'no-control-regex': 'off',
    'no-await-in-loop': 'off',
    'no-shadow': 'off',
    'typescript/consistent-return': 'off',
    'unicorn/consistent-function-scoping': 'off',
  },
  ignorePatterns: ['contracts/*.schema.json'],
  overrides: [
    { files: ['src/**'], rules: { 'max-lines': ['error', { max: 400 }] } },
    {
      files: PURE.map((folder) => `src/${folder}/**`),
      rules: {
        'no-restricted-globals': ['error', ...WORLD, ...TIMERS],
        'no-restricted-properties': [
          'error',
          { object: 'Date', property: 'now' },
          { object: 'Math', property: 'random' },
        ],
      },
    },
    ...walls,
  ],
});
