import { describe, expect, it } from 'vitest';
import { readProse } from '../../../../src/rules/guards/prose.ts';
import { evidenceIn } from '../../../../src/rules/guards/review-evidence.ts';

const read = (text: string) => evidenceIn(readProse(text, { showsQuotes: true }));
const inBlock = (output: string) => read(`\`\`\`\n${output}\n\`\`\``);

describe('machine output', () => {
  it.each([
    'test parse::fails_on_error ... ok\n\ntest result: ok. 12 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out',
    '===== 10 passed, 2 skipped, 1 xfailed in 0.31s =====',
    'Test Suites: 5 passed, 5 total\nTests:       1 skipped, 1 todo, 41 passed, 43 total',
    ' Test Files  5 passed (5)\n      Tests  41 passed | 1 skipped (42)',
    '[INFO] Tests run: 45, Failures: 0, Errors: 0, Skipped: 1\n[INFO] BUILD SUCCESS',
    'ℹ pass 45\nℹ fail 0\nℹ cancelled 0\nℹ skipped 1',
    'ok 1 - throws on null\nok 2 - crash recovery # SKIP\n# fail 0',
    '  ✓ throws on a broken file (1 ms)\n  ✓ kills a hung worker (2 ms)\n  2 passing (3ms)',
    'tests/test_a.py::test_raises_value_error PASSED [ 50%]',
    '--- PASS: TestRetryAfterError (0.00s)\nPASS\nok  \tx/y\t0.2s',
    'PASS src/failure.test.ts\nTests: 2 passed, 2 total',
    'Passed!  - Failed:     0, Passed:    45, Skipped:     0, Total:    45',
    'Ran 45 tests in 0.3s\n\nOK (skipped=2)',
    'ERROR connection refused, retrying\n45 examples, 0 failures, 1 pending',
    '✖ 4 problems (0 errors, 4 warnings)',
    '100% tests passed, 0 tests failed out of 45',
    '45 of 45 passed',
    '44 of 45 passed, 1 skipped',
    'Running 12 of 42 tests\n42 passed',
    'fatal: not a git repository\n45 passed',
  ])('is green by its own result, whatever its tests are called: %s', (output) => {
    const { claims, failing, refused } = inBlock(output);
    expect(claims.map(({ kind }) => kind)).toContain('run');
    expect([...failing, ...refused]).toEqual([]);
  });

  it.each([
    'test result: FAILED. 11 passed; 1 failed; 0 ignored',
    'FAILED tests/test_a.py::test_x - AssertionError\n1 failed, 44 passed',
    '# pass 44\n# fail 1',
    '# pass 44\n# cancelled 1',
    'not ok 3 - rejects bad input',
    'Failed: 1, Passed: 44',
    'Tests run: 45, Failures: 0, Errors: 1, Skipped: 0',
    'Tests: 12 passed, 40 total',
    '--- FAIL: TestX (0.00s)',
    'npm ERR! code ELIFECYCLE',
    '✕ throws on null\nTests: 42 passed, 42 total',
    '44 of 45 passed',
    '[100%] 44 of 45 tests passed',
    'Tests run: 44 of 45 passed, 0 failed',
    '45 passed\nSegmentation fault (core dumped)',
    '45 passed\npanic: runtime error',
    '45 passed\nfatal: build failed',
    '45 passed\nprocess exited with code 1',
  ])('is red by its own result: %s', (output) => {
    expect(inBlock(output).failing).not.toEqual([]);
  });

  it('proves nothing where it is what a run would print, or where nothing ran', () => {
    expect(read('Here is what a passing run would look like:\n\n```\nTests: 42 passed\n```').claims).toEqual([]);
    expect(inBlock('0 passed, 0 failed').claims).toEqual([]);
    expect(inBlock('✅ great\n✓ clean').claims).toEqual([]);
  });

  it.each(['.', '::', 'a passed b ok ', 'a::b ', '1 of 2 passed '])(
    'is read in good time: %s again and again',
    (part) => {
      const from = performance.now();
      inBlock(part.repeat(150_000 / part.length));
      inBlock(`${part.repeat(990 / part.length)}\n`.repeat(150));
      expect(performance.now() - from).toBeLessThan(3000);
    },
  );
});

describe('a sentence', () => {
  it.each([
    'An expired token now fails with exit code 2, as required.',
    'parseDate now throws a RangeError for negative values.',
    'The tests were not weakened, and no gate was changed.',
    'It does not touch the build configuration.',
    'Cancelled orders are left out of the sum.',
    'The queue is drained before the worker is terminated.',
    'The tests cover the crash on an empty list.',
    'Added a test for uploads that fail.',
    'src/a.test.ts: a broken file is refused.',
    'A red badge marks failing builds in the list.',
    'No test covers the second branch, and no tests are needed.',
    'The retry gives up after 5 failed attempts of the upload.',
  ])('about the product says nothing of a run: %s', (text) => {
    expect(read(text)).toMatchObject({ claims: [], failing: [], refused: [] });
  });

  it.each([
    'The build is broken.',
    'The compiler exits with code 2.',
    'npm test timed out.',
    'CI is red.',
    'The tests for the new parser are failing.',
    'The test for dates is red.',
    'src/login.test.ts fails.',
    'The tests that failed still fail.',
    '78 个用例里有 20 个失败。',
  ])('whose subject is a check tells of something red: %s', (text) => {
    expect(read(text).failing).toHaveLength(1);
  });

  it.each(['I did not run the tests.', 'The tests were not run.', 'Tests: not run', 'Nothing was checked.'])(
    'denies a check: %s',
    (text) => {
      expect(read(text).refused).toMatchObject([{ why: 'negated' }]);
    },
  );

  it.each([
    'The tests that used to fail (3 failed before) now pass: 45 passed, 0 failed.',
    'Without the patch the test fails, with it all 45 pass.',
    'The test that failed before the fix now passes.',
    'The suite went from 3 failed to 0 failed: 45 passed.',
    'I ran the tests and they pass.',
    '在本分支执行 pnpm test，共 218 个用例，全部通过。',
  ])('tells of what is green now: %s', (text) => {
    const { claims, failing } = read(text);
    expect(claims.map(({ kind }) => kind)).toContain('run');
    expect(failing).toEqual([]);
  });

  it.each([
    'Testing n/a.',
    'Clean client/server split.',
    'I like the try/catch.',
    'The snake_case names are consistent.',
    'Only 3 files, an easy change.',
    '- [ ] tests pass',
    'TODO: tests pass, lint passes',
    'The tests look clean.',
    'CI is green, I guess.',
    'Please make sure that npm test passes.',
    'The parser is passing a token to the tests.',
  ])('shows no evidence: %s', (text) => {
    expect(read(text).claims).toEqual([]);
  });
});
