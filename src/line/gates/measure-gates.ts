import { matchesGlobs } from '../../base/path-globs.ts';
import type { Change, GateRun } from '../record/change.ts';
import { getTouchedPaths } from '../../base/changed-file.ts';
import {
  describeWeakeningReport,
  unallowed,
  type Weakening,
  type WeakeningReport,
} from '../../rules/model/weakening.ts';
import type { Facts } from '../record/facts.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { getScope } from '../core/grants.ts';
import { findFewerTestsRun } from '../core/find-fewer-tests-run.ts';
import {
  kindsInWords,
  detectWeakening,
  type ChangedSides,
  type Side,
} from '../../rules/weakened-gates/detect-weakening.ts';
import { findGateFiles, type GateFiles } from '../../rules/weakened-gates/gate-files.ts';
import { checkPart, isRunnerConfiguration } from '../../rules/weakened-gates/check-files.ts';
import { isTestPath } from '../../rules/weakened-gates/test-paths.ts';
import type { TreeFile } from '../../project/git/repository-facts.ts';
import { createGateJob } from './run-gates.ts';
import type { StepOutcome } from '../journal/step-journal.ts';
import { indexTree } from '../git/tree-index.ts';
import type { Needs } from '../services/services.ts';

/** Larger files are not counted. */
const MOST_BYTES = 1_000_000;
/** The most bytes of a change that are read; the rest is reported as unknown. */
const MOST_OF_A_CHANGE = 20_000_000;
/** Most rounds of following scripts to scripts. */
const ROUNDS = 6;
/** Configurations of one project that are read for what they lead to. */
const MOST_CONFIGURATIONS = 200;
/** Most notes in a report. */
const MOST_NOTES = 20;

type Files = ReturnType<typeof indexTree>['byPath'];

/** Measures what decides about a change before it decides. */
export async function measureGates(
  services: Needs<'digest' | 'repository' | 'settings'>,
  record: TaskRecord,
  change: Change,
) {
  const { constraints } = record.contract;
  const named = listNamedPaths(record);
  const measured = detectWeakening({
    files: await sidesOf(services, change),
    gateFiles: await gateFilesOnBase(services, record, change.base),
    isNamed: (path) => named.has(path),
    allowsTestLoss: constraints.allowTestLoss === true,
    digest: (text) => services.digest(text),
  });
  const { settings } = services;
  const mayDecide = settings.secondLook === 'on' && settings.gates.length > 0;
  const isCounted = ({ kind }: Weakening): boolean => mayDecide && COUNTED_KINDS.has(kind);
  const mayChange = (path: string): boolean => matchesGlobs(path, constraints.allowTestChanges ?? []);
  const allowed = measured.weakenings.map((one) =>
    isCounted(one) && one.files.every(mayChange) ? { ...one, consent: one.consent ?? ('contract' as const) } : one,
  );
  const all = await withConsent(services, record, change, allowed);
  const notes = [...kindsInWords(change.files), ...measured.notes].slice(0, MOST_NOTES);
  const weakenings = all.filter((one) => !isCounted(one));
  return {
    report: { tree: change.tree, ...measured, notes, weakenings },
    /** Losses counted by reading tests: only notes once the base's tests decide, weakenings otherwise. */
    counted: all.filter(isCounted),
  };
}

/** Adds counted losses as notes: the base's tests ran on the changed product, and a count proves nothing beside that. */
export const withCountedNotes = (report: WeakeningReport, counted: readonly Weakening[]): WeakeningReport => ({
  ...report,
  notes: [...counted.map(({ what }) => what), ...report.notes].slice(0, MOST_NOTES),
});

/** Kinds that are only notes where the base's tests ran on the changed product. */
export const COUNTED_KINDS: ReadonlySet<Weakening['kind']> = new Set(['tests_lost', 'skipped', 'only'] as const);

/** Measures the gates that ran by what they ran: one that ran fewer tests than on the base decided less. */
export async function measureRuns(
  services: Needs<'digest' | 'repository'>,
  record: TaskRecord,
  change: Change,
  report: WeakeningReport,
  { results }: GateRun,
): Promise<WeakeningReport> {
  const fewer = findFewerTestsRun({
    results,
    weakeningReport: report,
    paths: change.files.flatMap(getTouchedPaths),
    allowsTestLoss: record.contract.constraints.allowTestLoss === true,
    digest: (text) => services.digest(text),
  });
  const configured = await findAddedConfigurations(services, change, results, listNamedPaths(record));
  return {
    ...report,
    weakenings: [...report.weakenings, ...(await withConsent(services, record, change, [...fewer, ...configured]))],
  };
}

/**
 * Configurations of test runners that a change adds beside tests of the base. Where a gate writes results, comparing them
 * shows whether all tests still ran; where one does not, such a file may have turned them off.
 */
async function findAddedConfigurations(
  { repository, digest }: Needs<'digest' | 'repository'>,
  change: Change,
  results: GateRun['results'],
  named: ReadonlySet<string>,
): Promise<readonly Weakening[]> {
  const added = change.files.flatMap(({ path, status }) => (status === 'added' && configuresTests(path) ? [path] : []));
  const unknown = results.filter(({ name, run, passed }) => passed === undefined && mayRunTests(`${name} ${run}`));
  if (added.length === 0 || unknown.length === 0) return [];
  const tests = (await repository.files(change.base)).map(({ path }) => path).filter(isTestPath);
  const gates = unknown.map(({ name }) => name).join(', ');
  return added
    .filter((path) => tests.some((test) => test.startsWith(path.slice(0, path.lastIndexOf('/') + 1))))
    .map((path) => {
      const what = `${path}: added; it decides which tests run, and gate ${gates} writes no results that show whether all still do`;
      return {
        kind: 'gate_changed',
        what,
        files: [path],
        mark: digest(`gate_changed\n${what}`),
        ...(named.has(path) && { consent: 'contract' as const }),
      };
    });
}

/** What configures a runner of tests and nothing else. */
const configuresTests = (path: string): boolean => isRunnerConfiguration(path) && checkPart(path, '') === undefined;

/** Whether a gate runs tests, by its name and command; only one that plainly does something else does not. */
const mayRunTests = (gate: string): boolean => TESTS.test(gate) || !OTHER_CHECKS.test(gate);

const TESTS =
  /test|spec|jest|mocha|\bava\b|\btox\b|\bnox\b|phpunit|karma|playwright|cypress|\bmake\b(?!\s+(?:lint|fmt|format|types?|typecheck|build|compile|audit)\b)|\bverify\b/i;
const OTHER_CHECKS =
  /\b(?:lint|oxlint|eslint|biome|prettier|stylelint|fmt|format|tsc|types?|typecheck|build|compile|clippy|ruff|flake8|mypy|pyright|audit)\b/i;

/** The files that a contract, or an answer to a halt, names exactly. */
const listNamedPaths = (record: TaskRecord): ReadonlySet<string> =>
  new Set(getScope(record).allowedPaths.map((path) => path.replace(/^\.\//, '')));

/** A weakening without consent goes back with the facts. */
export function objectToWeakening(report: WeakeningReport, facts: Facts): StepOutcome | undefined {
  const open = unallowed(report);
  if (open.length === 0) return undefined;
  return {
    event: 'gate_weakened',
    reason: `weakens its gates or tests: ${open.map(({ what }) => what).join('; ')}`,
    facts: { ...facts, weakeningReport: report, feedback: [{ from: 'weakening', text: describeObjection(report) }] },
  };
}

function describeObjection(report: WeakeningReport): string {
  const open = unallowed(report);
  const facts = describeWeakeningReport({ ...report, weakenings: [...open], notes: [] }) ?? '';
  const printed = open.flatMap(({ output }) => (output === undefined ? [] : [output]));
  return [
    facts,
    ...printed,
    open.some(({ kind }) => kind !== 'tests_broken')
      ? 'You start again from the target branch, where these files are whole. Keep every test, assertion and gate there as strong as it is; add what you need.'
      : 'These tests ran as they are on the target branch, and no requirement asks for what breaks them. You start again from the target branch: change the product so that they pass unedited; edit them only where a requirement asks for another behaviour.',
  ].join('\n');
}

/** A human's consent covers only the marks that were granted, and the human's own commits. */
export async function withConsent(
  services: Needs<'repository'>,
  record: TaskRecord,
  change: Change,
  weakenings: readonly Weakening[],
): Promise<readonly Weakening[]> {
  const granted = new Set(record.grants.weakened);
  const known = weakenings.map((one) =>
    one.consent === undefined && granted.has(one.mark) ? { ...one, consent: 'you' as const } : one,
  );
  if (known.every(({ consent }) => consent !== undefined)) return known;
  const own = await listHumanPaths(services, record, change);
  return known.map((one) =>
    one.consent === undefined && one.files.length > 0 && one.files.every((path) => own.has(path))
      ? { ...one, consent: 'your commits' as const }
      : one,
  );
}

/** The paths that a human's own commits changed, on top of the last attempt of an agent. */
export async function listHumanPaths(
  services: Needs<'repository'>,
  { taskId }: TaskRecord,
  change: Change,
): Promise<ReadonlySet<string>> {
  const { repository } = services;
  const pins = await repository.refsUnder(`refs/andon/${taskId}/`);
  if (!pins.some(({ ref, commit }) => commit === change.commit && ref.endsWith('.human'))) return new Set();
  let below = change.base;
  for (const { ref, commit } of pins) {
    if (ref.endsWith('.human') || commit === change.commit || commit === below) continue;
    if ((await repository.isAncestor(commit, change.commit)) && (await repository.isAncestor(below, commit)))
      below = commit;
  }
  const files = await repository.diff(below, change.commit);
  return new Set(files.flatMap(getTouchedPaths));
}

/** Both sides of every changed file; one that moved is gone at its old place and new at the other. */
async function sidesOf(services: Needs<'repository'>, change: Change): Promise<readonly ChangedSides[]> {
  const { repository } = services;
  const [before, after] = [
    indexTree(await repository.files(change.base)).byPath,
    indexTree(await repository.files(change.commit)).byPath,
  ];
  const paths = [...new Set(change.files.flatMap(getTouchedPaths))];
  let left = MOST_OF_A_CHANGE;
  const readable = (files: Files): readonly string[] =>
    paths.filter((path) => {
      const file = files.get(path);
      if (file === undefined || explainUnread(file) !== undefined || file.size > left) return false;
      left -= file.size;
      return true;
    });
  const [old, fresh] = [readable(before), readable(after)];
  const [oldTexts, newTexts] = [await repository.read(change.base, old), await repository.read(change.commit, fresh)];
  return paths.map((path) => ({
    path,
    before: side(before.get(path), oldTexts.get(path)),
    after: side(after.get(path), newTexts.get(path)),
  }));
}

function side(file: TreeFile | undefined, bytes: Uint8Array | undefined): Side | undefined {
  if (file === undefined) return undefined;
  const unread =
    explainUnread(file) ??
    (bytes === undefined
      ? 'the change is too large to be read in all'
      : bytes.includes(0)
        ? 'it is no text'
        : undefined);
  return unread === undefined ? { oid: file.oid, text: new TextDecoder().decode(bytes) } : { oid: file.oid, unread };
}

function explainUnread({ mode, size }: TreeFile): string | undefined {
  if (!mode.startsWith('100')) return mode === '120000' ? 'it is a link' : 'it is no file';
  return size > MOST_BYTES ? `it is larger than ${MOST_BYTES / 1_000_000} MB` : undefined;
}

/** The files that the gates refer to on the base; undefined without gates. */
export async function gateFilesOnBase(
  services: Needs<'repository' | 'settings'>,
  record: TaskRecord,
  base: string,
): Promise<GateFiles | undefined> {
  const commands = createGateJob(services, record).gates.map(({ run }) => run);
  if (commands.length === 0) return undefined;
  const listing = await services.repository.files(base);
  const files: Files = indexTree(listing).byPath;
  const texts = new Map<string, string>();
  const configurations = listing
    .map(({ path }) => path)
    .filter(isRunnerConfiguration)
    .slice(0, MOST_CONFIGURATIONS);
  for (let round = 1; ; round += 1) {
    const { gateFiles, wanted } = findGateFiles(commands, { paths: files, texts, configurations });
    const more = wanted.filter((path) => {
      const file = files.get(path);
      return file !== undefined && explainUnread(file) === undefined;
    });
    if (more.length === 0 || round > ROUNDS) return gateFiles;
    for (const [path, bytes] of await services.repository.read(base, more))
      texts.set(path, new TextDecoder().decode(bytes));
    for (const path of more) if (!texts.has(path)) texts.set(path, '');
  }
}
