import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTestResults } from '../../../../src/source/test-results/read-test-results.ts';
import { expectEffortBelow } from '../../../support/effort.ts';

const FOLDER = join(import.meta.dirname, 'recorded');
const recorded = (name: string): string => readFileSync(join(FOLDER, `${name}.txt`), 'utf8');

/** The outcomes by their first letters, in the order of the output. */
const read = (text: string): Record<string, string> | undefined => {
  const tests = readTestResults(text, '/project/v')?.tests;
  return tests === undefined ? undefined : Object.fromEntries([...tests].map(([id, outcome]) => [id, outcome]));
};
const sums = (text: string | readonly string[]): string | undefined => {
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

describe('results of tests in machine formats', () => {
  it('reads node-tap', () => expect(read(recorded('node-tap'))).toEqual({ ...NODE, 'test/c.test.js': 'failed' }));

  it('reads node20-tap', () => {
    expect(read(recorded('node20-tap'))).toEqual({ ...NODE, '/project/n/test/c.test.js': 'failed' });
  });

  it.each(['vitest-tap', 'vitest-tap-flat', 'vitest-json', 'vitest-junit'])('reads %s', (name) => {
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
    ['go-test', 'go test -json: 1 passed, 4 failed, 2 skipped'],
    ['jest-json', 'JSON report: 1 passed, 3 failed, 2 skipped'],
    ['node-junit', 'JUnit XML: 8 passed, 2 failed, 5 skipped'],
    ['node20-junit', 'JUnit XML: 8 passed, 2 failed, 5 skipped'],
    ['pytest-junit', 'JUnit XML: 9 passed, 4 failed, 2 skipped'],
    ['surefire', 'JUnit XML: 1 passed, 2 failed, 1 skipped'],
  ])('counts %s as %s, also between other lines', (name, expected) => {
    expect(sums(recorded(name))).toBe(expected);
    expect(sums(`> project@1.0.0 test\n> some runner\n\n${recorded(name)}\nnpm ERR! exit 1\n`)).toBe(expected);
    expect(sums(recorded(name).replaceAll('\n', '\r\n'))).toBe(expected);
  });

  it('reads two runs in one output, such as those of workspaces, as one', () => {
    expect(sums(recorded('vitest-tap-flat') + recorded('vitest-tap-flat'))).toBe('TAP: 8 passed, 4 failed, 4 skipped');
  });

  it('reads the files of one run as one, if each of them can be read', () => {
    const [one, other] = [recorded('surefire'), '<testsuite><testcase name="a"/></testsuite>'];
    expect(sums([one, other])).toBe('JUnit XML: 2 passed, 2 failed, 1 skipped');
    expect(sums([one, 'all is well'])).toBeUndefined();
    expect(sums([one, recorded('vitest-tap')])).toBeUndefined();
    expect(sums([])).toBeUndefined();
  });

  it.each([
    ['node-tap', 8],
    ['node-junit', 8],
    ['vitest-tap', 4],
    ['vitest-json', 4],
    ['go-test', 1],
  ])('counts the passed tests of %s without suites and files', (name, passed) => {
    expect(readTestResults(recorded(name))?.passed).toBe(passed);
  });

  it('counts no file that node:test reports as a test because none in it ran', () => {
    expect(readTestResults('TAP version 13\nok 1 - /w/test/add.test.js\n1..1\n')?.passed).toBe(0);
  });
});

describe('what cannot be believed is not read', () => {
  it.each([
    ['vitest', ' Tests  12 passed (12)'],
    ['node:test', '✔ adds (1.5ms)\nℹ tests 1\nℹ suites 0\nℹ pass 1\nℹ fail 0\nℹ duration_ms 10.5'],
    ['pytest', 'test_a.py::test_ok PASSED [100%]\n\n===== 1 passed in 0.12s ====='],
    ['unittest', 'test_ok (a.T.test_ok) ... ok\n\nRan 1 test in 0.001s\n\nOK'],
    ['cargo', 'running 1 test\ntest a ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured'],
  ])('what %s prints for people is unknown', (_, text) => expect(readTestResults(text)).toBeUndefined());

  it('no output, no format, no test', () => {
    for (const text of [
      '',
      'all is well\n',
      'TAP version 13\n1..0\n',
      '1..0 # SKIP nothing\n',
      '<testsuites></testsuites>',
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
        // The message of a failure may be cut, never what ended how.
        if (cut !== undefined && !isPartOf(name)) expect([name, end, cut.tests]).toEqual([name, end, whole?.tests]);
      }
    }
  });

  /** Packages that were not begun leave no trace: a missing test is a lost one. */
  const isPartOf = (name: string): boolean => name.startsWith('go-');

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

describe('npm over several packages', () => {
  const tap = (count: number): string =>
    [
      'TAP version 13',
      ...Array.from({ length: count }, (_, at) => `ok ${at + 1} - test ${at + 1}`),
      `1..${count}`,
    ].join('\n');
  const npm = (...packages: readonly (readonly [name: string, command: string, printed: string])[]): string =>
    ['', '> shop@1.0.0 test', '> npm test --workspaces', '']
      .concat(packages.flatMap(([name, command, printed]) => ['', `> ${name}@1.0.0 test`, `> ${command}`, '', printed]))
      .join('\n');
  const CART = ['@shop/cart', 'node --test', tap(7)] as const;

  it('counts the tests of all of them', () => {
    const renamed = tap(2).replaceAll('test ', 'of money ');
    expect(sums(npm(CART, ['money', 'node --test', renamed]))).toBe('TAP: 9 passed, 0 failed, 0 skipped');
  });

  it('knows nothing where one of them wrote results for people only', () => {
    expect(sums(npm(CART, ['money', 'vitest run', ' Tests  7 passed (7)']))).toBeUndefined();
  });

  it.each([
    ['npx vitest run', ' Tests  7 passed (7)'],
    ['npm run build && vitest run', '\n> money@1.0.0 build\n> tsc\n\n\n Tests  7 passed (7)'],
    ['bun test', ' 7 pass'],
    ['mocha -r ts-node/register', '  7 passing'],
    ['mocha --recursive', '  7 passing'],
  ])('knows nothing where %s printed for people only', (command, printed) => {
    expect(sums(npm(CART, ['money', command, printed]))).toBeUndefined();
  });

  it('reads a command that only echoes in time that grows with its length', () => {
    expectEffortBelow(800, () => sums(npm(CART, ['money', `${'echo      && '.repeat(2000)}x`, ' 7 passed'])));
  });

  it('goes by what wrote results: a build or a script before the tests has none', () => {
    const script = (name: string, of: string, command: string, printed = ''): string =>
      ['', `> ${name}@1.0.0 ${of}`, `> ${command}`, '', printed].join('\n');
    const tests = (name: string, count: number): string =>
      script(name, 'test', 'node --test', tap(count).replaceAll('test ', `of ${name} `));
    const before = (name: string): string => script(name, 'pretest', 'tsc');
    expect(sums([before('a'), tests('a', 2), before('b'), tests('b', 3)].join('\n'))).toMatch(/^TAP: 5 passed/);
    const built = [script('a', 'build', 'tsc'), script('b', 'build', 'tsc'), tests('a', 2), tests('b', 3)];
    expect(sums(built.join('\n'))).toMatch(/^TAP: 5 passed/);
    for (const root of ['tsc -b && npm test --workspaces', 'nx run-many -t test'])
      expect(sums([script('shop', 'test', root), tests('a', 2), tests('b', 3)].join('\n'))).toMatch(/^TAP: 5 passed/);
  });

  it('leaves out packages whose script runs no tests, and other scripts before the tests', () => {
    const none = ['docs', 'echo "no tests"', 'no tests'] as const;
    expect(sums(npm(CART, none))).toBe('TAP: 7 passed, 0 failed, 0 skipped');
    const built = ['', '> cart@1.0.0 pretest', '> tsc', '', '', '> cart@1.0.0 test', '> node --test', '', tap(3)];
    expect(sums(built.join('\n'))).toBe('TAP: 3 passed, 0 failed, 0 skipped');
  });
});
