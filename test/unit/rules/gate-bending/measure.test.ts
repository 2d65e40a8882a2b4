import { describe, expect, it } from 'vitest';
import { measureBending } from '../../../../src/rules/gate-bending/measure.ts';
import type { Side } from '../../../../src/rules/gate-bending/measure.ts';
import { effort, expectEffortBelow } from '../../../support/effort.ts';
import { bendingOf } from '../../../support/gate-bending.ts';

const TEST = "it('adds', () => {\n  expect(add(1, 2)).toBe(3);\n  expect(add(0, 0)).toBe(0);\n});\n";
const weaker = (left: string) => TEST.replace('  expect(add(0, 0)).toBe(0);\n', left);
const kindsOf = (files: Parameters<typeof bendingOf>[0]['files'], gates = ['npm test']) =>
  bendingOf({ files, gates }).bends.map(({ kind }) => kind);

describe('what a change does to its gates and tests', () => {
  it('is known by its blobs: consent to one weakening is none to another', () => {
    const marks = ['', '  add(0, 0);\n'].map(
      (left) => bendingOf({ files: { 'a.test.js': [TEST, weaker(left)] }, gates: [] }).bends[0]?.mark,
    );
    expect(marks[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(marks).size).toBe(2);
  });

  it('may be allowed by the contract, but not an assertion that cannot fail', () => {
    const change = { files: { 'a.test.js': [TEST, weaker('  expect(true).toBe(true);\n')] as const }, gates: [] };
    const consents = bendingOf(change, true).bends.map(({ kind, consent }) => [kind, consent]);
    expect(consents).toEqual([
      ['assertions_lost', 'contract'],
      ['cannot_fail', undefined],
    ]);
  });

  it('is unknown where a file is too large, and a loss where it was known before', () => {
    const side = (text: string): Side => ({ oid: text, text });
    const large: Side = { oid: 'large', unread: 'it is larger than 1 MB' };
    const measured = (before: Side, after: Side) =>
      measureBending({
        files: [{ path: 'a.test.js', before, after }],
        hadTests: () => false,
        reach: undefined,
        isNamed: () => false,
        allowsTestLoss: false,
        digest: (text) => text,
      });
    expect(measured(side(TEST), large).bends.map(({ kind }) => kind)).toContain('uncountable');
    expect(measured(large, large)).toMatchObject({ bends: [], notes: [expect.stringContaining('larger than 1 MB')] });
  });

  it.each([
    ['a path that a gate only reads', ['test -f README.md', 'grep -q x docs/a.md'], 'README.md'],
    ['product code that a gate runs', ['node src/cli.js --help'], 'src/cli.js'],
  ])('does not take for its definition %s', (_, gates, path) => {
    expect(kindsOf({ [path]: ['one\n', 'two\n'] }, gates)).toEqual([]);
  });

  it.each([
    ['what a script runs in turn', ['./scripts/ci.sh'], 'scripts/unit.sh'],
    ['a script in a folder', ['cd scripts && sh unit.sh'], 'scripts/unit.sh'],
    ['a script in a quoted command', ['sh -c "sh scripts/unit.sh"'], 'scripts/unit.sh'],
  ])('takes for its definition %s', (_, gates, path) => {
    const files = {
      'scripts/ci.sh': ['scripts/unit.sh\n', 'scripts/unit.sh\n'],
      [path]: ['pytest -q\n', 'pytest -q -k easy\n'],
    } as const;
    expect(kindsOf(files, gates)).toContain('gate_changed');
  });

  it.each(['a.test.js', 'tests/test_a.py', 'a_test.go', 't/a.sh', 'spec/a_spec.rb', 'tests/a.rs', 'tests/ATest.php'])(
    'takes no longer for code that is made to hold it up: %s',
    (path) => {
      const read = (times: number): void => {
        for (const piece of [
          '(',
          '([{',
          '= /[ ',
          "test('a', () => {",
          '/* ',
          '<<A ',
          'for (const a of b) {',
          'fn a() {',
        ])
          kindsOf({ [path]: [null, piece.repeat(times)] });
      };
      read(100);
      const little = effort(() => read(500), Infinity);
      expectEffortBelow(32 * little, () => read(4000)); // eight times as much; squared, it would be 64
    },
  );
});
