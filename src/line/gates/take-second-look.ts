import { listNames } from '../../base/list-names.ts';
import { matchesGlobs } from '../../base/path-globs.ts';
import { toOneLine } from '../../base/fault.ts';
import { ANDON_IDENTITY } from '../../base/names.ts';
import { gateKey, isAcceptance, type TaskGate } from '../../project/contract/gate.ts';
import type { BaseRun } from '../record/base-run.ts';
import type { Change, GateRun } from '../record/change.ts';
import { getTouchedPaths, type FileWrite } from '../../base/changed-file.ts';
import type { Weakening, WeakeningReport } from '../../rules/model/weakening.ts';
import type { TaskRecord } from '../record/task-record.ts';
import {
  maySwap,
  swapChecks,
  type RawFile,
  type RawSides,
  type SwappedChecks,
} from '../../rules/weakened-gates/swap-checks.ts';
import type { GateFiles } from '../../rules/weakened-gates/gate-files.ts';
import { isSnapshot, isTestPath } from '../../rules/weakened-gates/test-paths.ts';
import { fewerPassed } from '../../source/test-results/compare-tests.ts';
import type { GateServices, Needs } from '../services/services.ts';
import { indexTree } from '../git/tree-index.ts';
import { type CheckedBase, runOnBase } from './run-gates.ts';
import { listHumanPaths, gateFilesOnBase, withConsent } from './measure-gates.ts';

/** The most names of tests that are kept. A change that breaks more goes back before the judge is asked. */
const MOST_NAMES = 100;
/** The most names in a sentence. */
const NAMED = 10;
/** Characters of a gate's output that are kept with a weakening. */
const KEPT_OUTPUT = 3000;

/** When gates run again: slow ones not with each attempt, but once, before the merge. */
type Moment = 'with the change' | 'before the merge';

/** The gates ran once, and run again with other check files. */
interface FirstLook {
  readonly record: TaskRecord;
  readonly change: Change;
  readonly report: WeakeningReport;
  readonly base: CheckedBase;
  readonly run: GateRun;
}

interface SecondLook {
  readonly report: WeakeningReport;
  /** Whether every gate of the project ran, or will before the merge, with the base's check files on the changed product. */
  readonly decides: boolean;
}

/**
 * Runs the gates of the project again with the check files swapped. The base's tests, fixtures and configuration on the
 * changed product show what the change breaks, whatever it made of its tests; the change's tests on the base's product
 * show which of them would pass without it. Runs are kept by tree, so that nothing runs twice.
 */
export async function takeSecondLook(
  services: GateServices,
  request: FirstLook,
  moment: Moment,
  signal: AbortSignal,
): Promise<SecondLook> {
  const { record, change, report, base, run } = request;
  const { secondLook, secondLookMinutes } = services.settings;
  const isLast = moment === 'before the merge';
  if (secondLook === 'off' && !isLast) return { report: { ...report, secondLook }, decides: false };
  const ofProject = base.job.gates.filter((gate) => !isAcceptance(gate));
  const all = ofProject.filter((gate) => base.runs.get(gateKey(gate))?.outcome === 'green');
  // What was put off is done, whatever the settings say by now.
  const putOff = typeof report.secondLook === 'object' ? report.secondLook.later : [];
  const slow = run.results.filter(({ ms }) => ms > secondLookMinutes * 60_000).map(({ name }) => name);
  const gates = all.filter(({ name }) => (isLast ? putOff.includes(name) : !slow.includes(name)));
  const later = isLast ? [] : all.filter(({ name }) => slow.includes(name));
  if (gates.length === 0 && later.length === 0) return { report, decides: false };
  const ask = async (gate: TaskGate, commit: string, where: string): Promise<Again> => {
    const job = { taskId: record.taskId, base: commit, preparedFrom: record.base, gates: [gate], consents: [] };
    const runs = await runOnBase(services, { ...job, where: `in the second look, ${where}` }, signal);
    if (!runs.ok) return { why: runs.why };
    const ran = runs.value.get(gateKey(gate));
    return ran === undefined ? { why: `gate ${gate.name} was not run` } : { ran };
  };
  const started = performance.now();
  const swapped = await readSwappedChecks(services, request);
  const weakenings = linked(services, swapped.links);
  const notes: string[] = [];
  const isSwapped = swapped.hasProduct && swapped.baseChecks.length > 0;
  if (isSwapped) {
    const commit = await mixedTree(services, record, change.commit, swapped.baseChecks);
    for (const gate of gates) {
      const again = await ask(gate, commit, 'with the tests of the base');
      const found = brokenBy(services, gate, request, again);
      if (found !== undefined) weakenings.push({ ...found, files: swapped.baseChecks.map(({ path }) => path) });
    }
  }
  const hasNewTests =
    swapped.hasProduct && swapped.changeChecks.some(({ path, content }) => content !== null && isTestPath(path));
  if (hasNewTests) {
    const commit = await mixedTree(services, record, change.base, swapped.changeChecks);
    for (const gate of gates) {
      const again = await ask(gate, commit, 'without the change');
      const note = passesWithout(gate, request, again);
      if (note !== undefined) notes.push(note);
    }
  }
  const { secondLook: earlier, ...measured } = report;
  const took = isSwapped || hasNewTests ? Math.ceil(performance.now() - started) : 0;
  const ms = (typeof earlier === 'object' ? earlier.ms : 0) + (gates.length > 0 ? took : 0);
  const seen: WeakeningReport = {
    ...measured,
    weakenings: [...report.weakenings, ...(await withConsent(services, record, change, weakenings))],
    notes: [...report.notes, ...notes],
    ...(ms > 0 || later.length > 0 ? { secondLook: { ms, later: later.map(({ name }) => name) } } : {}),
  };
  return { report: seen, decides: isSwapped && all.length === ofProject.length };
}

/** The result of a gate on a mixed tree; a text says why it could not run there. */
type Again = { readonly ran: BaseRun } | { readonly why: string };

/** What the base's tests say against the changed product; undefined where they pass. */
function brokenBy(
  services: Needs<'digest'>,
  gate: TaskGate,
  { record, base }: FirstLook,
  again: Again,
): Omit<Weakening, 'files'> | undefined {
  const name = toOneLine(gate.name, 80);
  const toWeakening = (what: string, names: readonly string[], output: string): Omit<Weakening, 'files'> => ({
    kind: 'tests_broken',
    what: toOneLine(what, 1500),
    ...(names.length === 0 ? {} : { tests: names.slice(0, MOST_NAMES) }),
    ...(output === '' ? {} : { output: output.slice(-KEPT_OUTPUT) }),
    mark: services.digest(['tests_broken', gate.name, gate.run, ...(names.length === 0 ? [what] : names)].join('\n')),
    // What the judge was not shown it cannot tie to a requirement.
    ...(names.length > MOST_NAMES ? {} : { awaits: 'judge' }),
  });
  if ('why' in again) return toWeakening(again.why, [], '');
  const { ran } = again;
  if (ran.outcome === 'flaky') return undefined; // red once and green once on one tree: no fact about the change
  if (ran.outcome === 'green') {
    const fewer = fewerPassed(base.runs.get(gateKey(gate))?.passed, ran.passed);
    if (fewer === undefined) return undefined;
    const { runner, before, after } = fewer;
    return toWeakening(
      after === null
        ? `gate ${name}, with the tests of the base: how many passed is unknown, because its results cannot be read; ${before} passed before the change (${runner})`
        : `gate ${name} ends early with the tests of the base: by ${runner}, ${before} passed before the change, ${after} with it`,
      [],
      '',
    );
  }
  const failed = (ran.tests?.outcomes ?? []).filter(([, outcome]) => outcome === 'failed').map(([test]) => test);
  const allowed = record.contract.constraints.allowTestChanges ?? [];
  const broken = failed.filter((test) => !allowed.some((entry) => isNamedBy(test, entry)));
  if (failed.length > 0 && broken.length === 0) return undefined;
  const named = broken.map((test) => JSON.stringify(toOneLine(test, 160)));
  return toWeakening(
    broken.length === 0
      ? `gate ${name} is red with the tests of the base on the changed product`
      : `gate ${name}: ${broken.length} ${broken.length === 1 ? 'test' : 'tests'} of the base ${broken.length === 1 ? 'fails' : 'fail'} on the changed product: ${listNames(named, NAMED)}`,
    broken,
    ran.output,
  );
}

/** A contract names a test as its runner does, or by the last part of that name. */
const isNamedBy = (test: string, entry: string): boolean =>
  test === entry || [' > ', '::', ' - ', ': ', '/'].some((joint) => test.endsWith(`${joint}${entry}`));

/** That the tests which the change adds pass without it, in a sentence; undefined where they do not. */
function passesWithout(gate: TaskGate, { base, run }: FirstLook, again: Again): string | undefined {
  if ('why' in again) return undefined;
  const name = toOneLine(gate.name, 80);
  if (again.ran.outcome === 'green' && run.results.some((one) => one.name === gate.name && one.outcome === 'green'))
    return `gate ${name} is green with the new tests and without the change: they do not show that it works`;
  const [before, after] = [base.runs.get(gateKey(gate))?.passed, again.ran.passed];
  const extra = before === undefined || before.format !== after?.format ? 0 : after.count - before.count;
  return extra > 0
    ? `gate ${name}: ${extra} of the tests that the change adds ${extra === 1 ? 'passes' : 'pass'} without it`
    : undefined;
}

const linked = (services: Needs<'digest'>, links: readonly string[]): Weakening[] =>
  links.map((path) => ({
    kind: 'gate_changed',
    what: `${path}: decides about gates, and is a link before or after the change`,
    files: [path],
    mark: services.digest(`gate_changed\n${path} link`),
  }));

/** A commit of a mixed tree in andon's own git directory; the same writes make the same commit. */
async function mixedTree(
  services: Needs<'repository'>,
  { createdAt }: TaskRecord,
  onto: string,
  writes: readonly FileWrite[],
): Promise<string> {
  const { commit } = await services.repository.build(writes, {
    parents: [onto],
    message: 'gates with swapped check files\n',
    at: createdAt,
    author: ANDON_IDENTITY,
  });
  return commit;
}

async function readSwappedChecks(
  services: Needs<'repository' | 'settings'>,
  { record, change, report }: FirstLook,
): Promise<SwappedChecks> {
  const { constraints } = record.contract;
  // A contract that opens the definition of a gate lets it be changed; the gate as it was runs all the same.
  const agreed = new Set(report.weakenings.filter(({ consent }) => consent === 'you').flatMap(({ files }) => files));
  const own = await listHumanPaths(services, record, change);
  const isTest = (path: string): boolean => isTestPath(path) || isSnapshot(path);
  const gateFiles = await gateFilesOnBase(services, record, change.base);
  return swapChecks({
    files: await rawSides(services, change, gateFiles),
    renames: change.files.flatMap(({ path, from, status }) =>
      status === 'moved' && from !== undefined ? [{ from, to: path }] : [],
    ),
    gateFiles,
    isAllowed: (path) =>
      own.has(path) ||
      agreed.has(path) ||
      matchesGlobs(path, constraints.allowTestChanges ?? []) ||
      (isTest(path) && constraints.allowTestLoss === true),
  });
}

/** Both sides of every changed file; the contents of those alone that may be swapped. */
async function rawSides(
  { repository }: Needs<'repository'>,
  { base, commit, files }: Change,
  gateFiles: GateFiles | undefined,
): Promise<readonly RawSides[]> {
  const paths = [...new Set(files.flatMap(getTouchedPaths))];
  const trees = [base, commit].map(async (at) => indexTree(await repository.files(at)).byPath);
  const [before, after] = await Promise.all(trees);
  const swapped = paths.filter((path) => maySwap({ path, isNew: before?.has(path) !== true }, gateFiles));
  const sideOf = async (at: string, tree: typeof before): Promise<(path: string) => RawFile | undefined> => {
    const wanted = swapped.filter((path) => tree?.get(path)?.mode.startsWith('100'));
    const contents = await repository.read(at, wanted);
    return (path) => {
      const mode = tree?.get(path)?.mode;
      return mode === undefined ? undefined : { mode, bytes: contents.get(path) ?? NO_BYTES };
    };
  };
  const [old, fresh] = [await sideOf(base, before), await sideOf(commit, after)];
  return paths.map((path) => ({ path, before: old(path), after: fresh(path) }));
}

const NO_BYTES = new Uint8Array();
