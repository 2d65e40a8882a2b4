import type { GateFiles } from './gate-files.ts';
import { isSnapshot, isTestPath } from './test-paths.ts';

/** Whether a change edits a file that configures which tests run. A linter's configuration is examined by running alone. */
export const isRunnerConfiguration = (path: string): boolean => RUNNERS.test(path) || MANIFESTS.has(nameOf(path));

/** What configures a runner of tests and nothing else. */
const RUNNERS =
  /(?:^|\/)(?:(?:vitest|jest|playwright|cypress|karma|ava|wdio|web-test-runner|nightwatch)(?:\.[\w-]+)*\.(?:config|conf|workspace|setup|projects)(?:\.[\w-]+)*\.[cm]?[jt]s(?:on)?|(?:\.mocharc|\.nycrc|\.c8rc|\.taprc|\.jasmine|\.ava)(?:\.\w+)?|\.?pytest\.ini|tox\.ini|noxfile\.py|\.coveragerc|phpunit\.xml(?:\.dist)?|\.rspec|\.bats|nextest\.toml|cypress\.json|bunfig\.toml)$/;

/** Manifests that are product as well: only these sections or lines of them check. */
const MANIFESTS: ReadonlyMap<string, (text: string) => string> = new Map([
  ['pyproject.toml', sections(/^tool\.(?:pytest|coverage|tox|nox|hatch\.envs|poe|mypy|ruff|pylint|pyright)/)],
  ['setup.cfg', sections(/^(?:tool:pytest|pytest|coverage|flake8|mypy|tox)/)],
  ['Cargo.toml', lines(/^\s*(?:autotests|harness|test|doctest|\[\[test\]\])/)],
  ...['pom.xml', 'build.gradle', 'build.gradle.kts'].map(
    (name) => [name, lines(/skip|ignoreFailures|testFailureIgnore|exclude|enabled\s*=\s*false/i)] as const,
  ),
  ['CMakeLists.txt', lines(/add_test|enable_testing|gtest_discover|set_tests_properties|DISABLED/i)],
  ['go.mod', lines(/replace|exclude|=>|toolchain|godebug/)],
  ['composer.json', lines(/"(?:test|check|lint|scripts)[\w:-]*"/)],
]);

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** The part that checks, of a file that is product as well; undefined where all of a file is one or the other. */
export const checkPart = (path: string, text: string): string | undefined => MANIFESTS.get(nameOf(path))?.(text);

/** The lines of a text without blank ones and comments. */
export const plainLines = (text: string): readonly string[] =>
  text.split(/\r?\n/).filter((line) => line.trim() !== '' && !/^\s*[#;](?![[!])/.test(line));

function lines(wanted: RegExp): (text: string) => string {
  return (text) =>
    plainLines(text)
      .filter((line) => wanted.test(line))
      .join('\n');
}

function sections(wanted: RegExp): (text: string) => string {
  return (text) => {
    let counts = false;
    return plainLines(text)
      .filter((line) => {
        const head = /^\[+([^\]]+)\]+/.exec(line);
        if (head !== null) counts = wanted.test(head[1] ?? '');
        return counts;
      })
      .join('\n');
  };
}

export interface ChangedPath {
  readonly path: string;
  readonly isNew: boolean;
}

/** Whether a file checks the product instead of being it: a test, what a test reads, or what configures the run. */
export function isCheckFile({ path, isNew }: ChangedPath, gateFiles: GateFiles | undefined): boolean {
  return (
    isTestPath(path) ||
    isSnapshot(path) ||
    isRunnerConfiguration(path) ||
    gateFiles?.definitions.has(path) === true ||
    gateFiles?.named.has(path) === true ||
    CHECK_FILES.some((pattern) => pattern.test(path)) ||
    (isNew && SHADOWS.test(path))
  );
}

/** What runners and checkers load by name or place, one row a kind. */
const CHECK_FILES: readonly RegExp[] = [
  // Data that tests read, and doubles that they load by name.
  /(?:^|\/)(?:fixtures?|__fixtures__|test-?data|test_data|__mocks__|goldens?|cassettes|__screenshots__)\//i,
  // Node.js: packages and their managers, transpilers, bundlers, environment files, setup files.
  /(?:^|\/)node_modules\//,
  /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.c?js|pnpm-workspace\.yaml|package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?)$/,
  /(?:^|\/)(?:\.babelrc(?:\.\w+)?|babel\.config\.\w+|\.swcrc|[tj]sconfig(?:\.[\w-]+)*\.json|deno\.jsonc?|\.env(?:\.[\w.-]+)?|\.node-version|\.nvmrc|\.tool-versions)$/,
  /(?:^|\/)(?:vite|webpack|rollup|rolldown|esbuild|tsup|rspack|swc|loaders?)\.config\.\w+$/,
  /(?:^|\/)(?:jest|vitest|mocha|ava|tests?)[.-]?(?:setup|env|environment|helpers?|utils?|globals?|bootstrap|runner|reporter|preload|register|hooks?)[\w.-]*\.[cm]?[jt]sx?$/i,
  /(?:^|\/)(?:setup|global-?setup|global-?teardown|teardown)[.-]?(?:tests?|jest|vitest|env)?\.[cm]?[jt]sx?$/i,
  // Checkers.
  /(?:^|\/)(?:\.?(?:eslint|prettier|stylelint|oxlint|oxfmt|ruff|flake8|pylint|bandit|golangci|rubocop|standard|clippy|rustfmt|biome|php-cs-fixer|yamllint|shellcheck)(?:rc|ignore|_todo)?(?:\.(?:config|dist|conf))?(?:\.\w+)?|mypy\.ini|pyrightconfig\.json|deny\.toml|phpstan\.neon(?:\.dist)?|psalm\.xml|phpcs\.xml(?:\.dist)?|codecov\.ya?ml|knip\.json|(?:turbo|nx|lerna)\.json|dangerfile\.\w+)$/,
  // Python: start-up modules, plug-ins, metadata of packages.
  /(?:^|\/)(?:sitecustomize|usercustomize|conftest|setup)\.py$|\.pth$/,
  /(?:^|\/)(?:\.?pytest[\w.-]*\.(?:ini|toml)|uv\.lock|poetry\.lock|requirements[\w.-]*\.txt)$/,
  /\.(?:egg-info|dist-info)\/|(?:^|\/)entry_points\.txt$/,
  // Go, Rust, JVM, .NET, PHP, Ruby.
  /(?:^|\/)(?:go\.work(?:\.sum)?|vendor\/.+|testdata\/.+|\.cargo\/.+|rust-toolchain(?:\.toml)?)$/,
  /(?:^|\/)(?:META-INF\/services\/.+|gradle\/.+|gradlew|mvnw|\.mvn\/.+|settings\.gradle(?:\.kts)?|junit-platform\.properties|global\.json|Directory\.Build\.(?:props|targets)|[\w.-]+\.runsettings)$/,
  /(?:^|\/)(?:phpunit[\w.-]*\.xml(?:\.dist)?|\.rspec|\.simplecov|\.bundle\/.+)$/,
  // make and its kin, the shell, git and CI.
  /(?:^|\/)(?:GNUmakefile|[Mm]akefile|[Jj]ustfile|\.justfile|Taskfile\.ya?ml|Rakefile|rakefile|tasks\.py|CTestTestfile\.cmake)$|\.mk$/,
  /(?:^|\/)(?:\.shellspec|\.bats.*|\.gitattributes|\.gitmodules|\.envrc)$/,
  /^(?:\.github|\.gitlab|\.circleci|\.husky|\.ci)\/|^\.gitlab-ci\.yml$/,
];

/** A new module at a place where Python finds it in place of what runs the tests. */
const SHADOWS =
  /^(?:(?:src|lib)\/)?(?:_\w+|unittest|pytest|doctest|coverage|mock|nose|hypothesis|random|time|math|json|os|re|sys|types|typing|string|inspect|importlib|runpy|site|traceback|functools|contextlib|collections|subprocess|logging|decimal|datetime)(?:\.py|\/__(?:init|main)__\.py)$/;
