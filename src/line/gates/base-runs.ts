import { describeFailedTests } from '../../base/failure-excerpt.ts';
import { parseJson } from '../../base/json-object.ts';
import { baseRunSchema, type BaseRun } from '../record/base-run.ts';
import { gateKey, isAcceptance, type TaskGate } from '../../project/contract/gate.ts';
import { failure, success, type Outcome } from '../../base/outcome.ts';
import type { RanGate } from '../core/gate-verdict.ts';
import { listToolFolders } from './prepare-gate-tree.ts';
import type { GateServices, Needs } from '../services/services.ts';
import { withoutSecrets } from '../../rules/secrets/mask-secrets.ts';

/** The version of kept runs; a new one makes all earlier runs invalid. */
const VERSION = 3;

/** The results of a task's gates on its base, by `gateKey`. */
export type BaseRuns = ReadonlyMap<string, BaseRun>;

/** The gates, and the commit on which they run. */
export interface BaseQuestion {
  readonly taskId: string;
  readonly base: string;
  /** The commit whose `setup` prepares shared folders, where it is not `base`: no code of a change may run in `setup`. */
  readonly preparedFrom?: string;
  readonly gates: readonly TaskGate[];
  /** Runs them again although their results are known. */
  readonly refresh?: boolean;
  /** What the log calls the commit, where it is not the base itself. */
  readonly where?: string;
}

/** One run of a gate as its runner tells it; `error` is neither red nor green. */
export interface RanOnce extends RanGate {
  readonly outcome: 'green' | 'red' | 'error';
  readonly why: string;
  /** The tests that it ran, where they can be read. */
  readonly tests?: BaseRun['tests'] | undefined;
  /** Its configured `results`, where the gate did not write it. */
  readonly unwritten?: string | undefined;
}

/**
 * Runs each gate on the base, unless its result there is known. A red gate of the project runs twice. Returns the reason
 * where a gate cannot run at all; this gate is run again the next time.
 */
export async function askBase(
  services: GateServices,
  { taskId, base, preparedFrom = base, gates, refresh = false, where = 'on the base' }: BaseQuestion,
  run: (gate: TaskGate) => Promise<RanOnce>,
): Promise<Outcome<BaseRuns, string>> {
  const runs = new Map<string, BaseRun>();
  if (gates.length === 0) return success(runs);
  const tree = await services.repository.treeOf(base);
  const ground = await groundOf(services, preparedFrom);
  for (const gate of gates) {
    const key = keyOf(services, gate, tree, ground);
    const before = refresh ? undefined : loadBaseRun(services, gate, key);
    const found = before ?? (await runUntilSure(gate, run));
    if (typeof found === 'string') return failure(`gate ${gate.name} cannot be run ${where}: ${found}`);
    runs.set(gateKey(gate), found);
    if (before !== undefined) continue;
    services.say({ kind: 'gate', taskId, name: `${gate.name} ${where}`, outcome: found.outcome, ms: found.ms });
    saveBaseRun(services, gate, key, found);
  }
  return success(runs);
}

/** Keeps the green runs of a tree for later questions. A red run is repeated before it counts. */
export async function keepGreenRuns(
  services: Needs<'cage' | 'digest' | 'folders' | 'repository' | 'root' | 'settings'>,
  { base, tree }: { readonly base: string; readonly tree: string },
  runs: readonly (readonly [TaskGate, RanGate])[],
): Promise<void> {
  if (runs.length === 0) return;
  const ground = await groundOf(services, base);
  for (const [gate, result] of runs) {
    const key = keyOf(services, gate, tree, ground);
    if (loadBaseRun(services, gate, key)?.outcome !== 'green')
      saveBaseRun(services, gate, key, { outcome: 'green', ...toRunDetails(result) });
  }
}

/** The digest of the setup that prepares a base: its commands, and the files that decide about them. */
export async function computeSetupDigest(
  services: Needs<'cage' | 'digest' | 'repository' | 'settings'>,
  base: string,
): Promise<string> {
  const { setup, setupInputs } = services.settings;
  const inputs = await services.repository.read(base, setupInputs);
  const tools = await listToolFolders(services, base);
  return services
    .digest(
      [...setup, ...tools, ...[...inputs].map(([path, bytes]) => `${path}\0${services.digest(bytes)}`)].join('\n'),
    )
    .slice(0, 32);
}

/** The inputs of a run in addition to tree and gate: setup or shared folders of the checkout, and the cage. */
async function groundOf(
  services: Needs<'cage' | 'digest' | 'folders' | 'repository' | 'root' | 'settings'>,
  base: string,
): Promise<string> {
  const { setup, share, cage } = services.settings;
  const shares =
    setup.length > 0
      ? [await computeSetupDigest(services, base)]
      : share.map((path) => {
          const real = services.folders.shared(services.root, path);
          return real === undefined ? null : services.folders.markOf(real);
        });
  const tools = await listToolFolders(services, base);
  return JSON.stringify([share, shares, services.cage.name, cage, ...tools]);
}

const keyOf = (
  services: Needs<'digest'>,
  { run, timeoutMinutes, results }: TaskGate,
  tree: string,
  ground: string,
): string => services.digest(JSON.stringify([VERSION, tree, run, timeoutMinutes, results ?? null, ground]));

/** A result of a gate that may be red does not count for one that may not: its red run was not repeated. */
const redKey = (gate: TaskGate, key: string): string => `${key}${isAcceptance(gate) ? '.once' : '.twice'}`;

function loadBaseRun(services: Needs<'folders'>, gate: TaskGate, key: string): BaseRun | undefined {
  const text = services.folders.readBaseRun(key) ?? services.folders.readBaseRun(redKey(gate, key));
  // Torn by a power loss, or written by another version: it is run again.
  return text === undefined ? undefined : baseRunSchema().safeParse(parseJson(text)).data;
}

/** An impossible run is not kept: its program may be installed later. */
function saveBaseRun(services: Needs<'folders'>, gate: TaskGate, key: string, run: BaseRun): void {
  if (run.outcome === 'impossible') return;
  if (run.outcome !== 'green') services.folders.forgetBaseRun(key); // an earlier green run no longer holds
  services.folders.keepBaseRun(run.outcome === 'green' ? key : redKey(gate, key), JSON.stringify(run));
}

/** 126 and 127: what the gate runs is not there. */
const isImpossible = ({ outcome, exit }: RanOnce): boolean => outcome === 'error' && (exit === 126 || exit === 127);

/** Runs a gate, a red one of the project twice: it may be flaky. A text says why it cannot be run. */
async function runUntilSure(gate: TaskGate, run: (gate: TaskGate) => Promise<RanOnce>): Promise<BaseRun | string> {
  const first = await run(gate);
  const result = toRunDetails(first);
  if (isAcceptance(gate) && isImpossible(first)) return { outcome: 'impossible', ...result };
  if (first.outcome === 'error') return first.why;
  if (first.outcome === 'green') return { outcome: 'green', ...result };
  if (isAcceptance(gate)) return { outcome: 'red', ...result };
  const second = await run(gate);
  if (second.outcome === 'error') return second.why;
  const tests = intersectTests(first.tests, second.tests);
  const outcome = second.outcome === 'red' ? 'red' : 'flaky';
  return { outcome, ...result, ms: result.ms + second.ms, ...(tests === undefined ? {} : { tests }) };
}

const toRunDetails = ({ exit, ms, output, passed, failures, unwritten }: RanGate & Pick<RanOnce, 'unwritten'>) => ({
  exit,
  ms,
  output: withoutSecrets([describeFailedTests(failures), output].filter((part) => part !== '').join('\n\n')),
  ...(passed === undefined ? {} : { passed }),
  ...(unwritten === undefined ? {} : { unwritten }),
});

/** Of two runs on the same tree a test passed that passed in both. */
function intersectTests(one: RanOnce['tests'], other: RanOnce['tests']): RanOnce['tests'] {
  if (one === undefined || other === undefined) return undefined;
  const again = new Map(other.outcomes);
  const outcomes = one.outcomes.map(([name, outcome]): [string, typeof outcome] => [
    name,
    outcome === 'passed' && again.get(name) !== 'passed' ? 'failed' : outcome,
  ]);
  return { format: one.format, outcomes };
}
