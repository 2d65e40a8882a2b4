import { describe, expect, it } from 'vitest';
import { readTestResults } from '../../../../src/source/test-results/read-test-results.ts';

const failures = (text: string) => readTestResults(text)?.failures;

describe('the failed tests of a run', () => {
  it('have the message attribute of JUnit XML, else the text of the failure', () => {
    const xml =
      '<testsuites><testsuite name="sum" tests="3" failures="2" errors="0">' +
      '<testcase name="adds"><failure message="expected 3, received 4">\n    at sum.js:1\n</failure></testcase>' +
      '<testcase name="subtracts"><failure>\nAssertionError: 1 != 2\n    at sum.js:9\n</failure></testcase>' +
      '<testcase name="multiplies"/></testsuite></testsuites>';
    expect(failures(xml)).toEqual([
      { name: 'sum > adds', message: 'expected 3, received 4' },
      { name: 'sum > subtracts', message: 'AssertionError: 1 != 2' },
    ]);
  });

  it('have error, expected and actual of the YAML in TAP', () => {
    const tap =
      "TAP version 13\n1..2\nok 1 - adds\nnot ok 2 - subtracts\n  ---\n  duration_ms: 3\n  error: 'Expected values to be equal'\n  expected: 1\n  actual: 2\n  stack: |-\n    at sum.js:9\n  ...\n";
    expect(failures(tap)).toEqual([
      { name: 'subtracts', message: "error: 'Expected values to be equal'\nexpected: 1\nactual: 2" },
    ]);
  });

  it('have the message of mocha, in its YAML or in the plain lines below the test, without its stack', () => {
    const plain = ['  expected 3: got', '  4', '  ', '      at Context.<anonymous> (a.js:1:77)'];
    const yaml = [
      '  ---',
      '    message: |-',
      '      expected 3: got',
      '      4',
      '    stack: |-',
      '      Error: x',
      '  ...',
    ];
    for (const below of [plain, yaml]) {
      const tap = ['TAP version 13', 'ok 1 adds', 'not ok 2 subtracts', ...below, '# fail 1', '1..2'];
      const failed = readTestResults([tap.join('\n')], '')?.failures;
      expect(failed?.[0]?.name).toBe('subtracts');
      expect(failed?.[0]?.message).toMatch(/^(?:message: \|-\n)?expected 3: got\n4$/);
    }
    const subtests = ['not ok 1 outer', '# Subtest: inner', '    ok 1 inner', '    1..1', 'not ok 2 inner', '1..2'];
    expect(readTestResults([subtests.join('\n')], '')?.failures.map(({ message }) => message)).toEqual([undefined]);
  });

  it('have the messages of the JSON of vitest and jest, without colours and stack frames', () => {
    const test = { ancestorTitles: ['sum'], title: 'adds', status: 'failed' };
    const report = {
      numTotalTestSuites: 1,
      numTotalTests: 1,
      numPassedTests: 0,
      numFailedTests: 1,
      success: false,
      testResults: [
        {
          name: '/project/sum.test.js',
          status: 'failed',
          assertionResults: [{ ...test, failureMessages: ['\u001b[31mexpected 3\u001b[39m\n    at sum.test.js:4:9'] }],
        },
      ],
    };
    expect(readTestResults(JSON.stringify(report), '/project')?.failures).toEqual([
      { name: 'sum.test.js > sum > adds', message: 'expected 3' },
    ]);
  });

  it('have what a test of Go printed', () => {
    const events = [
      { Action: 'run', Package: 'shop', Test: 'TestSum' },
      { Action: 'output', Package: 'shop', Test: 'TestSum', Output: '=== RUN   TestSum\n' },
      { Action: 'output', Package: 'shop', Test: 'TestSum', Output: '    sum_test.go:9: got 4, want 3\n' },
      { Action: 'fail', Package: 'shop', Test: 'TestSum' },
      { Action: 'fail', Package: 'shop' },
    ];
    expect(failures(events.map((event) => JSON.stringify(event)).join('\n'))).toEqual([
      { name: 'shop > TestSum', message: '    sum_test.go:9: got 4, want 3' },
    ]);
  });
});
