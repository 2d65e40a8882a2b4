import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fewerPassed, passedTests } from '../../../src/test-results/count-passed.ts';

const recorded = (name: string): string => readFileSync(join(import.meta.dirname, 'recorded', `${name}.txt`), 'utf8');

describe('how many tests passed, by what runners say at their end', () => {
  it.each([
    ['pytest-plain', { pytest: 9 }],
    ['pytest-v-rA-colour', { pytest: 9 }],
    ['pytest-x', { pytest: 2 }],
    ['cargo-colour', { 'cargo test': 5 }],
    ['cargo-fast', { 'cargo test': 2 }],
    ['nextest', { 'cargo nextest': 2 }],
    ['go-test', { 'go test -json': 1 }],
    ['node-spec', { 'node:test': 8 }],
    ['node20-spec', { 'node:test': 8 }],
    ['node-tap', { 'node:test': 8, TAP: 10 }],
    ['vitest-tap', { TAP: 5 }],
  ])('%s', (name, passed) => {
    expect(passedTests(recorded(name))).toEqual(passed);
  });

  it.each([
    ['Tests:       1 failed, 2 skipped, 12 passed, 15 total', { jest: 12 }],
    ['      Tests  1 failed | 12 passed | 3 skipped (16)', { vitest: 12 }],
    ['  12 passing (34ms)\n  1 failing', { mocha: 12 }],
    ['Ran 12 tests in 0.001s\n\nOK', { unittest: 12 }],
    ['Ran 12 tests in 0.001s\n\nFAILED (failures=1, errors=2, skipped=3)', { unittest: 6 }],
    [
      'ok  \texample.org/a\t0.01s\nok  \texample.org/b\t(cached)\n?   \texample.org/c\t[no test files]',
      { 'go test': 2 },
    ],
    ['--- PASS: TestA (0.00s)\n    --- PASS: TestA/one (0.00s)\nPASS', { 'go test -v': 2 }],
    ['OK (12 tests, 30 assertions)', { PHPUnit: 12 }],
    ['12 examples, 1 failure, 2 pending', { RSpec: 9 }],
    ['12 runs, 30 assertions, 1 failures, 0 errors, 1 skips', { minitest: 10 }],
    ['[INFO] Tests run: 12, Failures: 0, Errors: 0, Skipped: 2', { Maven: 10 }],
    ['1..2\nok 1 - one\nok 2 - two # skip not here', { TAP: 1 }],
    ['  12 passed (3.4s)', { playwright: 12 }],
    ['all is well', {}],
  ])('%j', (text, passed) => {
    expect(passedTests(text)).toEqual(passed);
  });

  it('a file that node counts as a test, because none in it ran, is no test', () => {
    expect(passedTests('✔ test/add.test.js (34.5ms)\nℹ tests 1\nℹ pass 1')).toEqual({ 'node:test': 0 });
    expect(passedTests('TAP version 13\nok 1 - /w/test/add.test.js\n1..1\n# pass 1')).toEqual({ 'node:test': 0 });
  });

  it('fewer is fewer of one runner, and a runner that says nothing any more ran none', () => {
    expect(fewerPassed({ pytest: 9, jest: 3 }, { pytest: 9, jest: 4 })).toBeUndefined();
    expect(fewerPassed({ pytest: 9, jest: 3 }, { jest: 2 })).toEqual({ runner: 'pytest', before: 9, after: 0 });
    expect(fewerPassed({}, { pytest: 1 })).toBeUndefined();
  });
});
