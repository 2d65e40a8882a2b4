import { scriptsOf } from './package-keys.ts';

/** A file that configures what gates run. */
interface Configuration {
  readonly names: RegExp;
  /** Programs of which one must be among the gates' words; without them, it counts wherever there are gates. */
  readonly tools?: RegExp;
  /** What of the file counts; all of it where this is missing. */
  readonly part?: (text: string) => string;
}

const sections =
  (wanted: RegExp) =>
  (text: string): string => {
    let counts = false;
    return plainLines(text)
      .filter((line) => {
        const head = /^\[+([^\]]+)\]+/.exec(line);
        if (head !== null) counts = wanted.test(head[1] ?? '');
        return counts;
      })
      .join('\n');
  };

/** Keeps the lines of a text that say something of this. */
export const lines =
  (wanted: RegExp) =>
  (text: string): string =>
    plainLines(text)
      .filter((line) => wanted.test(line))
      .join('\n');

/** What of a conftest.py decides: where it has hooks, all but imports and fixtures, because a hook may call any of it. */
function hooksOfPytest(text: string): string {
  const hides = lines(
    /skip|deselect|ignore|xfail|pytest_\w+|returncode|exitstatus|_exit|sys\.exit|SystemExit|exec[lv]|os\.kill/,
  );
  if (!/^[ \t]*(?:async )?def pytest_/m.test(text)) return hides(text);
  return blocksOf(text)
    .map((block) => (/^(?:import|from)\b|^@.*\bfixture\b/m.test(block) ? hides(block) : block))
    .filter((block) => block !== '')
    .join('\n');
}

/** The statements of a Python file that stand at its left edge, each with what is indented below it and its decorators. */
function blocksOf(text: string): readonly string[] {
  const blocks: string[] = [];
  for (const line of plainLines(text)) {
    const last = blocks.at(-1);
    const belongs =
      /^[\s)\]}]/.test(line) || (last?.startsWith('@') === true && !/^(?:async )?(?:def|class)\b/m.test(last));
    if (last !== undefined && belongs) blocks[blocks.length - 1] = `${last}\n${line}`;
    else blocks.push(line);
  }
  return blocks;
}

/** The configurations of runners and checkers, and their judging parts. */
const CONFIGURATIONS: readonly Configuration[] = [
  {
    names:
      /(?:^|\/)(?:vitest|jest|playwright|cypress|karma|ava|wdio|web-test-runner|nightwatch)(?:\.[\w-]+)*\.(?:config|conf|workspace|setup)(?:\.[\w-]+)*\.[cm]?[jt]s(?:on)?$/,
  },
  {
    names:
      /(?:^|\/)(?:vitest|jest)\.(?:workspace|setup|projects)\.[cm]?[jt]s$|(?:^|\/)(?:\.mocharc|\.nycrc|\.c8rc|\.taprc|\.jasmine|\.ava)(?:\.\w+)?$/,
  },
  { names: /(?:^|\/)vite\.config\.[cm]?[jt]s$/, tools: /^vitest$/ },
  {
    names:
      /(?:^|\/)(?:pytest\.ini|\.pytest\.ini|tox\.ini|noxfile\.py|\.coveragerc|phpunit\.xml(?:\.dist)?|\.rspec|\.bats|nextest\.toml|\.testcafe.*|cypress\.json|bunfig\.toml|codecov\.ya?ml)$/,
  },
  {
    names: /(?:^|\/)conftest\.py$/,
    part: hooksOfPytest,
  },
  {
    names: /(?:^|\/)pyproject\.toml$/,
    part: sections(
      /^tool\.(?:pytest|coverage|tox|nox|hatch\.envs|poe|taskipy|pdm\.scripts|mypy|ruff|pylint|black|isort|pyright)/,
    ),
  },
  { names: /(?:^|\/)setup\.cfg$/, part: sections(/^(?:tool:pytest|pytest|coverage|flake8|mypy|tox)/) },
  { names: /(?:^|\/)Cargo\.toml$/, part: lines(/^\s*(?:autotests|harness|test|doctest|\[\[test\]\])/) },
  { names: /(?:^|\/)\.cargo\/config(?:\.toml)?$/ },
  {
    names:
      /(?:^|\/)(?:pom\.xml|build\.gradle(?:\.kts)?|settings\.gradle(?:\.kts)?|[\w.-]+\.(?:cs|fs|vb)proj|Directory\.Build\.(?:props|targets)|[\w.-]+\.runsettings)$/,
    part: lines(
      /skip|ignoreFailures|testFailureIgnore|<excludes?>|exclude\b|excludeTest|enabled\s*=\s*false|isEnabled|IsTestProject|TreatWarningsAsErrors|VSTest/i,
    ),
  },
  {
    names: /(?:^|\/)CMakeLists\.txt$/,
    tools: /^(?:cmake|ctest)$/,
    part: lines(/add_test|enable_testing|gtest_discover|set_tests_properties|DISABLED/i),
  },
  { names: /(?:^|\/)tsconfig(?:\.\w+)*\.json$/, tools: /^(?:tsc|vue-tsc|svelte-check|tsd)$/ },
  {
    names: /(?:^|\/)(?:eslint\.config\.\w+|\.eslintrc(?:\.\w+)?|\.eslintignore)$/,
    tools: /^(?:eslint|next|standard)$/,
  },
  { names: /(?:^|\/)(?:biome\.jsonc?|\.?oxlintrc\.json|oxlint\.config\.\w+)$/, tools: /^(?:biome|oxlint|oxfmt)$/ },
  { names: /(?:^|\/)(?:\.prettierrc.*|\.prettierignore|prettier\.config\.\w+)$/, tools: /^prettier$/ },
  { names: /(?:^|\/)(?:\.stylelintrc.*|stylelint\.config\.\w+)$/, tools: /^stylelint$/ },
  {
    names: /(?:^|\/)(?:ruff\.toml|\.ruff\.toml|mypy\.ini|\.flake8|\.pylintrc|pyrightconfig\.json|\.bandit)$/,
    tools: /^(?:ruff|mypy|flake8|pylint|pyright|bandit)$/,
  },
  { names: /(?:^|\/)\.golangci\.(?:ya?ml|toml|json)$/, tools: /^golangci-lint$/ },
  { names: /(?:^|\/)(?:\.?clippy\.toml|rustfmt\.toml|deny\.toml)$/, tools: /^(?:cargo|clippy|rustfmt)$/ },
  { names: /(?:^|\/)(?:\.rubocop(?:_todo)?\.yml|\.standard\.yml)$/, tools: /^(?:rubocop|standardrb)$/ },
  {
    names: /(?:^|\/)(?:phpstan\.neon(?:\.dist)?|psalm\.xml|phpcs\.xml(?:\.dist)?|\.php-cs-fixer.*)$/,
    tools: /^(?:phpstan|psalm|phpcs|php-cs-fixer)$/,
  },
  {
    names:
      /(?:^|\/)(?:Taskfile\.ya?ml|Rakefile|rakefile|tasks\.py|deno\.jsonc?|turbo\.json|nx\.json|lerna\.json|dangerfile\.\w+|knip\.json)$/,
    tools: /^(?:task|rake|invoke|inv|deno|turbo|nx|lerna|danger|knip)$/,
  },
  { names: /(?:^|\/)composer\.json$/, tools: /^composer$/, part: (text) => JSON.stringify(scriptsOf(text)) },
];

/** Whether a file is one that runners and checkers find by its name. */
export const isConfiguration = (path: string): boolean => CONFIGURATIONS.some(({ names }) => names.test(path));

/** Extracts the part of a configuration that judges; undefined where all of the file does, or for another file. */
export const partOf = (path: string): Configuration['part'] =>
  CONFIGURATIONS.find(({ names }) => names.test(path))?.part;

/** Whether one of the programs at work obeys a configuration. */
export const isObeyed = (path: string, words: ReadonlySet<string>): boolean =>
  CONFIGURATIONS.some(
    ({ names, tools }) => names.test(path) && (tools === undefined || [...words].some((word) => tools.test(word))),
  );

/** The lines of a text without blank ones and comments. */
export const plainLines = (text: string): readonly string[] =>
  text.split(/\r?\n/).filter((line) => line.trim() !== '' && !/^\s*[#;](?![[!])/.test(line));
