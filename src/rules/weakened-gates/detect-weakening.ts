import { listNames } from '../../base/list-names.ts';
import type { Weakening, WeakeningReport } from '../model/weakening.ts';
import { type ChangedText, compareTests, type ComparedTests } from './count-tests.ts';
import type { GateFiles } from './gate-files.ts';
import { isCheckFile } from './check-files.ts';
import { findRedefinedGates } from './redefined-gates.ts';
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
