import type { TestCounts } from '../model/weakening.ts';
import type { BothSides } from '../../base/changed-file.ts';
import { isCodePath, isTestPath } from './test-paths.ts';

/** The tests of the changed files, by their names and marks; their code is not read, because running it decides. */
export type ComparedTests = ReturnType<typeof compareTests>;

/** Compares the tests of all changed files together, so that a test may move between files. */
export function compareTests(files: readonly ChangedText[]) {
  const sides = files.map(({ path, before, after }) => ({
    path,
    was: marksIn(path, before),
    is: marksIn(path, after),
  }));
  const left = new Map<string, number>();
  for (const { is } of sides) for (const name of is.names) left.set(name, (left.get(name) ?? 0) + 1);
  const gone = sides.flatMap(({ path, was }) =>
    was.names.flatMap((name) => {
      const count = left.get(name) ?? 0;
      left.set(name, count - 1);
      return count > 0 ? [] : [{ path, name }];
    }),
  );
  const counts = (side: 'was' | 'is'): TestCounts => ({
    tests: sides.reduce((sum, one) => sum + one[side].names.length, 0),
    skipped: sides.reduce((sum, one) => sum + one[side].skips, 0),
  });
  return {
    before: counts('was'),
    after: counts('is'),
    /** Tests without a test of the same name afterwards. */
    gone,
    /** Files with more skip marks than before, and with more marks by which a runner leaves out all other tests. */
    skipping: sides.filter(({ was, is }) => is.skips > was.skips).map(({ path }) => path),
    focusing: sides.filter(({ was, is }) => is.focuses > was.focuses).map(({ path }) => path),
    /** Deleted test files whose tests have no names to count. */
    deletedFiles: deletedTestFiles(files),
  };
}

/** Deleted files whose tests cannot be counted by name; as many new test files may be the same ones under other names. */
function deletedTestFiles(files: readonly ChangedText[]): readonly string[] {
  const isTest = ({ path }: ChangedText): boolean => isTestPath(path) && isCodePath(path);
  const deleted = files.filter(
    (file) => isTest(file) && file.after === undefined && marksIn(file.path, file.before).names.length === 0,
  );
  const added = files.filter((file) => isTest(file) && file.before === undefined);
  return deleted.length > added.length ? deleted.map(({ path }) => path) : [];
}

interface Marks {
  readonly names: readonly string[];
  readonly skips: number;
  readonly focuses: number;
}

function marksIn(path: string, text: string | undefined): Marks {
  const language = LANGUAGES.find(({ files }) => files.test(path));
  if (text === undefined || language === undefined || !(isTestPath(path) || language.isBesideCode))
    return { names: [], skips: 0, focuses: 0 };
  // Strings stay: what begins a comment may be in one.
  const code = text.replaceAll(language.comments, (written) => (/^(?:"(?!"")|'(?!'')|`)/.test(written) ? written : ''));
  const names = [...code.matchAll(language.test)].map(
    (match) => match.slice(1).find((part) => part !== undefined) ?? '',
  );
  const countOf = (mark: RegExp | undefined): number => (mark === undefined ? 0 : [...code.matchAll(mark)].length);
  return { names, skips: countOf(language.skip), focuses: countOf(language.focus) };
}

/** How a language names a test, and marks one that is skipped or the only one to run. */
interface Language {
  readonly files: RegExp;
  /** Its comments, and its strings. */
  readonly comments: RegExp;
  readonly test: RegExp;
  readonly skip: RegExp;
  readonly focus?: RegExp;
  /** Tests are kept in files of the product as well. */
  readonly isBesideCode?: true;
}

const STRINGS = String.raw`"(?:[^"\\\n]|\\.){0,2000}"|'(?:[^'\\\n]|\\.){0,2000}'|\`(?:[^\`\\]|\\[^])*(?:\`|(?![^]))`;
/** Not the end of a regular expression (`/src\/*$/`). In `/[/*]/` it is taken for a comment: a false alarm, never a missed one. */
const BLOCK = String.raw`(?<!\\)/\*[^]*?(?:\*/|(?![^]))`;
const C_COMMENTS = new RegExp(String.raw`(?<!\\)//.*$|${BLOCK}|${STRINGS}`, 'gm');
const GO_COMMENTS = new RegExp(String.raw`(?<!\\)//(?!go:build|[ \t]*\+build).*$|${BLOCK}|${STRINGS}`, 'gm');
const PYTHON_COMMENTS = new RegExp(
  String.raw`#.*$|"""[^]*?(?:"""|(?![^]))|'''[^]*?(?:'''|(?![^]))|"(?:[^"\\\n]|\\.){0,2000}"|'(?:[^'\\\n]|\\.){0,2000}'`,
  'gm',
);
const RUBY_COMMENTS = /^[ \t]*#.*$|^=begin\b[^]*?(?:^=end\b.*$|(?![^]))/gm;
/** What a JavaScript runner calls, with what it is marked by on the way (`test.describe`). */
const runner = (others = ''): string =>
  String.raw`(?<![\w.$])(?:(?:it|test|describe|context|suite|specify|Deno\.test|QUnit)(?:\.\w{1,20}){0,3}?${others})`;

const LANGUAGES: readonly Language[] = [
  {
    files: /\.[cm]?[jt]sx?$/,
    comments: C_COMMENTS,
    test: /(?<![\w.])[xf]?(?:it|test|specify)(?:\.(?!describe)\w+(?:\([^()\n]{0,200}\))?){0,3}\s*\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|`([^`]{0,300})`)/g,
    skip: new RegExp(
      String.raw`(?<![\w.])x(?:it|test|describe|context|specify)\b|${runner('|t|this|ctx')}\.(?:(?:skip|todo|fixme|failing|fails|ignore)\b|skipIf\(\s*(?:true|1)\s*\)|runIf\(\s*(?:false|0)\s*\))|(?<![\w.])pending\(\)|\b(?:skip|todo):(?!\s*false)|\bignore:\s*true\b|\bif\s*\(\s*(?:false|0)\s*\)`,
      'g',
    ),
    focus: new RegExp(String.raw`(?<![\w.])f(?:it|test|describe|context)\s*\(|${runner()}\.only\b|\bonly:\s*true`, 'g'),
  },
  {
    files: /\.py$/,
    comments: PYTHON_COMMENTS,
    test: /^[ \t]*(?:async )?def (test\w*)/gm,
    skip: /@(?:\w+\.)*(?:skip\w*|xfail|expectedFailure)\b|\bpytest\.skip\(|\.skipTest\(|\bpytestmark\b.*skip|\bimportorskip\(|\b__test__\s*=\s*False\b|^[ \t]*if (?:False|0)\s*:/gm,
  },
  {
    files: /_test\.go$/,
    comments: GO_COMMENTS,
    test: /^func ((?:Test|Example|Fuzz)\w*)\(|\bt\.Run\("([^"\n]*)"/gm,
    skip: /\bt\.Skip(?:f|Now)?\(|^\/\/[ \t]*(?:go:build|\+build)[ \t]+(?:ignore|never|none|false|disabled?)\b|\bif false\b/gm,
  },
  {
    files: /\.rs$/,
    comments: C_COMMENTS,
    test: /#\[(?:\w+::)?test\b[^\]]{0,80}\]\s{0,80}(?:#\[[^\]]{0,200}\]\s{0,80}){0,5}(?:pub )?(?:async )?fn (\w+)/g,
    skip: /#\[ignore\b|#!?\[cfg\(\s*(?:any\(\s*\)|not\(\s*all\(\s*\)\s*\)|false)\s*\)\]/g,
    isBesideCode: true,
  },
  {
    files: /\.(?:java|kt|cs|swift|php)$/,
    comments: C_COMMENTS,
    test: /(?:@\w*Test\w*\b|\[(?:Fact|Theory|Test\w*)\b|#\[Test\])[^{;]{0,400}?\b(\w+)\s*\(\s*[^()]{0,200}\)\s*(?:throws [\w.,\s]{1,200}|:\s*\w+\s*)?\{|\bfunc(?:tion)? (test\w*)\(/g,
    skip: /@(?:Disabled|Ignore)\b|\bSkip\s*=|\[Ignore\b|\bXCTSkip\b|->markTest(?:Skipped|Incomplete)\(|\bif\s*\(\s*false\s*\)/g,
  },
  {
    files: /\.rb$/,
    comments: RUBY_COMMENTS,
    test: /^[ \t]*(?:it|specify|test|scenario)\s*\(?\s*["']([^"'\n]*)["']|^[ \t]*def (test_\w+)/gm,
    skip: /^[ \t]*(?:x(?:it|describe|context|specify)|skip|pending|if false)\b/gm,
    focus: /^[ \t]*f(?:it|describe|context)\b|\bfocus: true/gm,
  },
  {
    files: /\.bats$/,
    comments: /^[ \t]*#.*$/gm,
    test: /^@test "([^"\n]*)"/gm,
    skip: /^[ \t]*skip\b/gm,
  },
];

export type ChangedText = BothSides<string>;
