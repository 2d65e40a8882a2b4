import { assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkRuns } from '../../../../src/rules/session/check-runs.ts';

describe('the checks in a command line', () => {
  test.each([
    ['npm test', 'npm test'],
    ['cd app && pnpm run test:unit -- --run 2>&1', 'pnpm run test:unit -- --run'],
    ['CI=1 npx vitest run a.test.ts', 'vitest run a.test.ts'],
    ['timeout 60 ./gradlew check', './gradlew check'],
    ['python3 -m pytest -q tests', 'pytest -q tests'],
    ['(cargo test --workspace)', 'cargo test --workspace'],
    ['make -C app test', 'make -C app test'],
    ['./scripts/run-tests.sh', './scripts/run-tests.sh'],
  ])('%s is one', (line, command) => {
    expect(checkRuns(line, 0, '')).toEqual([{ command, isGreen: true }]);
    expect(checkRuns(line, 1, '')).toEqual([{ command, isGreen: false }]);
  });

  test.each([
    'ls',
    'cat test/a.test.ts',
    'git commit -m "npm test passes"',
    "echo 'npm test'",
    'npm install',
    'grep -n test a',
  ])('%s is none', (line) => {
    expect(checkRuns(line, 0, '5 passed')).toEqual([]);
  });

  test('the exit code of a pipe is not that of the command before it: only machine-readable results tell', () => {
    expect(checkRuns('npm test | tail -5', 0, '')).toEqual([]);
    expect(checkRuns('npm test | tail -5', 0, ' Tests  3 passed (3)')).toEqual([]);
    expect(checkRuns('npm test | cat', 0, '1..2\nok 1 - a\nok 2 - b\n')).toEqual([
      { command: 'npm test', isGreen: true, passed: 2, all: 2 },
    ]);
    expect(checkRuns('npm test | cat', 0, '1..2\nok 1 - a\nnot ok 2 - b\n')).toEqual([
      { command: 'npm test', isGreen: false },
    ]);
    expect(checkRuns('set -o pipefail; npm test | tail -5', 0, '')).toEqual([{ command: 'npm test', isGreen: true }]);
  });

  test('nor is that of `||` or `;`, nor of something else that failed behind or before `&&`', () => {
    expect(checkRuns('npm test || true', 0, '')).toEqual([]);
    expect(checkRuns('npm test; echo done', 0, '')).toEqual([]);
    expect(checkRuns('grep -q x a && npm test', 1, '')).toEqual([]);
    expect(checkRuns('npm test && git push', 1, '')).toEqual([]);
    expect(checkRuns('npm test && git push', 0, '')).toEqual([{ command: 'npm test', isGreen: true }]);
    expect(checkRuns('npm run lint && npm test', 1, '')).toEqual([
      { command: 'npm run lint && npm test', isGreen: false },
    ]);
  });

  test('counts are kept where no test was skipped', () => {
    expect(checkRuns('npm test', 0, '1..2\nok 1 - a\nok 2 - b\n')).toMatchObject([{ passed: 2, all: 2 }]);
    const [run] = checkRuns('npm test', 0, '1..2\nok 1 - a\nok 2 - b # SKIP\n');
    expect(run).toEqual({ command: 'npm test', isGreen: true });
  });

  test('what a runner prints for people counts nothing', () => {
    expect(checkRuns('pytest', 0, '===== 5 passed in 0.12s =====')).toEqual([{ command: 'pytest', isGreen: true }]);
  });

  test('reads any command line at all, and what it finds stands in it', () => {
    assert(
      property(
        string({ unit: constantFrom('npm test', ' ', '&&', '|', ';', "'", '"', '\\', '\n', '(', ')', 'x') }),
        (line) => {
          for (const { command } of checkRuns(line, 0, '')) expect(command).toContain('npm test');
        },
      ),
    );
  });
});
