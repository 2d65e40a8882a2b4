import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { detectStack } from '../../../../src/app/setup/detect-stack.ts';
import type { Stack } from '../../../../src/app/setup/stack.ts';

function detectIn(
  files: Readonly<Record<string, string>>,
  tracked?: readonly string[],
  ignored: readonly string[] = [],
): Stack {
  const folder = mkdtempSync(join(tmpdir(), 'andon-stack-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return detectStack(folder, tracked, { ignored });
}

/** What is found in a project of these files: setup, shared folders and gates. */
function found(files: Readonly<Record<string, string>>, tracked?: readonly string[]): readonly unknown[] {
  const { setup, share, gates } = detectIn(files, tracked);
  return [
    setup,
    share,
    gates.map(({ name, run, results }) => `${name}=${run}${results === undefined ? '' : ` > ${results}`}`),
  ];
}

const scripts = (...names: readonly string[]): string =>
  JSON.stringify({ scripts: Object.fromEntries(names.map((name) => [name, 'x'])) });

describe('the stack of a project', () => {
  it.each([
    [
      'npm',
      { 'package.json': scripts('test', 'lint', 'build', 'dev'), 'package-lock.json': '' },
      [['npm ci'], ['node_modules'], ['lint=npm run lint', 'build=npm run build', 'test=npm test']],
    ],
    ['npm without a lock file', { 'package.json': scripts('type-check') }, [[], [], ['typecheck=npm run type-check']]],
    [
      'pnpm',
      { 'package.json': scripts('test'), 'pnpm-lock.yaml': '' },
      [['pnpm install --frozen-lockfile --store-dir .pnpm-store'], ['node_modules'], ['test=pnpm test']],
    ],
    [
      'yarn',
      { 'package.json': scripts('test'), 'yarn.lock': '', '.yarnrc.yml': '' },
      [['yarn install --immutable'], ['node_modules'], ['test=yarn test']],
    ],
    [
      'bun',
      { 'package.json': scripts('test'), 'bun.lock': '' },
      [['bun install --frozen-lockfile'], ['node_modules'], ['test=bun run test']],
    ],
    [
      'uv',
      { 'pyproject.toml': '[tool.pytest.ini_options]\n[tool.ruff]\n', 'uv.lock': '' },
      [
        ['uv sync --frozen'],
        ['.venv'],
        [
          'ruff=.venv/bin/python -m ruff check --no-cache .',
          'pytest=.venv/bin/python -m pytest -q --junitxml=junit.xml > junit.xml',
        ],
      ],
    ],
    [
      'pip',
      { 'requirements.txt': 'pytest\n' },
      [
        ['python3 -m venv .venv && .venv/bin/pip install --quiet -r requirements.txt'],
        ['.venv'],
        ['pytest=.venv/bin/python -m pytest -q --junitxml=junit.xml > junit.xml'],
      ],
    ],
    ['pytest alone', { 'pytest.ini': '' }, [[], [], ['pytest=python3 -m pytest -q --junitxml=junit.xml > junit.xml']]],
    [
      'unittest',
      { 'setup.py': '', 'tests/test_a.py': '' },
      [[], [], ['unittest=python3 -m unittest discover -s tests']],
    ],
    [
      'unittest with methods of classes',
      { 'setup.py': '', 'test_a.py': 'import unittest\n\nclass A(unittest.TestCase):\n    def test_a(self): pass\n' },
      [[], [], ['unittest=python3 -m unittest discover']],
    ],
    [
      'pytest that only a test imports',
      { 'setup.py': '', 'test_a.py': '# here\nimport pytest\n' },
      [[], [], ['pytest=python3 -m pytest -q --junitxml=junit.xml > junit.xml']],
    ],
    [
      'pytest where a test is a function, which unittest never runs',
      { 'setup.py': '', 'tests/a_test.py': 'def test_a():\n    pass\n' },
      [[], [], ['pytest=python3 -m pytest -q --junitxml=junit.xml > junit.xml']],
    ],
    [
      'go',
      { 'go.mod': '', 'go.sum': '' },
      [
        [`go mod vendor && { GOCACHE="$PWD/.go-cache" go test -run '^$' ./... || true; }`],
        ['vendor', '.go-cache'],
        [
          'go vet=cp -Rs "$PWD/.go-cache" .go-build; GOCACHE="$PWD/.go-build" go vet ./...',
          'go test=cp -Rs "$PWD/.go-cache" .go-build; GOCACHE="$PWD/.go-build" go test -json ./...',
        ],
      ],
    ],
    ['go without packages', { 'go.mod': '' }, [[], [], ['go vet=go vet ./...', 'go test=go test -json ./...']]],
    [
      'cargo with a lock file',
      { 'Cargo.toml': '', 'Cargo.lock': '' },
      [
        ['CARGO_HOME="$PWD/.cargo-home" cargo fetch --locked'],
        ['.cargo-home'],
        [
          'cargo clippy=CARGO_HOME="$PWD/.cargo-home" cargo clippy --offline',
          'cargo test=CARGO_HOME="$PWD/.cargo-home" cargo test --offline',
        ],
      ],
    ],
    [
      'a src layout with an optional group for tests',
      {
        'pyproject.toml': '[project.optional-dependencies]\ntest = [\n  "pytest>=8",\n]\n',
        'uv.lock': '',
        'src/shop/__init__.py': '',
      },
      [
        ['uv sync --frozen --extra test'],
        ['.venv'],
        ['pytest=PYTHONPATH=src .venv/bin/python -m pytest -q --junitxml=junit.xml > junit.xml'],
      ],
    ],
    [
      'poetry with a group for tests',
      { 'pyproject.toml': '[tool.poetry.group.test.dependencies]\npytest = "8"\n', 'poetry.lock': '' },
      [
        ['POETRY_VIRTUALENVS_IN_PROJECT=true poetry install --no-interaction --with test'],
        ['.venv'],
        ['pytest=.venv/bin/python -m pytest -q --junitxml=junit.xml > junit.xml'],
      ],
    ],
    [
      'a workspace of uv',
      {
        'pyproject.toml': '[tool.uv.workspace]\nmembers = ["packages/*"]\n[dependency-groups]\ndev = ["pytest"]\n',
        'uv.lock': '',
        'packages/a/src/a/__init__.py': '',
        'packages/b/b.py': '',
      },
      [
        ['uv sync --frozen'],
        ['.venv'],
        ['pytest=PYTHONPATH=packages/a/src:packages/b .venv/bin/python -m pytest -q --junitxml=junit.xml > junit.xml'],
      ],
    ],
    [
      'an environment of the user',
      { 'setup.py': '', 'pytest.ini': '', 'venv/bin/python': '' },
      [[], ['venv'], ['pytest=venv/bin/python -m pytest -q --junitxml=junit.xml > junit.xml']],
    ],
    [
      'workspaces of npm',
      {
        'package.json': JSON.stringify({ workspaces: ['packages/*'], scripts: { lint: 'eslint .' } }),
        'package-lock.json': '',
        'packages/a/package.json': scripts('test', 'lint'),
        'packages/b/package.json': scripts('typecheck'),
        'packages/README.md': '',
      },
      [
        ['npm ci'],
        ['node_modules', 'packages/a/node_modules', 'packages/b/node_modules'],
        [
          'lint=npm run lint',
          'typecheck=npm run typecheck --workspaces --if-present',
          'test=npm run test --workspaces --if-present',
        ],
      ],
    ],
    [
      'workspaces of pnpm',
      {
        'package.json': '{}',
        'pnpm-lock.yaml': '',
        'pnpm-workspace.yaml': "packages:\n  - 'libs/*' # libraries\n  - site\ncatalog:\n  - no\n",
        'libs/a/package.json': scripts('test'),
        'site/package.json': scripts('test'),
      },
      [
        ['pnpm install --frozen-lockfile --store-dir .pnpm-store'],
        ['node_modules', 'libs/a/node_modules', 'site/node_modules'],
        ['test=pnpm --recursive run test'],
      ],
    ],
    [
      'workspaces with turbo',
      {
        'package.json': JSON.stringify({ workspaces: { packages: ['packages/*'] } }),
        'yarn.lock': '',
        'turbo.json': '{}',
        'node_modules/.bin/turbo': '',
        'packages/a/package.json': scripts('test'),
      },
      [
        ['yarn install --frozen-lockfile'],
        ['node_modules', 'packages/a/node_modules'],
        ['test=TURBO_TELEMETRY_DISABLED=1 node_modules/.bin/turbo run test'],
      ],
    ],
    [
      'cargo',
      { 'Cargo.toml': '' },
      [[], [], ['cargo clippy=cargo clippy --offline', 'cargo test=cargo test --offline']],
    ],
    [
      'cargo with nextest',
      { 'Cargo.toml': '', '.config/nextest.toml': '[profile.ci.junit]\npath = "junit.xml"\n' },
      [
        [],
        [],
        [
          'cargo clippy=cargo clippy --offline',
          'cargo nextest=cargo nextest run --offline --profile ci > target/nextest/ci/junit.xml',
        ],
      ],
    ],
    [
      'ruby',
      { Gemfile: '', 'Gemfile.lock': '', 'spec/a_spec.rb': '' },
      [
        ['BUNDLE_FROZEN=true BUNDLE_PATH=vendor/bundle bundle install'],
        ['vendor/bundle'],
        ['rspec=BUNDLE_PATH=vendor/bundle bundle exec rspec'],
      ],
    ],
    [
      'maven',
      { 'pom.xml': '', mvnw: '' },
      [[], [], ['mvn test=./mvnw --offline --quiet test > target/surefire-reports']],
    ],
    ['gradle', { 'build.gradle.kts': '' }, [[], [], ['gradle test=gradle --offline test > build/test-results/test']]],
    [
      'composer',
      { 'composer.json': '{}', 'composer.lock': '', 'phpunit.xml.dist': '' },
      [['composer install --no-interaction'], ['vendor'], ['phpunit=vendor/bin/phpunit']],
    ],
    [
      'make',
      { Makefile: 'test: build\n\ttrue\nlint:\n\ttrue\nCHECK := 1\ncheck := 2\n' },
      [[], [], ['make lint=make lint', 'make test=make test']],
    ],
    ['just', { justfile: 'test:\n  true\n' }, [[], [], ['just test=just test']]],
    ['nothing', { 'README.md': '' }, [[], [], []]],
  ])('%s', (_, files, proposed) => {
    expect(found(files as Record<string, string>)).toEqual(proposed);
  });

  it('asks the task runner only when nothing else has a gate', () => {
    const files = { 'package.json': scripts('test'), Makefile: 'test:\n' };
    expect(found(files)[2]).toEqual(['test=npm test']);
    expect(found({ ...files, 'package.json': '{}' })[2]).toEqual(['make test=make test']);
  });

  it.each([
    ['vitest run', 'npm test -- --reporter=default --reporter=junit --outputFile.junit=junit.xml > junit.xml'],
    ['tsc && npx jest --ci', 'npm test -- --json --outputFile=jest-results.json > jest-results.json'],
    ['mocha test', 'npm test -- --reporter=tap --reporter-options tapVersion=13'],
    [
      'node --test test/*.js',
      "NODE_OPTIONS='--test-reporter=spec --test-reporter-destination=stdout --test-reporter=junit --test-reporter-destination=junit.xml' npm test > junit.xml",
    ],
    ['vitest run && node done.js', 'npm test'],
    ['node test.js', 'npm test'],
  ])('proposes the flag by which `%s` writes results for programs', (test, run) => {
    expect(found({ 'package.json': JSON.stringify({ scripts: { test } }) })[2]).toEqual([`test=${run}`]);
  });

  describe('of workspaces', () => {
    const monorepo = (test: string | undefined, runners: Readonly<Record<string, string>>, more = {}) => ({
      'package.json': JSON.stringify({ workspaces: ['packages/*'], scripts: test === undefined ? {} : { test } }),
      ...Object.fromEntries(
        Object.entries(runners).map(([name, script]) => [
          `packages/${name}/package.json`,
          JSON.stringify({ scripts: { test: script } }),
        ]),
      ),
      ...more,
    });
    const runners = { alpha: 'vitest run', beta: 'node --test', gamma: 'mocha' };
    const JUNIT = '--reporter=default --reporter=junit --outputFile.junit=junit.xml';
    const NODE =
      "NODE_OPTIONS='--test-reporter=spec --test-reporter-destination=stdout --test-reporter=junit --test-reporter-destination=junit.xml'";

    it.each([undefined, 'npm test --workspaces --if-present', 'npm run test -ws'])(
      'proposes one gate for each with its results, below %s',
      (test) => {
        const { gates, notes } = detectIn(monorepo(test, runners));
        expect(gates.map(({ name, run, results }) => [name, run, results])).toEqual([
          ['test alpha', `npm test --workspace=packages/alpha -- ${JUNIT}`, 'packages/alpha/junit.xml'],
          ['test beta', `${NODE} npm test --workspace=packages/beta`, 'packages/beta/junit.xml'],
          [
            'test gamma',
            'npm test --workspace=packages/gamma -- --reporter=tap --reporter-options tapVersion=13',
            undefined,
          ],
        ]);
        expect(notes.join('\n')).not.toContain('results');
      },
    );

    it.each([
      ['one runner is unknown', monorepo(undefined, { ...runners, delta: 'node check.js' })],
      ['turbo runs them', monorepo(undefined, runners, { 'turbo.json': '{}', 'node_modules/.bin/turbo': '' })],
    ])('keeps one gate where %s, and notes what would have results', (_, files) => {
      const { gates, notes } = detectIn(files);
      expect(gates.map(({ name }) => name)).toEqual(['test']);
      expect(notes.join('\n')).toContain(
        `- {"name":"test alpha","run":"npm test --workspace=packages/alpha -- ${JUNIT}","results":"packages/alpha/junit.xml"}`,
      );
    });

    it('keeps the script of the root where it does more than run them', () => {
      const { gates } = detectIn(monorepo('eslint . && npm test -ws', runners));
      expect(gates.map(({ run }) => run)).toEqual(['npm test']);
    });

    it('runs one of them in the way of its package manager', () => {
      const run = (lock: string) => detectIn(monorepo(undefined, { a: 'mocha' }, { [lock]: '' })).gates[0]?.run;
      const flags = '--reporter=tap --reporter-options tapVersion=13';
      expect(run('pnpm-lock.yaml')).toBe(`pnpm --dir packages/a test ${flags}`);
      expect(run('yarn.lock')).toBe(`yarn --cwd packages/a test ${flags}`);
      expect(run('bun.lock')).toBe(`bun run --cwd=packages/a test ${flags}`);
    });
  });

  it('hands flags to a script in the way of its package manager', () => {
    const manifest = JSON.stringify({ scripts: { test: 'mocha' } });
    expect(found({ 'package.json': manifest, 'pnpm-lock.yaml': '' })[2]).toEqual([
      'test=pnpm test --reporter=tap --reporter-options tapVersion=13',
    ]);
    expect(found({ 'package.json': manifest, 'bun.lock': '' })[2]).toEqual([
      'test=bun run test --reporter=tap --reporter-options tapVersion=13',
    ]);
  });

  it.each([
    ['package.json', scripts('test'), 'package-lock.json'],
    ['pyproject.toml', '', 'uv.lock'],
    ['go.mod', '', 'go.sum'],
    ['Cargo.toml', '', 'Cargo.lock'],
  ])('proposes a setup for %s only from a lock file that git tracks', (manifest, text, lock) => {
    const files = { [manifest]: text, [lock]: '' };
    expect(found(files, [manifest])[0]).toEqual([]);
    expect(found(files, [manifest, lock])[0]).toHaveLength(1);
  });

  it.each([
    ['[package]\nname = "a"\n', []],
    ['[dependencies]\nserde = "1"\n', [expect.stringContaining('~/.cargo/registry')]],
    ['[target.x.dev-dependencies]\n', [expect.anything()]],
    ['[workspace]\nmembers = ["a"]\n', [expect.anything()]],
  ])('names the packages of cargo only where there may be some: %j', (text, notes) => {
    expect(detectIn({ 'Cargo.toml': text }).notes).toEqual(notes);
  });

  it.each([
    ['a call', 'package-lock.json', { test: 'node a.js && npm run lint', lint: 'eslint .' }, ['build', 'test']],
    [
      'a hook',
      'package-lock.json',
      { test: 'node a.js', posttest: 'npm run lint', lint: 'eslint .' },
      ['build', 'test'],
    ],
    [
      'another package',
      'package-lock.json',
      { test: 'npm run lint -w a', lint: 'eslint .' },
      ['lint', 'build', 'test'],
    ],
    [
      'a hook that pnpm ignores',
      'pnpm-lock.yaml',
      { test: 'x', pretest: 'pnpm lint', lint: 'x' },
      ['lint', 'build', 'test'],
    ],
  ])('has no gate for a lint that the tests run: %s', (_, lock, some, gates) => {
    const files = { 'package.json': JSON.stringify({ scripts: { ...some, build: 'x' } }), [lock]: '' };
    const stack = detectIn(files);
    expect(stack.gates.map(({ name }) => name)).toEqual(gates);
    expect(stack.notes).toEqual(
      gates.includes('lint') ? [] : ['`lint` is no gate of its own: the script `test` runs it'],
    );
  });

  it.each([
    [
      'untracked',
      [],
      {},
      'package-lock.json is not tracked by git, so nothing prepares the packages: `git add package-lock.json`, commit it and run `andon init` again',
    ],
    [
      'untracked beside installed packages',
      [],
      { 'node_modules/a/index.js': '' },
      'package-lock.json is not tracked by git, so there is no setup: gates use the packages in node_modules: `git add package-lock.json`, commit it and run `andon init` again',
    ],
    [
      'ignored',
      ['package-lock.json'],
      {},
      "package-lock.json is ignored by git, so nothing prepares the packages; to install them without it: `andon init --setup 'npm install' --share node_modules`",
    ],
    [
      'ignored beside installed packages',
      ['package-lock.json', 'node_modules'],
      { 'node_modules/a/index.js': '' },
      "package-lock.json is ignored by git, so there is no setup: gates use the packages in node_modules; to install them without it: `andon init --setup 'npm install' --share node_modules`",
    ],
  ])('says what an npm lock file that is %s means', (_, ignored, more, note) => {
    const files = { 'package.json': scripts('test'), 'package-lock.json': '', ...more };
    expect(detectIn(files, ['package.json'], ignored).notes).toEqual([note]);
  });

  it('names a command without the lock file to every package manager whose lock file is ignored', () => {
    const commands = ['pnpm-lock.yaml', 'yarn.lock', 'bun.lock'].map((lock) => {
      const [note = ''] = detectIn({ 'package.json': scripts('test'), [lock]: '' }, ['package.json'], [lock]).notes;
      return /--setup '(.*)' /.exec(note)?.[1];
    });
    expect(commands).toEqual(['pnpm install --store-dir .pnpm-store', 'yarn install', 'bun install']);
  });

  it('does not share what git tracks', () => {
    const files = { 'composer.json': '{}', 'composer.lock': '', 'vendor/a.php': '' };
    expect(found(files, ['composer.lock', 'vendor/a.php'])[1]).toEqual([]);
  });

  it("takes npm's placeholder, broken manifests and folders of such names for nothing", () => {
    const placeholder = JSON.stringify({ scripts: { test: 'echo "Error: no test specified" && exit 1' } });
    for (const manifest of [placeholder, '{', 'null', '[]', '{"scripts": 1}', '{"scripts": {"test": 1}}'])
      expect(found({ 'package.json': manifest })).toEqual([[], [], []]);
    expect(found({ 'package.json/x': '', 'Makefile/x': '' })).toEqual([[], [], []]);
  });
});
