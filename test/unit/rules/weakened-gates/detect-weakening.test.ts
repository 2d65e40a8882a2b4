import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { detectWeakening, type Side } from '../../../../src/rules/weakened-gates/detect-weakening.ts';
import { findGateFiles } from '../../../../src/rules/weakened-gates/gate-files.ts';
import { isRunnerConfiguration } from '../../../../src/rules/weakened-gates/check-files.ts';
import { effort, expectEffortBelow } from '../../../support/effort.ts';

/** A change: each file before and after, `null` where it does not exist. */
interface Change {
  readonly files: Readonly<Record<string, readonly [before: string | null, after: string | null]>>;
  readonly gates: readonly string[];
  /** `allowed_paths` of the contract. */
  readonly allowed?: readonly string[];
  /** Further paths of the base. */
  readonly paths?: readonly string[];
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

function detect(change: Change, allowsTestLoss = false) {
  const files = Object.entries(change.files);
  const texts = new Map(files.flatMap(([path, [before]]) => (before === null ? [] : [[path, before] as const])));
  const paths = new Set([...texts.keys(), ...(change.paths ?? [])]);
  const side = (text: string | null) => (text === null ? undefined : { oid: digest(text), text });
  return detectWeakening({
    files: files.map(([path, [before, after]]) => ({ path, before: side(before), after: side(after) })),
    gateFiles:
      change.gates.length === 0
        ? undefined
        : findGateFiles(change.gates, { paths, texts, configurations: [...paths].filter(isRunnerConfiguration) })
            .gateFiles,
    isNamed: (path) => change.allowed?.includes(path) === true,
    allowsTestLoss,
    digest,
  });
}
const kindsOf = (files: Change['files'], gates: readonly string[] = []) =>
  detect({ files, gates }).weakenings.map(({ kind }) => kind);

const LABELLED = readFileSync(join(import.meta.dirname, '../../../corpora/gate-definitions.jsonl'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((row) => JSON.parse(row) as Change & { readonly id: string; readonly label: 'honest' | 'weakens' });

describe('the definition of a gate', () => {
  it.each(LABELLED.map((row) => [row.id, row.label, row] as const))('%s is %s', (_, label, row) => {
    const open = detect(row).weakenings.filter(({ kind, consent }) => kind === 'gate_changed' && consent === undefined);
    expect(open.length > 0 ? 'weakens' : 'honest', JSON.stringify(open)).toBe(label);
  });

  it.each([
    ['a path that a gate only reads', ['test -f README.md', 'grep -q x docs/a.md'], 'README.md'],
    ['product code that a gate runs', ['node src/cli.js --help'], 'src/cli.js'],
    ['a file that a checker is given', ['python3 -m py_compile shop/cart.py'], 'shop/cart.py'],
    ['product code that a test names', ['sh tests/run.sh'], 'bin/tidy.sh'],
  ])('does not include %s', (_, gates, path) => {
    const files = { 'tests/run.sh': ['sh bin/tidy.sh\n', 'sh bin/tidy.sh\n'], [path]: ['one\n', 'two\n'] } as const;
    expect(kindsOf(files, gates)).toEqual([]);
  });

  it.each([
    ['a script that a script runs', ['./scripts/ci.sh'], 'scripts/unit.sh'],
    ['a script in a folder', ['cd scripts && sh unit.sh'], 'scripts/unit.sh'],
    ['a script in a quoted command', ['sh -c "sh scripts/unit.sh"'], 'scripts/unit.sh'],
  ])('includes %s', (_, gates, path) => {
    const files = {
      'scripts/ci.sh': ['scripts/unit.sh\n', 'scripts/unit.sh\n'],
      [path]: ['pytest -q\n', 'pytest -q -k easy\n'],
    } as const;
    expect(kindsOf(files, gates)).toContain('gate_changed');
  });

  it.each([
    ['tsconfig.json', '{ "strict": true }', '{ "strict": false }'],
    ['Makefile', 'test:\n\tpytest\n', 'test:\n\t-pytest\n'],
  ])('leaves %s to the second run, and names it', (path, before, after) => {
    expect(detect({ files: { [path]: [before, after] }, gates: ['make test'] })).toMatchObject({
      weakenings: [],
      notes: [`files that decide how gates run are changed: ${path}`],
    });
  });

  it.each(['test.js', 'tests.mjs', 'spec.ts', 'parse-test.js', 'parse_spec.js', 'test-parse.cjs', 'tests.py'])(
    'is neither %s, which holds tests, nor the product that it requires',
    (path) => {
      const isPython = path.endsWith('.py');
      const before = isPython
        ? 'import index\n\ndef test_push():\n    assert index.push() == 1\n'
        : "const { push } = require('./index');\n\nit('should push', () => {\n  expect(push()).to.equal(1);\n});\n";
      const added = isPython
        ? 'def test_insert():\n    assert index.insert() == 2\n\n'
        : "it('should insert', () => {\n  expect(insert()).to.equal(2);\n});\n\n";
      const at = before.indexOf('\n\n') + 2;
      const files = {
        [path]: [before, before.slice(0, at) + added + before.slice(at)],
        'index.js': ['exports.push = 1;\n', 'exports.push = 2;\n'],
        'index.py': ['push = 1\n', 'push = 2\n'],
        'package.json': [`{"scripts":{"test":"mocha ${path}"}}`, `{"scripts":{"test":"mocha ${path}"}}`],
      } as const;
      for (const gate of ['npm test', `npx mocha ${path}`, `node ${path}`, `python3 ${path}`]) {
        const { weakenings, notes, before: was, after: is } = detect({ files, gates: [gate] });
        expect({ weakenings, notes, tests: [was.tests, is.tests] }).toEqual({
          weakenings: [],
          notes: [],
          tests: [1, 2],
        });
      }
    },
  );

  it('is a file called test that only runs other programs, but not where its package begins', () => {
    const files = {
      'test.js': ["run('eslint .');\nrequire('./main.js');\n", "run('eslint src');\nrequire('./main.js');\n"],
      'main.js': ['one();\n', 'two();\n'],
      'package.json': ['{"main":"./main"}', '{"main":"./main"}'],
    } as const;
    const { weakenings, notes } = detect({ files, gates: ['node test.js'] });
    expect(weakenings.map(({ kind, files: [path] }) => [kind, path])).toEqual([['gate_changed', 'test.js']]);
    expect(notes).toEqual([]);
  });

  it.each(['npm test --workspace=packages/a', 'npm test -w packages/a -- --reporter=tap'])(
    'includes the script of a workspace that `%s` runs',
    (gate) => {
      const files = {
        'packages/a/package.json': ['{"scripts":{"test":"mocha"}}', '{"scripts":{"test":"true"}}'],
        'package.json': ['{"workspaces":["packages/*"]}', '{"workspaces":["packages/*"]}'],
      } as const;
      expect(kindsOf(files, [gate])).toEqual(['gate_changed']);
    },
  );

  it('may be changed where the contract names the file', () => {
    const files = { 'check.sh': ['pytest\n', 'true\n'] } as const;
    expect(detect({ files, gates: ['sh check.sh'], allowed: ['check.sh'] }).weakenings).toMatchObject([
      { kind: 'gate_changed', consent: 'contract' },
    ]);
  });
});

describe('tests in the changed files', () => {
  const TEST = "it('adds', () => {\n  expect(add(1, 2)).toBe(3);\n});\n";

  it.each([
    ['a.test.js', TEST, ''],
    ['tests/test_a.py', 'def test_adds():\n    assert True\n', '# def test_adds():\n'],
    ['a_test.go', 'func TestAdds(t *testing.T) {\n}\n', '\n'],
    ['src/a.rs', '#[test]\nfn adds() {}\n', 'fn adds() {}\n'],
    ['src/test/AddTest.java', '@Test\nvoid adds() {\n}\n', 'void adds() {\n}\n'],
    ['spec/a_spec.rb', 'it "adds" do\nend\n', '\n'],
    ['t/a.bats', '@test "adds" {\n}\n', '\n'],
    ['t/a.sh', 'set -e\n', null],
  ])('are lost where one of them is gone from %s', (path, before, after) => {
    expect(kindsOf({ [path]: [before, after] })).toEqual(['tests_lost']);
  });

  it.each([
    ['a.test.js', TEST, TEST.replace('it(', 'it.skip(')],
    ['a.test.js', TEST, TEST.replace("'adds', ", "'adds', { skip: true }, ")],
    ['a.test.js', TEST, TEST.replace('it(', 'it.runIf(false)(')],
    ['a.test.js', TEST, TEST.replace('expect', 'pending();\n  expect')],
    ['a.test.js', TEST, `if (false) {\n${TEST}}\n`],
    ['tests/test_a.py', 'def test_a(): pass\n', 'import pytest\npytest.importorskip("no")\ndef test_a(): pass\n'],
    ['tests/test_a.py', 'def test_a(): pass\n', '@pytest.mark.skip\ndef test_a(): pass\n'],
    ['a_test.go', 'func TestA(t *testing.T) {\n}\n', 'func TestA(t *testing.T) {\n\tt.Skip()\n}\n'],
    ['src/a.rs', '#[test]\nfn a() {}\n', '#[cfg(any())]\n#[test]\nfn a() {}\n'],
    ['a_test.go', 'func TestA(t *testing.T) {\n}\n', '//go:build ignore\n\nfunc TestA(t *testing.T) {\n}\n'],
  ])('are skipped in %s', (path, before, after) => {
    expect(kindsOf({ [path]: [before, after] })).toEqual(['skipped']);
  });

  it.each([
    ['a.test.js', TEST, `const g = 1; // all of src/*\n${TEST}`],
    ['a.test.js', TEST, `const g = /^src\\/*$/;\n${TEST}`],
    ['a.test.js', TEST, `const g = 1; // an odd \`\nconst h = \`src/**\`;\n${TEST}`],
    ['tests/test_a.py', 'def test_a(): pass\n', 'x = 1  # it is """\ndef test_a(): pass\n'],
  ])('stay whole beside a comment or a pattern in %s', (path, before, after) => {
    expect(kindsOf({ [path]: [before, after] })).toEqual([]);
  });

  it.each([
    [TEST, TEST.replace('it(', 'it.only(')],
    ['test.describe(f);', 'test.describe.only(f);'],
  ])('are left out where one of them is the only one to run: %j becomes %j', (before, after) => {
    expect(kindsOf({ 'a.test.js': [before, after] })).toEqual(['only']);
  });

  it.each([
    ['a.test.js', TEST, `/*\n${TEST}*/\n`],
    ['tests/test_a.py', 'def test_a():\n    pass\n', '"""\ndef test_a():\n    pass\n"""\n'],
    ['spec/a_spec.rb', 'it "adds" do\nend\n', '=begin\nit "adds" do\nend\n=end\n'],
    ['a_test.go', 'func TestA(t *testing.T) {\n}\n', '/*\nfunc TestA(t *testing.T) {\n}\n*/\n'],
  ])('are lost in a comment of several lines in %s', (path, before, after) => {
    expect(kindsOf({ [path]: [before, after] })).toEqual(['tests_lost']);
  });

  it.each([
    ['a glob in a string', `const all = 'src/**';\n${TEST}`],
    ['a condition that may hold', TEST.replace('it(', 'it.skipIf(isWindows)(')],
    ['a comment about skipping', `/* it.skip( */\n${TEST}`],
  ])('stay what they are beside %s', (_, after) => {
    expect(kindsOf({ 'a.test.js': [TEST, after] })).toEqual([]);
  });

  it.each(['// nosemgrep', '// $FlowFixMe', '<!-- markdownlint-disable -->', '# pylint: disable=all'])(
    'are beside a checker that %s silences, which is a note',
    (mark) => {
      const { notes } = detect({ files: { 'src/a.js': ['a();\n', `a(); ${mark}\n`] }, gates: [] });
      expect(notes).toEqual([expect.stringMatching(/^a checker is silenced in more places: src\/a\.js/)]);
    },
  );

  it('may move to another file, and a new name is only a note', () => {
    expect(detect({ files: { 'a.test.js': [TEST, null], 'b.test.js': [null, TEST] }, gates: [] })).toMatchObject({
      weakenings: [],
      notes: [],
    });
    expect(detect({ files: { 'a.test.js': [TEST, TEST.replace('adds', 'sums')] }, gates: [] })).toMatchObject({
      weakenings: [],
      notes: ['tests that were renamed or replaced: "adds" (a.test.js)'],
    });
  });

  it('are told apart by their blobs: consent to one loss is no consent to another', () => {
    const marks = ['', 'const rest = 1;\n'].map(
      (left) => detect({ files: { 'a.test.js': [TEST, left] }, gates: [] }).weakenings[0]?.mark,
    );
    expect(marks[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(new Set(marks).size).toBe(2);
  });

  it('may go where the contract allows it, but none may be the only one to run', () => {
    const change = { files: { 'a.test.js': [TEST + TEST, TEST.replace('it(', 'it.only(')] }, gates: [] } as const;
    expect(detect(change, true).weakenings.map(({ kind, consent }) => [kind, consent])).toEqual([
      ['tests_lost', 'contract'],
      ['only', undefined],
    ]);
  });

  it('are not counted in a file that cannot be read, and that is said', () => {
    const large: Side = { oid: 'large', unread: 'it is larger than 1 MB' };
    const request = {
      gateFiles: undefined,
      isNamed: () => false,
      allowsTestLoss: false,
      digest,
    };
    const found = detectWeakening({ ...request, files: [{ path: 'a.test.js', before: large, after: large }] });
    expect(found).toMatchObject({ weakenings: [], notes: [expect.stringContaining('larger than 1 MB')] });
  });
});

describe('texts that are made to hold the search up', () => {
  it.each(['a.test.js', 'tests/test_a.py', 'a_test.go', 't/a.sh', 'spec/a_spec.rb', 'src/a.rs', 'tests/ATest.php'])(
    'take no longer in %s than their length demands',
    (path) => {
      const pieces = ['(', "it('a", 'it(`', '\n', '#[test]', '@Test a', 'skip: ', ' ', 'test.a(', 'sh -a '];
      const read = (times: number): void => {
        for (const piece of pieces) kindsOf({ [path]: ['', piece.repeat(times)] }, ['sh t/a.sh']);
        for (const piece of pieces) kindsOf({ 'a.sh': [piece.repeat(times), ''] }, ['sh a.sh']);
      };
      read(100);
      const little = effort(() => read(500), Infinity);
      expectEffortBelow(32 * little, () => read(4000)); // eight times as much; squared, it would be 64
    },
  );
});
