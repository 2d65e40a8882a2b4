import type { TestCounts } from '../../record/gate-bending.ts';
import type { CountedFile, CountedTest } from './read-tests.ts';

/** A loss, before it is bound to blobs. */
export interface Loss {
  readonly kind: 'tests_lost' | 'assertions_lost' | 'skipped' | 'only' | 'cannot_fail';
  readonly what: string;
  readonly files: readonly string[];
}

/** What came of all tests in the files that a change touches. */
export interface Compared {
  readonly losses: readonly Loss[];
  readonly notes: readonly string[];
  readonly before: TestCounts;
  readonly after: TestCounts;
}

/** Compares the tests before and after: each is looked for by its name, by its body, and by what it is about. */
export function compareTests(before: readonly CountedFile[], after: readonly CountedFile[]): Compared {
  const [old, fresh] = [before.flatMap(({ tests }) => tests), after.flatMap(({ tests }) => tests)];
  const { pairs, gone, come } = match(old, fresh);
  const [counted, counts] = [countsOf(before), countsOf(after)];
  const grown = [
    ...come,
    ...pairs.filter(([was, is]) => weight(is) > weight(was) || is.about.size > was.about.size).map(([, is]) => is),
  ];
  const lost = gone.filter((test) => !test.isSkipped && !isCovered(test.about, grown));
  const reworked = gone.filter((test) => !test.isSkipped && !lost.includes(test));
  const hollow = pairs.filter(
    ([was, is]) => !is.isSkipped && assertionsOf(is) < assertionsOf(was) && !isSplit(was, is, come),
  );
  const skipped = pairs.filter(([was, is]) => !was.isSkipped && is.isSkipped).map(([, is]) => is);
  const isOpen = fresh.some(({ rows, isSkipped }) => rows === undefined && !isSkipped);
  const fewer = counted.tests - counts.tests - skipped.length;
  const fewerAssertions = counted.assertions - counts.assertions;
  const losses: Loss[] = [];
  if (lost.length > 0 || (fewer > 0 && !isOpen && gone.length > 0))
    losses.push({
      kind: 'tests_lost',
      what: `tests ${counted.tests} -> ${counts.tests}; gone: ${named(lost.length > 0 ? lost : gone)}`,
      files: filesOf(lost.length > 0 ? lost : gone),
    });
  if (hollow.length > 0 || (fewerAssertions > 0 && !isOpen && lost.length === 0 && skipped.length === 0))
    losses.push({
      kind: 'assertions_lost',
      what: `assertions ${counted.assertions} -> ${counts.assertions}${
        hollow.length === 0
          ? ''
          : `; fewer in: ${hollow
              .slice(0, MOST_NAMED)
              .map(([was, is]) => `"${was.name}" (${was.path}: ${assertionsOf(was)} -> ${assertionsOf(is)})`)
              .join(', ')}${more(hollow.length)}`
      }`,
      files: hollow.length > 0 ? filesOf(hollow.flat()) : poorer(before, after),
    });
  const newSkips = [...skipped, ...come.filter(({ isSkipped }) => isSkipped)];
  if (skipped.length > 0 || (counts.skipped > counted.skipped && counts.tests < counted.tests))
    losses.push({
      kind: 'skipped',
      what: `skipped tests ${counted.skipped} -> ${counts.skipped}: ${named(newSkips)}`,
      files: filesOf(newSkips),
    });
  return {
    losses: [...losses, ...onlys(before, after), ...empties(before, after)],
    notes: reworked.length === 0 ? [] : [`tests that go on under another name or in another shape: ${named(reworked)}`],
    before: counted,
    after: counts,
  };
}

interface Matched {
  readonly pairs: readonly (readonly [was: CountedTest, is: CountedTest])[];
  readonly gone: readonly CountedTest[];
  readonly come: readonly CountedTest[];
}

/** One to one, the surest likeness first: place and name, name and body, body, name, last part of the name. */
function match(old: readonly CountedTest[], fresh: readonly CountedTest[]): Matched {
  const keys: ((test: CountedTest) => string | undefined)[] = [
    ({ path, name }) => `${path}\0${name}`,
    ({ name, body }) => `${name}\0${body}`,
    ({ body }) => (body.length < SHORT_BODY ? undefined : body),
    ({ name }) => name,
    ({ path, name }) => `${path}\0${lastPart(name)}`,
    ({ name }) => lastPart(name),
  ];
  const pairs: (readonly [CountedTest, CountedTest])[] = [];
  let [gone, come] = [old, fresh];
  for (const key of keys) {
    const waiting = Map.groupBy(come.toReversed(), key); // the first is taken first
    const taken = new Set<CountedTest>();
    gone = gone.filter((test) => {
      const was = key(test);
      const is = was === undefined ? undefined : waiting.get(was)?.pop();
      if (is === undefined) return true;
      taken.add(is);
      pairs.push([test, is]);
      return false;
    });
    come = come.filter((test) => !taken.has(test));
  }
  return { pairs, gone, come };
}

const lastPart = (name: string): string => name.slice(name.lastIndexOf(' > ') + 1).trim();

/** Most of what a test was about is now in tests that came or grew: it was put into another shape, not dropped. */
function isCovered(about: ReadonlySet<string>, grown: readonly CountedTest[]): boolean {
  if (about.size === 0) return false;
  return grown
    .slice(0, MOST_COMPARED)
    .some((test) => !test.isSkipped && test.assertions > 0 && share(about, test.about) >= MOST_OF_IT);
}

/** A test that gave some of its assertions to another one. */
function isSplit(was: CountedTest, is: CountedTest, come: readonly CountedTest[]): boolean {
  const missing = new Set([...was.about].filter((word) => !is.about.has(word)));
  if (missing.size === 0)
    return come.some((test) => share(was.about, test.about) >= MUCH_OF_IT && !test.isSkipped && test.assertions > 0);
  return isCovered(missing, come);
}

function share(wanted: ReadonlySet<string>, there: ReadonlySet<string>): number {
  let common = 0;
  for (const word of wanted) if (there.has(word)) common += 1;
  return common / wanted.size;
}

const assertionsOf = ({ assertions, rows }: CountedTest): number => assertions * (rows ?? 1);
const weight = (test: CountedTest): number => (test.isSkipped ? 0 : (test.rows ?? 2) + assertionsOf(test));

function countsOf(files: readonly CountedFile[]): TestCounts {
  const counts = { tests: 0, assertions: 0, skipped: 0 };
  for (const { tests, loose } of files) {
    counts.assertions += loose;
    for (const test of tests) {
      if (test.isSkipped) counts.skipped += test.rows ?? 1;
      else {
        counts.tests += test.rows ?? 1;
        counts.assertions += assertionsOf(test);
      }
    }
  }
  return counts;
}

function onlys(before: readonly CountedFile[], after: readonly CountedFile[]): readonly Loss[] {
  const files = withMore(before, after, ({ only }) => only);
  if (files.length === 0) return [];
  return [
    {
      kind: 'only',
      what: `the runner is told to leave out all tests but a few: ${files.map(({ path }) => path).join(', ')}`,
      files: files.map(({ path }) => path),
    },
  ];
}

function empties(before: readonly CountedFile[], after: readonly CountedFile[]): readonly Loss[] {
  const files = withMore(before, after, ({ empty, shrugs }) => empty.length + shrugs);
  if (files.length === 0) return [];
  const places = files.flatMap(({ path, empty, shrugs }) => [
    ...empty.map(({ line, text }) => `${path}:${line} ${text}`),
    ...(shrugs > 0 ? [`${path}: ends well whatever happens (|| true, exit 0, set +e)`] : []),
  ]);
  return [
    {
      kind: 'cannot_fail',
      what: `checks that cannot fail: ${places.slice(0, MOST_NAMED).join('; ')}${more(places.length)}`,
      files: files.map(({ path }) => path),
    },
  ];
}

/** The files that hold more of something than before; none where all of them together hold no more of it. */
function withMore(
  before: readonly CountedFile[],
  after: readonly CountedFile[],
  count: (file: CountedFile) => number,
): readonly CountedFile[] {
  const old = new Map(before.map((file) => [file.path, count(file)]));
  const sum = (files: readonly CountedFile[]): number => files.reduce((all, file) => all + count(file), 0);
  return sum(after) > sum(before) ? after.filter((file) => count(file) > (old.get(file.path) ?? 0)) : [];
}

/** The files in which fewer assertions stand than before. */
function poorer(before: readonly CountedFile[], after: readonly CountedFile[]): readonly string[] {
  const now = new Map(after.map((file) => [file.path, countsOf([file]).assertions]));
  return before.filter((file) => countsOf([file]).assertions > (now.get(file.path) ?? 0)).map(({ path }) => path);
}

const named = (tests: readonly CountedTest[]): string =>
  `${tests
    .slice(0, MOST_NAMED)
    .map(({ name, path }) => `"${name}" (${path})`)
    .join(', ')}${more(tests.length)}`;
const more = (count: number): string => (count > MOST_NAMED ? ` and ${count - MOST_NAMED} more` : '');
const filesOf = (tests: readonly CountedTest[]): readonly string[] => [...new Set(tests.map(({ path }) => path))];

const MOST_NAMED = 8;
/** With so many tests that came or grew a test that is gone is compared. */
const MOST_COMPARED = 2000;
/** A body as short as this is alike by chance. */
const SHORT_BODY = 12;
/** The share of its own words by which a test is known again in another shape. */
const MOST_OF_IT = 0.6;
/** The share by which one test is known to have come out of another that goes on. */
const MUCH_OF_IT = 0.4;
