import * as fc from '../../../support/properties.ts';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTestResults } from '../../../../src/source/test-results/read-test-results.ts';
import { expectEffortBelow } from '../../../support/effort.ts';
import { anyCharacter } from '../../../support/any-character.ts';

const FOLDER = join(import.meta.dirname, 'recorded');
const TEXTS = readdirSync(FOLDER).map((name) => readFileSync(join(FOLDER, name), 'utf8'));
const LINES = TEXTS.flatMap((text) => text.split('\n'));

type Ended = 'passed' | 'failed' | 'skipped';
type Tests = readonly (readonly [name: string, ended: Ended])[];

const tests = fc.uniqueArray(
  fc.tuple(
    fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9 _.,:'"<>&#\\äß()-]{0,20}[a-z]$/),
    fc.constantFrom<Ended>('passed', 'failed', 'skipped'),
  ),
  { selector: ([name]) => name, minLength: 1, maxLength: 20 },
);
const count = (all: Tests, ended: Ended): number => all.filter(([, one]) => one === ended).length;

/** Writers of each format, as plain as can be. */
const WRITERS: Readonly<Record<string, (all: Tests) => string>> = {
  TAP: (all) =>
    [
      'TAP version 14',
      ...all.map(
        ([name, ended], at) =>
          `${ended === 'failed' ? 'not ok' : 'ok'} ${at + 1} - ${name.replaceAll(/[#\\]/g, '\\$&')}${ended === 'skipped' ? ' # SKIP' : ''}`,
      ),
      `1..${all.length}`,
    ].join('\n'),
  'JUnit XML': (all) => {
    const inside = { passed: '', failed: '<failure/>', skipped: '<skipped/>' };
    const escaped = (name: string): string =>
      name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
    const cases = all.map(([name, ended]) => `<testcase name="${escaped(name)}">${inside[ended]}</testcase>`);
    return `<testsuite tests="${all.length}" failures="${count(all, 'failed')}">${cases.join('\n')}</testsuite>`;
  },
  'go test -json': (all) =>
    [
      ...all.flatMap(([name, ended]) => [
        JSON.stringify({ Action: 'run', Package: 'p', Test: name }),
        JSON.stringify({
          Action: { passed: 'pass', failed: 'fail', skipped: 'skip' }[ended],
          Package: 'p',
          Test: name,
        }),
      ]),
      JSON.stringify({ Action: count(all, 'failed') > 0 ? 'fail' : 'pass', Package: 'p' }),
    ].join('\n'),
};

describe('any results of tests', () => {
  it.each(Object.entries(WRITERS))('%s: what is written is read', (format, write) => {
    fc.assert(
      fc.property(tests, (all) => {
        const read = readTestResults(write(all));
        expect(read?.format).toBe(format);
        const leaf = ([id]: readonly [string, Ended]): boolean => id !== 'p';
        expect([...(read?.tests ?? [])].filter(leaf).map(([id, ended]) => [id.replace(/^p > /, ''), ended])).toEqual(
          all,
        );
      }),
    );
  });

  it('never fails over anything, also over lines of real outputs in any order', () => {
    const line = fc.oneof(fc.constantFrom(...LINES), fc.string({ unit: anyCharacter, maxLength: 40 }));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        const read = readTestResults(lines.join('\n'));
        expect(read === undefined || read.tests.size > 0).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('believes no output from which a line with a test was taken out, or came in twice', () => {
    for (const text of TEXTS) {
      const whole = readTestResults(text);
      if (whole === undefined || /"Action"|<testcase|"numTotalTests"/.test(text)) continue; // no line is a test, or none counts them
      const lines = text.split('\n');
      for (const [at, line] of lines.entries()) {
        const without = readTestResults(lines.toSpliced(at, 1).join('\n'));
        const twice = readTestResults(lines.toSpliced(at, 0, line).join('\n'));
        for (const other of [without, twice])
          if (other !== undefined) expect([line, other.tests.size]).toEqual([line, whole.tests.size]);
      }
    }
  });

  it.each([
    ['colours without an end', '\u001b]0;', 500_000],
    ['brackets', '\u001b[', 500_000],
    ['braces', 'ok 1 - a {\n', 100_000],
    ['deeper and deeper', Array.from({ length: 1400 }, (_, at) => `${' '.repeat(at)}ok\n`).join(''), 1],
    ['open YAML', 'ok 1\n  ---\n', 50_000],
    ['open elements', '<testsuite>', 200_000],
    ['attributes', `<testsuite ${'a="b" '.repeat(100_000)}`, 1],
    ['open objects', '{"numTotalTests":', 50_000],
    ['events', '{"Action":"run","Package":"a","Test":"b"}\n', 30_000],
    ['blanks', ' '.repeat(1_000_000), 1],
    ['many blanks', `${' '.repeat(1999)}\n`, 1_000],
  ])('takes no time over %s', (_, piece, times) => {
    const before = 'TAP version 13\n';
    for (const text of [before + piece.repeat(times), `"testResults" ${before}${piece.repeat(times)}}`])
      expectEffortBelow(150, () => readTestResults(text));
  });
});
