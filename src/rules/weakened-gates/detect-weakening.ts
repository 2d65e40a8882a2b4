import { listNames } from '../../base/list-names.ts';
import type { Weakening, WeakeningReport } from '../model/weakening.ts';
import { type ChangedText, compareTests, type ComparedTests } from './count-tests.ts';
import { type GateFiles, keysOf, scriptsOf } from './gate-files.ts';
import { isCheckFile, isRunnerConfiguration, checkPart, plainLines } from './check-files.ts';
import { isSnapshot, isTestPath } from './test-paths.ts';
import type { BothSides, ChangedFile } from '../../base/changed-file.ts';

/** What tells a checker to be silent, a row a kind: of types, linters, formatters, coverage, and by language. */
const SILENCERS: readonly RegExp[] = [
  /@ts-(?:ignore|nocheck|expect-error)\b/g,
  /\bas (?:any|unknown as|never)\b|<any>|:\s*any\b/g,
  /\b(?:\w{0,30}lint|jshint|checkstyle|biome)(?:-|: ?| )(?:disable|ignore|off|skip)\S*/gi,
  /\bnosemgrep\b|\b(?:gitleaks|trufflehog):(?:allow|ignore)|\$Flow(?:FixMe|Ignore|ExpectError)|\bnoinspection\b/g,
  /\b(?:prettier|rustfmt|fmt|dprint)(?:-|: ?|::)(?:ignore|off|skip)\b/g,
  /\b(?:istanbul|c8|v8|node:coverage)\b[ :](?:ignore|disable)|pragma: no cover|:nocov:/g,
  /#\s*(?:noqa|type:\s*ignore|mypy:|ruff:\s*noqa|nosec|pyright:\s*ignore)/g,
  /\bNOLINT\w*|\/\/\s*nolint\b|#pragma (?:GCC|clang) diagnostic ignored|#pragma warning\s*\(?\s*disable/g,
  /#!?\[(?:allow|cfg_attr\([^)]*allow)\(/g,
  /@SuppressWarnings\b|@SuppressFBWarnings\b|@Suppress\(|NOSONAR|SuppressMessage\(/g,
  /rubocop:disable|@phpstan-ignore|@psalm-suppress|phpcs:(?:ignore|disable)|shellcheck disable/g,
];

/** One side of a changed file: absent, a text, or the reason why it could not be read (too large, no text, a link). */
export type Side = { readonly oid: string } & ({ readonly text: string } | { readonly unread: string });

export type ChangedSides = BothSides<Side>;

/** A change, and what it is compared with. */
interface WeakeningRequest {
  readonly files: readonly ChangedSides[];
  /** Undefined where there are no gates. */
  readonly gateFiles: GateFiles | undefined;
  /** The contract names exactly this file. */
  readonly isNamed: (path: string) => boolean;
  readonly allowsTestLoss: boolean;
  readonly digest: (text: string) => string;
}

/**
 * Finds gates that a change redefines, tests that it removes, skips or focuses, and checkers that it silences. Pure, in
 * time linear in the texts. Counts are facts for reviewers; whether a change breaks something is shown by running.
 */
export function detectWeakening(request: WeakeningRequest): Omit<WeakeningReport, 'tree'> {
  const { gateFiles, digest, isNamed, allowsTestLoss } = request;
  const oids = new Map(
    request.files.map(({ path, before, after }) => [path, `${before?.oid ?? ''}-${after?.oid ?? ''}`]),
  );
  const files = request.files.map(toChangedText);
  const weakenings: Weakening[] = [];
  const notes: string[] = [];
  const redefined = gateFiles === undefined ? [] : files.map((file) => findRedefinedGates(file, gateFiles));
  for (const { path, what, isNew } of redefined.flat())
    if (isNew) notes.push(`a gate is defined that did not exist before: ${what}`);
    else
      weakenings.push({
        kind: 'gate_changed',
        what: what.slice(0, LONGEST_FACT),
        files: [path],
        mark: digest(`gate_changed\n${what}`),
        ...(isNamed(path) && { consent: 'contract' as const }),
      });
  const compared = compareTests(files);
  for (const { kind, what, paths } of lossesOf(compared))
    weakenings.push({
      kind,
      what: what.slice(0, LONGEST_FACT),
      files: [...paths],
      mark: digest([kind, ...paths.toSorted().map((path) => `${path} ${oids.get(path) ?? ''}`)].join('\n')),
      ...(allowsTestLoss && kind !== 'only' && { consent: 'contract' as const }),
    });
  if (compared.gone.length > 0 && compared.after.tests >= compared.before.tests)
    notes.push(`tests that were renamed or replaced: ${describeTests(compared.gone)}`);
  for (const { path, before, after } of request.files) {
    const unread = [before, after].find((side) => side !== undefined && 'unread' in side);
    if (unread !== undefined && 'unread' in unread && isTestPath(path))
      notes.push(`${path}: its tests are not counted: ${unread.unread}`);
  }
  const silent = files
    .map(({ path, before }) => ({ path, isNew: before === undefined }))
    .filter((file) => isCheckFile(file, gateFiles) && !isTestPath(file.path) && !isSnapshot(file.path))
    .filter(({ path }) => !LOCK.test(path) && redefined.flat().every((one) => one.path !== path));
  if (gateFiles !== undefined && silent.length > 0)
    notes.push(`files that decide how gates run are changed: ${silent.map(({ path }) => path).join(', ')}`);
  notes.push(...findSilencedCheckers(files));
  return {
    weakenings,
    notes: notes.map((note) => note.slice(0, LONGEST_FACT)).slice(0, MOST_NOTES),
    before: compared.before,
    after: compared.after,
  };
}

/** What pins dependencies changes with each of them. */
const LOCK = /lock|shrinkwrap|requirements/;

const LONGEST_FACT = 1500;

const MOST_NOTES = 20;

const MOST_NAMED = 8;

const toChangedText = ({ path, before, after }: ChangedSides): ChangedText => ({
  path,
  before: textOf(before),
  after: textOf(after),
});

/** A side that cannot be read differs from every text. */
const textOf = (side: Side | undefined): string | undefined =>
  side === undefined ? undefined : 'text' in side ? side.text : '\0';

interface Loss {
  readonly kind: 'tests_lost' | 'skipped' | 'only';
  readonly what: string;
  readonly paths: readonly string[];
}

function lossesOf({ before, after, gone, skipping, focusing, deletedFiles }: ComparedTests): readonly Loss[] {
  const losses: Loss[] = [];
  if (after.tests < before.tests)
    losses.push({
      kind: 'tests_lost',
      what: `tests ${before.tests} -> ${after.tests}; gone: ${describeTests(gone)}`,
      paths: [...new Set(gone.map(({ path }) => path))],
    });
  if (deletedFiles.length > 0)
    losses.push({ kind: 'tests_lost', what: `test files deleted: ${deletedFiles.join(', ')}`, paths: deletedFiles });
  if (after.skipped > before.skipped)
    losses.push({
      kind: 'skipped',
      what: `skipped tests ${before.skipped} -> ${after.skipped}: ${skipping.join(', ')}`,
      paths: skipping,
    });
  if (focusing.length > 0)
    losses.push({
      kind: 'only',
      what: `the runner leaves out all tests but a few: ${focusing.join(', ')}`,
      paths: focusing,
    });
  return losses;
}

const describeTests = (tests: ComparedTests['gone']): string =>
  listNames(
    tests.map(({ name, path }) => `"${name}" (${path})`),
    MOST_NAMED,
  );

/** Describes each kind of silencing mark that has become more frequent. It is a fact for reviewers, and no loss by itself. */
export function findSilencedCheckers(files: readonly ChangedText[]): readonly string[] {
  return SILENCERS.flatMap((mark) => {
    const more = files.flatMap(({ path, before, after }) => {
      const [was, is] = [before, after].map((text) => [...(text ?? '').matchAll(mark)].map(([written]) => written));
      return was !== undefined && is !== undefined && is.length > was.length
        ? [`${path} (${is.at(-1)}, ${was.length} -> ${is.length})`]
        : [];
    });
    return more.length === 0 ? [] : [`a checker is silenced in more places: ${more.slice(0, 8).join(', ')}`];
  });
}

/** Describes changed file modes, one sentence a file: no line of a diff shows them. */
export const kindsInWords = (files: readonly ChangedFile[]): readonly string[] =>
  files.flatMap(({ path, status, oldMode, newMode }) => {
    if (status === 'deleted' || oldMode === newMode) return [];
    const [was, is] = [KINDS[oldMode], KINDS[newMode]];
    if (is !== undefined) return [status === 'added' ? `${path} is new, and is ${is}` : `${path} becomes ${is}`];
    return was === undefined ? [] : [`${path} is not ${was} any more`];
  });

/** What git can keep beside plain files, by its modes. */
const KINDS: Readonly<Record<string, string>> = {
  '100755': 'executable',
  '120000': 'a link',
  '160000': 'a submodule',
};

/** A change of a gate's definition; with `isNew`, the definition did not exist before. */
interface RedefinedGate {
  readonly path: string;
  readonly what: string;
  readonly isNew: boolean;
}

/**
 * Compares a script that gates run, or the configuration of a runner of tests. Running the gates shows what a change
 * breaks today; that a gate is as strong tomorrow only its definition shows.
 */
function findRedefinedGates(file: ChangedText, { definitions, scripts }: GateFiles): readonly RedefinedGate[] {
  const { path, before, after } = file;
  if (/(?:^|\/)package\.json$/.test(path)) return findInPackage(file, scripts);
  if (!definitions.has(path) && !isRunnerConfiguration(path)) return [];
  const redefined = (what: string, isNew = false): readonly RedefinedGate[] => [
    { path, what: `${path}: ${what}`, isNew },
  ];
  const [was, is] = [decidingText(path, before ?? ''), decidingText(path, after ?? '')];
  // Where line ends mean nothing, a formatter may move them.
  const joint = /\.[cm]?[jt]sx?$/.test(path) ? ' ' : '\n';
  if (was.replaceAll('\n', joint) === is.replaceAll('\n', joint)) return [];
  if (after === undefined) return redefined('deleted');
  if (before === undefined) return redefined('added', true);
  return redefined(describeDifference(was, is));
}

/** Keys of package.json that configure a runner of tests. */
const RUNNER_KEYS = ['jest', 'vitest', 'mocha', 'ava', 'nyc', 'c8', 'tap', 'jasmine', 'cypress', 'karma'];

function findInPackage({ path, before, after }: ChangedText, scripts: ReadonlySet<string>): readonly RedefinedGate[] {
  const [was, is] = [scriptsOf(before), scriptsOf(after)];
  const found: RedefinedGate[] = [];
  for (const name of scripts) {
    const [old, now] = [was[name], is[name]];
    if (old === now) continue;
    const hooked = /^(?:pre|post)(.+)$/.exec(name)?.[1];
    const isNew = old === undefined && (hooked === undefined || was[hooked] === undefined);
    const what = `${path}: script "${name}": ${old === undefined ? 'none' : JSON.stringify(old)} -> ${now === undefined ? 'none' : JSON.stringify(now)}`;
    found.push({ path, what, isNew });
  }
  const [old, now] = [keysOf(before), keysOf(after)];
  for (const key of before === undefined ? [] : RUNNER_KEYS) {
    const [one, other] = [JSON.stringify(old[key]) ?? '', JSON.stringify(now[key]) ?? ''];
    if (one !== other) found.push({ path, what: `${path}: "${key}": ${describeDifference(one, other)}`, isNew: false });
  }
  return found;
}

/** The part of a manifest that checks; of another file its lines without comments, indentation and signs that formatters add. */
function decidingText(path: string, text: string): string {
  const part = checkPart(path, text);
  if (part !== undefined) return part;
  if (/\.jsonc?$/.test(path)) return text.replace(/\s+/g, '');
  return plainLines(text)
    .map((line) => line.trim().replace(/[;,]$/, ''))
    .filter((line) => !/^(?:\/\/|\/\*|\*(?:\s|\/|$))/.test(line))
    .join('\n');
}

/** The first lines that differ, each cut to a readable length. For an insertion, the old line is the one that now follows it, or empty at the end. */
function describeDifference(was: string, is: string): string {
  const [old, now] = [was.split('\n'), is.split('\n')];
  const at = now.findIndex((line, place) => line !== old[place]);
  const [one = '', other = ''] = at === -1 ? [old[now.length], ''] : [old[at], now[at]];
  let from = 0;
  while (from < one.length && one[from] === other[from]) from += 1;
  const begin = Math.max(0, from - 40);
  return `${JSON.stringify(one.slice(begin, begin + 120))} -> ${JSON.stringify(other.slice(begin, begin + 120))}`;
}
