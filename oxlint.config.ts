import { defineConfig, type OxlintOverride } from 'oxlint';

interface Module {
  /** The modules that it may import. */
  readonly imports: readonly string[];
  /** Its parts that touch the world: disk, processes, network, clock, chance. The rest of it is pure. */
  readonly effects: readonly string[];
}

/** The modules of `src/` from the bottom up. */
export const MODULES: Readonly<Record<string, Module>> = {
  base: { imports: [], effects: ['system'] },
  source: { imports: ['base'], effects: ['find-tokens.ts', 'parse-source.ts'] },
  sandbox: { imports: ['base'], effects: ['cage', 'processes'] },
  project: { imports: ['base', 'sandbox'], effects: ['folders', 'git', 'handoff', 'locks', 'workspace'] },
  agents: { imports: ['base', 'sandbox', 'project'], effects: ['calls', 'drivers', 'ledger', 'models'] },
  rules: { imports: ['base', 'source', 'project', 'agents'], effects: ['files'] },
  line: {
    imports: ['base', 'source', 'sandbox', 'project', 'agents', 'rules'],
    effects:
      'calls daemon documents gates git halt-answers intake journal night notify readers services steps upkeep'.split(
        ' ',
      ),
  },
  app: {
    imports: ['base', 'source', 'sandbox', 'project', 'agents', 'rules', 'line'],
    effects: ['checks', 'cli', 'drills', 'mcp', 'panels', 'setup', 'top', 'web'],
  },
  page: { imports: ['base', 'line', 'app'], effects: [] },
};

/** The one place of each package and each powerful module of the platform: files, or folders. */
export const PLACES: Readonly<Record<string, readonly string[]>> = {
  '@clack/prompts': ['app/cli/prompts.ts'],
  '@modelcontextprotocol/server': ['app/mcp'],
  '@preact/signals': ['page'],
  chokidar: ['project/handoff/watch-folders.ts'],
  commander: ['app/cli/parse-and-run.ts'],
  'compare-versions': ['base/find-version.ts'],
  diff: ['line/stations/answer-formats/file-text.ts', 'app/views/pair-rows.ts'],
  execa: ['sandbox/processes/run.ts'],
  'fast-string-truncated-width': ['base/text-width.ts'],
  'fastest-levenshtein': ['base/find-nearest-word.ts'],
  hono: ['app/web'],
  ink: ['app/top/open-top.ts'],
  'jsonc-parser': ['base/read-json.ts', 'base/json-edit.ts'],
  picomatch: ['base/path-globs.ts'],
  pino: ['line/daemon/watchdog.ts'],
  preact: ['page', 'app/views'],
  'preact-render-to-string': ['app/views/page-frame.tsx'],
  'proper-lockfile': ['project/locks', 'rules/files/audit-log.ts'],
  re2js: ['base/pattern.ts'],
  react: ['app/top/open-top.ts'],
  rolldown: ['app/cli/load-pages.ts'],
  saxes: ['source/test-results/junit.ts'],
  'simple-git': ['project/git/user-git.ts'],
  'smol-toml': ['project/config/read-toml.ts'],
  uqr: ['app/web'],
  'web-tree-sitter': ['source'],
  xstate: ['line/core/machine.ts', 'line/daemon/task-line.ts'],
  yaml: ['project/config', 'base/strict-yaml.ts', 'app/drills/demo-place.ts'],
  zod: [
    'base',
    'source',
    'sandbox/cage-limits.ts',
    'project',
    'rules',
    'line/record',
    'app/drills',
    'app/mcp/line-tools.ts',
    'app/web/asks.ts',
  ],
  'node:child_process': ['sandbox/processes', 'project/git/run-git.ts', 'base/system/trash.ts'],
  'node:http': ['app/web', 'agents/drivers', 'app/cli/prepare-environment.ts'],
  'node:https': ['agents/drivers/model-proxy.ts', 'agents/drivers/served-agent.ts'],
  'node:net': ['project/locks/kernel-name.ts', 'app/setup/doctor/try-doors.ts', 'agents/drivers'],
  'node:sqlite': ['line/journal', 'agents/ledger', 'project/locks/kernel-lock.ts'],
  'node:vm': [],
  'node:worker_threads': [],
};

const MESSAGE = 'See the modules and places of oxlint.config.ts.';

/** Whether a file or folder below `src/` is pure. The page runs in a browser, and `main.ts` starts everything. */
export function isPure(path: string): boolean {
  const [name = '', part = ''] = path.split('/');
  const effects = MODULES[name]?.effects;
  return name !== 'page' && effects !== undefined && !effects.includes(part);
}

/** The patterns of imports that are refused in a module or a part of it, except for packages that belong there. */
function refusedImports(scope: string) {
  const name = scope.split('/')[0] ?? '';
  const { imports, effects } = MODULES[name] ?? { imports: Object.keys(MODULES), effects: [] };
  const above = Object.keys(MODULES).filter((one) => one !== name && !imports.includes(one));
  const foreign = Object.keys(PLACES).filter(
    (one) => !PLACES[one]?.some((at) => scope === at || scope.startsWith(`${at}/`)),
  );
  const world = [...effects, ...imports.flatMap((one) => MODULES[one]?.effects.map((part) => `${one}/${part}`) ?? [])];
  const pure = { message: 'A pure part takes types only from what touches the world.', allowTypeImports: true };
  return [
    ...(above.length === 0 ? [] : [{ regex: `^(\\.\\./)+(${above.join('|')})/`, message: MESSAGE }]),
    { regex: `^(${foreign.join('|')})(/|$)`, message: MESSAGE },
    ...(isPure(scope) || name === 'page'
      ? [
          { regex: '^node:', ...pure },
          ...(world.length === 0 ? [] : [{ regex: `^(\\.\\.?/)+(${world.join('|')})/`, ...pure }]),
        ]
      : []),
  ];
}

/** A longer path comes later and wins. */
const scopes = Object.entries(MODULES)
  .flatMap(([name, { effects }]) => [name, ...effects.map((part) => `${name}/${part}`)])
  .concat('main.ts', Object.values(PLACES).flat())
  .toSorted((a, b) => a.length - b.length);
const inScope = (scope: string): string[] => [scope.includes('.') ? `src/${scope}` : `src/${scope}/**`];

const WORLD = ['Buffer', 'console', 'crypto', 'fetch', 'globalThis', 'performance', 'process'];
const TIMERS = ['setImmediate', 'setInterval', 'setTimeout'];
const CHANCE = [
  { object: 'Date', property: 'now' },
  { object: 'Math', property: 'random' },
];

const walls = [...new Set(scopes)].map((scope): OxlintOverride => ({
  files: inScope(scope),
  rules: {
    'no-restricted-imports': ['error', { patterns: refusedImports(scope) }],
    'no-restricted-globals': isPure(scope) ? ['error', ...WORLD, ...TIMERS] : 'off',
    'no-restricted-properties': isPure(scope) ? ['error', ...CHANCE] : 'off',
  },
}));

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
  overrides: [{ files: ['src/**'], rules: { 'max-lines': ['error', { max: 400 }] } }, ...walls],
});
