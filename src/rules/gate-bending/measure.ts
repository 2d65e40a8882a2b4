import type { Bend, GateBending } from '../../record/gate-bending.ts';
import type { Code } from './code.ts';
import { compareTests } from './compare-tests.ts';
import { redefined } from './definitions.ts';
import type { ChangedText } from './definitions.ts';
import { codeOf, countTests, helpersIn } from './read-tests.ts';
import type { CountedFile, Helpers } from './read-tests.ts';
import type { Reach } from './reach.ts';
import { silenced } from './silenced.ts';
import { rewritten } from './snapshots.ts';
import { languageOf } from './syntax.ts';
import type { Language } from './syntax.ts';
import { isCodePath, isMarked, isSnapshot, isTestPath } from './test-paths.ts';

/** One side of a changed file: not there, a text, or why it could not be read (too large, no text, a link). */
export type Side = { readonly oid: string } & ({ readonly text: string } | { readonly unread: string });

/** A changed file, as git has it before and after. */
export interface ChangedSides {
  readonly path: string;
  readonly before: Side | undefined;
  readonly after: Side | undefined;
}

/** What a change is measured against. */
export interface Measure {
  readonly files: readonly ChangedSides[];
  /** Whether tests lie in a folder of the base, which is empty or ends in `/`. */
  readonly hadTests: (folder: string) => boolean;
  /** What the gates lead to; undefined where there are none. */
  readonly reach: Reach | undefined;
  /** The contract names exactly this file. */
  readonly isNamed: (path: string) => boolean;
  readonly allowsTestLoss: boolean;
  readonly digest: (text: string) => string;
}

/** Measures what a change does to its gates and tests: pure, in time linear in what it reads. */
export function measureBending(measure: Measure): Omit<GateBending, 'tree'> {
  const { files, hadTests, reach, digest } = measure;
  const bends: Bend[] = [];
  const notes: string[] = [];
  const oids = new Map(files.map(({ path, before, after }) => [path, `${before?.oid ?? ''}-${after?.oid ?? ''}`]));
  const add = (kind: Bend['kind'], what: string, of: readonly string[], isAllowed: boolean, facts?: string): void => {
    const bound =
      facts ??
      [...of]
        .toSorted()
        .map((path) => `${path} ${oids.get(path) ?? ''}`)
        .join('\n');
    bends.push({
      kind,
      what: what.slice(0, LONGEST_FACT),
      files: [...of],
      mark: digest(`${kind}\n${bound}`),
      ...(isAllowed ? { consent: 'contract' as const } : {}),
    });
  };
  for (const file of files)
    for (const { path, what, isNew } of reach === undefined ? [] : redefined(asText(file), reach, hadTests)) {
      if (isNew) notes.push(`what a gate runs was not there before: ${what}`.slice(0, LONGEST_FACT));
      else add('gate_changed', what, [path], measure.isNamed(path), what);
    }
  const { counted, unknown } = countBoth(files);
  for (const { path, why, wasKnown } of unknown) {
    if (wasKnown)
      add(
        'uncountable',
        `${path}: its tests were counted before and cannot be any more: ${why}`,
        [path],
        measure.allowsTestLoss,
      );
    else notes.push(`${path}: how many tests it has is unknown: ${why}`);
  }
  const compared = compareTests(counted.before, counted.after);
  for (const { kind, what, files: of } of compared.losses)
    add(kind, what, of, measure.allowsTestLoss && kind !== 'cannot_fail' && kind !== 'only');
  notes.push(...compared.notes.map((note) => note.slice(0, LONGEST_FACT)));
  notes.push(...silenced(files.map(asText)));
  const snapshots = rewritten(files.filter(({ path }) => isSnapshot(path)).map(asText));
  if (snapshots.length > 0)
    add(
      'snapshots_rewritten',
      `stored results rewritten or gone: ${snapshots
        .slice(0, 8)
        .map(({ path, entries }) => `${path} (${entries})`)
        .join(', ')}`,
      snapshots.map(({ path }) => path),
      measure.allowsTestLoss,
    );
  return { bends, notes: notes.slice(0, MOST_NOTES), before: compared.before, after: compared.after };
}

const LONGEST_FACT = 1500;
const MOST_NOTES = 20;

const textOf = (side: Side | undefined): string | undefined =>
  side === undefined ? undefined : 'text' in side ? side.text : '\0';

const asText = ({ path, before, after }: ChangedSides): ChangedText => ({
  path,
  before: textOf(before),
  after: textOf(after),
});

interface Unknown {
  readonly path: string;
  readonly why: string;
  readonly wasKnown: boolean;
}

/** Counts both sides; a helper that one changed file defines is known in all of them. */
function countBoth(files: readonly ChangedSides[]): {
  readonly counted: { readonly before: readonly CountedFile[]; readonly after: readonly CountedFile[] };
  readonly unknown: readonly Unknown[];
} {
  const unknown: Unknown[] = [];
  const sides = { before: new Map<string, Code>(), after: new Map<string, Code>() };
  const hadUnmarked = files.some(
    ({ path, before }) => before !== undefined && !isMarked(path) && isTestPath(path) && isCodePath(path),
  );
  for (const file of files) {
    const { path } = file;
    const language = languageOf(path);
    if (isSnapshot(path) || !isCodePath(path)) continue;
    if (language === undefined) {
      if (isTestPath(path) && file.before !== undefined)
        unknown.push(
          file.after === undefined
            ? { path, why: 'it was deleted', wasKnown: true }
            : { path, why: 'tests of its language are not counted', wasKnown: false },
        );
      continue;
    }
    for (const when of ['before', 'after'] as const) {
      const side = file[when];
      if (side === undefined) continue;
      if ('unread' in side) {
        if (!isTestPath(path)) continue;
        const wasKnown = when === 'after' && file.before !== undefined && 'text' in file.before;
        if (when === 'after' || file.after === undefined)
          unknown.push({ path, why: side.unread, wasKnown: wasKnown || file.after === undefined });
        continue;
      }
      // A file that runners found by its name and do not find any more holds no tests for them.
      if (
        when === 'after' &&
        file.before === undefined &&
        language === 'script' &&
        !isMarked(path) &&
        !hadUnmarked &&
        files.some((one) => one.after === undefined && isMarked(one.path))
      )
        continue;
      if (mayHoldTests(path, side.text, language)) sides[when].set(path, codeOf(side.text, language));
    }
  }
  const count = (codes: ReadonlyMap<string, Code>): readonly CountedFile[] => {
    const helpers: Helpers = new Map([...codes.values()].flatMap((code) => [...helpersIn(code)]));
    return [...codes].flatMap(([path, code]) => {
      const one = countTests(path, code, helpers);
      if (one === undefined) {
        unknown.push({
          path,
          why: 'its tests lie too deep within each other',
          wasKnown: codes === sides.after && sides.before.has(path),
        });
        return [];
      }
      return one.tests.length > 0 || isTestPath(path) ? [one] : [];
    });
  };
  return { counted: { before: count(sides.before), after: count(sides.after) }, unknown };
}

/** Files outside of test folders are looked into only where their language keeps tests beside the code. */
const mayHoldTests = (path: string, text: string, language: Language): boolean =>
  isTestPath(path) || BESIDE_CODE[language]?.test(text) === true;

/** What shows that a file outside of test folders may hold tests; a language without such a sign keeps none there. */
const BESIDE_CODE: Readonly<Record<Language, RegExp | undefined>> = {
  rust: /test/,
  script:
    /["'](?:vitest|node:test|bun:test|@jest\/globals|ava|tape|tap|uvu|@playwright\/test|mocha|test)["']|import\.meta\.vitest/,
  python: /\b(?:unittest|pytest)\b|^\s*def test_/m,
  shell: undefined,
  go: undefined,
  java: /@\w*Test\b|extends TestCase/,
  kotlin: /@\w*Test\b/,
  csharp: /\[(?:Fact|Test|Theory|TestMethod|TestCase)\b/,
  swift: /XCTestCase|@Test\b/,
  cpp: /\b(?:TEST|TEST_F|TEST_P|TEST_CASE|BOOST_AUTO_TEST_CASE)\s*\(/,
  php: /extends \w*TestCase|#\[Test\]/,
  ruby: /RSpec|Minitest|Test::Unit/,
};
