import { assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkRuns } from '../../../src/session/check-runs.ts';

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

  test('the exit code of a pipe is not that of what stands before it: its output must tell', () => {
    expect(checkRuns('npm test | tail -5', 0, '')).toEqual([]);
    expect(checkRuns('npm test | tail -5', 0, ' Tests  3 passed (3)')).toEqual([
      { command: 'npm test', isGreen: true, passed: 3, all: 3 },
    ]);
    expect(checkRuns('npm test | tail -5', 0, ' Tests  1 failed | 2 passed (3)')).toMatchObject([{ isGreen: false }]);
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

  test.each([
    ['pytest -q', '2 failed, 96 passed in 1.20s'],
    ['cargo test', 'test result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out'],
    ['node --test', '# pass 3\n# fail 1'],
    ['npx tsc', "a.ts(1,1): error TS2304: Cannot find name 'x'."],
    ['npx eslint .', '✖ 3 problems (3 errors, 0 warnings)'],
  ])('%s that says itself that something failed is red, whatever became of its exit code', (line, output) => {
    expect(checkRuns(`${line} | cat`, 0, output)).toMatchObject([{ isGreen: false }]);
  });

  test('counts are kept where nothing was left out', () => {
    expect(checkRuns('pytest', 0, '===== 5 passed in 0.12s =====')).toMatchObject([{ passed: 5, all: 5 }]);
    const [run] = checkRuns('pytest', 0, '===== 5 passed, 2 skipped in 0.12s =====');
    expect(run).toMatchObject({ isGreen: true });
    expect(run).not.toHaveProperty('all');
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
