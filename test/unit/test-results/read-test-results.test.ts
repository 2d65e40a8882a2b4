import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTestResults } from '../../../src/test-results/read-test-results.ts';

const FOLDER = join(import.meta.dirname, 'recorded');
const recorded = (name: string): string => readFileSync(join(FOLDER, `${name}.txt`), 'utf8');

/** The outcomes by their first letters, in the order of the output. */
const read = (text: string): Record<string, string> | undefined => {
  const tests = readTestResults(text, '/project/v')?.tests;
  return tests === undefined ? undefined : Object.fromEntries([...tests].map(([id, outcome]) => [id, outcome]));
};
const sums = (text: string): string | undefined => {
  const found = readTestResults(text);
  if (found === undefined) return undefined;
  const of = (outcome: string): number => [...found.tests.values()].filter((one) => one === outcome).length;
  return `${found.format}: ${of('passed')} passed, ${of('failed')} failed, ${of('skipped')} skipped`;
};

const NODE = {
  'sums > adds': 'passed',
  'sums > adds wrongly': 'failed',
  'sums > is skipped': 'skipped',
  'sums > is to do': 'skipped',
  'sums > fails as todo': 'skipped',
  'sums > of more > adds three # of them': 'passed',
  'sums > of more': 'passed',
  sums: 'failed',
  empty: 'passed',
  'skipped suite': 'skipped',
  'parent > child one': 'passed',
  'parent > child two': 'skipped',
  parent: 'passed',
  'same name': 'passed',
  'same name [2]': 'passed',
  adds: 'passed',
  slow: 'passed',
};

describe('results of tests, as the runners printed them', () => {
  it.each(['node-spec', 'node-spec-colour', 'node-tap'])('%s', (name) => {
    expect(read(recorded(name))).toEqual({ ...NODE, 'test/c.test.js': 'failed' });
  });

  it.each(['node20-spec', 'node20-tap'])('%s', (name) => {
    expect(read(recorded(name))).toEqual({ ...NODE, '/project/n/test/c.test.js': 'failed' });
  });

  it('unittest-v', () => {
    expect(read(recorded('unittest-v'))).toEqual({
      'test_bad (tests.test_a.T.test_bad)': 'failed',
      'test_doc (tests.test_a.T.test_doc)': 'passed',
      'test_err (tests.test_a.T.test_err)': 'failed',
      'test_ok (tests.test_a.T.test_ok)': 'passed',
      'test_skip (tests.test_a.T.test_skip)': 'skipped',
      'test_sub (tests.test_a.T.test_sub)': 'failed',
      'test_subok (tests.test_a.T.test_subok)': 'passed',
      'test_xf (tests.test_a.T.test_xf)': 'skipped',
      'test_xs (tests.test_a.T.test_xs)': 'failed',
      'tests.test_imp (unittest.loader._FailedTest.tests.test_imp)': 'failed',
      'setUpClass (tests.test_a.U)': 'failed',
    });
  });

  it('unittest, green, also where a test prints between its name and its end; without -v it names nothing', () => {
    expect(sums(recorded('unittest-v-green'))).toBe('unittest: 3 passed, 0 failed, 2 skipped');
    expect(sums(recorded('unittest-v-mixed'))).toBe('unittest: 3 passed, 0 failed, 2 skipped');
    expect(sums(recorded('unittest310-v-mixed'))).toBe('unittest: 3 passed, 0 failed, 2 skipped');
    expect(read(recorded('unittest-plain'))).toBeUndefined();
    expect(read(recorded('unittest-v').replace('Ran 10', 'Ran 11'))).toBeUndefined();
    expect(read(recorded('unittest-v').replace('failures=2', 'failures=3'))).toBeUndefined();
  });

  it.each(['pytest-v', 'pytest-v-rA-colour'])('%s', (name) => {
    expect(read(recorded(name))).toEqual({
      'sub/test_z.py::test_z': 'passed',
      'test_a.py::test_ok': 'passed',
      'test_a.py::test_bad': 'failed',
      'test_a.py::test_skip': 'skipped',
      'test_a.py::test_xf': 'skipped',
      'test_a.py::test_xp': 'passed',
      'test_a.py::test_par[a b]': 'passed',
      'test_a.py::test_par[c::d]': 'passed',
      'test_a.py::test_par[\\xe9 - [x]]': 'passed',
      'test_a.py::test_teardown': 'failed',
      'test_a.py::TestC::test_m': 'passed',
      'test_a.py::test_sub': 'failed',
      'test_a.py::TU::test_s': 'passed',
      'test_a.py::TU::test_u': 'passed',
      'test_a.py::test_setup': 'failed',
    });
  });

  it.each(['vitest-tap', 'vitest-tap-flat', 'vitest-json', 'vitest-junit'])('%s', (name) => {
    expect(read(recorded(name))).toMatchObject({
      'a.test.js > sums > adds': 'passed',
      'a.test.js > sums > adds wrongly': 'failed',
      'a.test.js > sums > is skipped': 'skipped',
      'a.test.js > sums > is to do': 'skipped',
      'a.test.js > sums > of more > adds three': 'passed',
      'a.test.js > same': 'passed',
      'a.test.js > same [2]': 'passed',
      'b.test.js': 'failed',
    });
  });

  it.each([
    ['cargo-all', 'cargo test: 5 passed, 2 failed, 1 skipped'],
    ['cargo-colour', 'cargo test: 5 passed, 2 failed, 1 skipped'],
    ['cargo-stdout', 'cargo test: 5 passed, 2 failed, 1 skipped'],
    ['nextest', 'cargo nextest: 2 passed, 1 failed, 0 skipped'],
    ['go-test', 'go test -json: 1 passed, 4 failed, 2 skipped'],
    ['jest-json', 'JSON report: 1 passed, 3 failed, 2 skipped'],
    ['node-green', 'node:test: 2 passed, 0 failed, 0 skipped'],
    ['node-junit', 'JUnit XML: 8 passed, 2 failed, 5 skipped'],
    ['node20-junit', 'JUnit XML: 8 passed, 2 failed, 5 skipped'],
    ['pytest-junit', 'JUnit XML: 9 passed, 4 failed, 2 skipped'],
    ['pytest-q-rA', 'pytest: 9 passed, 4 failed, 2 skipped'],
    ['pytest-rA', 'pytest: 9 passed, 4 failed, 2 skipped'],
    ['surefire', 'JUnit XML: 1 passed, 2 failed, 1 skipped'],
  ])('%s: %s', (name, expected) => {
    expect(sums(recorded(name))).toBe(expected);
    expect(sums(`> project@1.0.0 test\n> some runner\n\n${recorded(name)}\nnpm ERR! exit 1\n`)).toBe(expected);
    expect(sums(recorded(name).replaceAll('\n', '\r\n'))).toBe(expected);
  });

  it('cargo: the same name in two binaries is two tests, and a documentation test may move', () => {
    expect(Object.keys(read(recorded('cargo-all')) ?? {})).toEqual([
      'a unittests src/lib.rs > tests::ign',
      'a unittests src/lib.rs > tests::ok',
      'a unittests src/lib.rs > tests::bad',
      'a unittests src/lib.rs > tests::panics',
      'it tests/it.rs > ok',
      'b unittests src/lib.rs > tests::ok',
      'Doc-tests a > a/src/lib.rs - add',
      'Doc-tests a > a/src/lib.rs - sub',
    ]);
  });

  it('pytest with xdist names the test last', () => {
    const output = [
      '============================= test session starts ==============================',
      'created: 2/2 workers',
      'scheduling tests via LoadScheduling',
      '',
      'test_a.py::test_one ',
      'test_a.py::test_two ',
      '[gw1] [ 50%] PASSED test_a.py::test_two ',
      '[gw0] [100%] FAILED test_a.py::test_one ',
      '',
      '=================================== FAILURES ===================================',
      '========================= 1 failed, 1 passed in 0.50s ==========================',
    ].join('\n');
    expect(read(output)).toEqual({ 'test_a.py::test_two': 'passed', 'test_a.py::test_one': 'failed' });
  });

  it('two runs in one output, as of workspaces, are one', () => {
    expect(sums(recorded('node-green') + recorded('node-spec'))).toBe('node:test: 12 passed, 3 failed, 5 skipped');
    expect(sums(recorded('node-spec') + recorded('node-green'))).toBe('node:test: 12 passed, 3 failed, 5 skipped');
    expect(sums(recorded('vitest-tap-flat') + recorded('vitest-tap-flat'))).toBe('TAP: 8 passed, 4 failed, 4 skipped');
  });
});

describe('what cannot be believed is not read', () => {
  it.each([
    ['cargo-fast', 'it stopped at the first binary that was red'],
    ['cargo-nocapture', 'what tests printed looks like a test'],
    ['node-forged', 'a test printed what looks like a test'],
    ['pytest-plain', 'it names failures only'],
    ['pytest-x', 'it stopped at the first failure'],
  ])('%s: %s', (name) => expect(readTestResults(recorded(name))).toBeUndefined());

  it('no output, no format, no test', () => {
    for (const text of [
      '',
      'all is well\n',
      'TAP version 13\n1..0\n',
      '1..0 # SKIP nothing\n',
      '<testsuites></testsuites>',
      '=== test session starts ===\n=== no tests ran in 0.01s ===\n',
      'running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n',
      '{"Action":"start","Package":"a"}\n{"Action":"skip","Package":"a"}\n',
    ])
      expect([text, readTestResults(text)]).toEqual([text, undefined]);
  });

  it('an output that was cut off anywhere says all or nothing', () => {
    for (const name of readdirSync(FOLDER)) {
      const text = recorded(name.replace('.txt', ''));
      const whole = readTestResults(text);
      const ends = new Set([text.length - 1, ...[...text.matchAll(/\n/g)].map(({ index }) => index)]);
      for (const end of ends) {
        const cut = readTestResults(text.slice(0, end));
        if (cut !== undefined && !isPartOf(name)) expect([name, end, cut]).toEqual([name, end, whole]);
      }
    }
  });

  /** Blocks and packages that were not begun leave no trace: a missing test is a lost one. */
  const isPartOf = (name: string): boolean => /^(?:cargo|go)-/.test(name);

  it.each([
    ['a plan that is not kept', 'TAP version 13\n1..3\nok 1 - a\nok 2 - b\n'],
    ['more than planned', 'TAP version 13\n1..1\nok 1 - a\nok 2 - b\n'],
    ['no plan', 'TAP version 13\nok 1 - a\n'],
    ['two plans', '1..1\nok 1 - a\n1..1\n'],
    ['a runner that gave up', 'TAP version 13\n1..2\nok 1 - a\nBail out! no database\n'],
    ['a subtest without its plan', 'TAP version 14\n    ok 1 - b\nok 1 - a\n1..1\n'],
    ['a subtest without its test', 'TAP version 14\nok 1 - a\n    ok 1 - b\n    1..1\n1..1\n'],
    ['a brace that stays open', 'TAP version 13\n1..1\nok 1 - a {\n    1..1\n    ok 1 - b\n'],
    ['green over red', 'TAP version 14\n    not ok 1 - b\n    1..1\nok 1 - a\n1..1\n'],
    ['one name with two ends', '1..2\nok 1 - a\nnot ok 2 - a\n'],
    ['a name that another one takes', '1..3\nok - a\nok - a [2]\nok - a\n'],
    [
      'two formats',
      '1..1\nok 1 - a\nrunning 1 test\ntest a ... ok\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n',
    ],
    ['failures that no test has', '<testsuite tests="1" failures="1" errors="0"><testcase name="a"/></testsuite>'],
    [
      'a failure that is not counted',
      '<testsuite tests="1" failures="0" errors="0"><testcase name="a"><failure/></testcase></testsuite>',
    ],
    ['fewer tests than are there', '<testsuite tests="1"><testcase name="a"/><testcase name="b"/></testsuite>'],
    ['a document type', '<!DOCTYPE x [<!ENTITY a "b">]><testsuite><testcase name="a"/></testsuite>'],
    ['an entity', '<testsuite><testcase name="&a;"/></testsuite>'],
    ['no XML', '<testsuite><testcase name="a"></testsuite>'],
    ['red without a red test', JSON.stringify({ ...report(), success: false })],
    ['another sum', JSON.stringify({ ...report(), numPassedTests: 2 })],
    ['an interrupted run', JSON.stringify({ ...report(), wasInterrupted: true })],
    ['a test that never ended', '{"Action":"run","Package":"a","Test":"T"}\n{"Action":"pass","Package":"a"}\n'],
    [
      'a package that never ended',
      '{"Action":"run","Package":"a","Test":"T"}\n{"Action":"pass","Package":"a","Test":"T"}\n',
    ],
    ['a torn event', '{"Action":"pass","Package":"a","Test":"T"}\n{"Action":"pass","Pack\n'],
  ])('%s', (_, text) => expect(readTestResults(text)).toBeUndefined());

  function report(): Record<string, unknown> {
    const test = { ancestorTitles: [], title: 'a', status: 'passed' };
    const testResults = [{ name: 'a.test.js', status: 'passed', assertionResults: [test] }];
    return {
      numTotalTestSuites: 1,
      numTotalTests: 1,
      numPassedTests: 1,
      numFailedTests: 0,
      success: true,
      testResults,
    };
  }

  it('is read where nothing is wrong with it', () => {
    expect(read(JSON.stringify(report()))).toEqual({ 'a.test.js > a': 'passed', 'a.test.js': 'passed' });
    expect(read('1..1\nok 1 - a {\n  ---\n  x: 1\n  ...\n')).toEqual({ 'a {': 'passed' });
    expect(read('{"Action":"run","Package":"a","Test":"T"}\n{"Action":"fail","Package":"a"}\n')).toEqual({
      'a > T': 'failed',
      a: 'failed',
    });
  });
});
