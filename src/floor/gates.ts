import type { GateResult, GateRun } from '../formats/change.ts';
import { failingPart } from '../formats/failing-part.ts';
import type { GateCommand } from '../formats/gate.ts';
import type { LineRecord } from '../formats/line-record.ts';
import type { Outcome } from '../formats/outcome.ts';
import { failure, success } from '../formats/outcome.ts';
import type { CagedResult } from '../ports/cage.ts';
import { Stopped } from './step-log.ts';
import type { World } from './world.ts';

/** How much of a gate's output is kept as evidence: beginning, end, and what tells of failures between them. */
const KEPT_CHARACTERS = 6000;
/** Characters at each end of it in which the failing lines are looked for. */
const LOOKED_AT = 256 * 1024;
/** How so many gates stand on their base is remembered; every merge makes a new base. */
const MOST_BASE_RESULTS = 100;
/** The last lines of a setup command that failed. */
const KEPT_LINES = 60;
/** The network and a package manager may be slow; an hour is a fault. */
const SETUP_MINUTES = 60;

/** Which gates to run for whom; red on `base` as well does not count against a change. */
export interface GateJob {
  readonly taskId: string;
  readonly base: string;
  readonly gates: readonly GateCommand[];
}

/** The gates of a task: the project's, the contract's, and those the implementer does not know. */
export const gateJob = (world: World, { taskId, base, contract }: LineRecord): GateJob => ({
  taskId,
  base,
  gates: [...world.settings.gates, ...contract.gates, ...contract.holdout.gates],
});

/** Runs every gate on a commit; a reason when something could not be run, which is neither red nor green. */
export async function runGates(
  world: World,
  job: GateJob,
  commit: string,
  tree: string,
  signal: AbortSignal,
): Promise<Outcome<GateRun, string>> {
  const { gates } = job;
  if (gates.length === 0) return success({ tree, cage: world.cage.name, results: [] });
  const missing = await world.cage.unavailable();
  if (missing !== undefined)
    return failure(
      `gates cannot run: ${missing}; or say \`cage: none\` in your own configuration to run them without a cage`,
    );
  const share = await prepareShare(world, job, signal);
  if (!share.ok) return share;
  const folder = world.folders.tree(job.taskId, 'gates');
  const results: GateResult[] = [];
  for (const gate of gates) {
    await world.repository.checkOut(commit, folder);
    const after = await runOne(world, gate, folder, share.value, signal);
    if (after.outcome === 'error') return failure(`gate ${gate.name} cannot be run: ${after.why}`);
    const base =
      after.outcome === 'red' || gate.mustFailBefore ? await onBase(world, job, gate, share.value, signal) : 'not run';
    results.push(verdict(gate, after, base));
    world.say({ kind: 'gate', taskId: job.taskId, name: gate.name, outcome: after.outcome, ms: after.ms });
  }
  return success({ tree, cage: world.cage.name, results });
}

/** Red blocks unless the base is red as well; a gate that had to fail before must have done so, and be green now. */
function verdict(gate: GateCommand, after: Ran, base: GateResult['base']): GateResult {
  const result = { name: gate.name, run: gate.run, base, exit: after.exit, ms: after.ms, output: after.output };
  if (gate.mustFailBefore && base !== 'red')
    return {
      ...result,
      outcome: 'red',
      blocks: true,
      why: 'must be red on the base and is not, so it proves nothing about this change',
    };
  if (gate.mustFailBefore)
    return { ...result, outcome: after.outcome === 'green' ? 'green' : 'red', blocks: after.outcome !== 'green' };
  return {
    ...result,
    outcome: after.outcome === 'green' ? 'green' : 'red',
    blocks: after.outcome === 'red' && base !== 'red',
  };
}

interface Ran {
  readonly outcome: 'green' | 'red' | 'error';
  readonly exit: number | null;
  readonly ms: number;
  readonly output: string;
  readonly why: string;
}

/** A gate that cannot be run is tried once more before it counts as a fault. */
async function runOne(
  world: World,
  gate: GateCommand,
  folder: string,
  share: Shares,
  signal: AbortSignal,
): Promise<Ran> {
  const first = read(await world.cage.run(order(gate, folder, share, signal)), gate);
  if (first.outcome !== 'error') return first;
  return read(await world.cage.run(order(gate, folder, share, signal)), gate);
}

const order = (gate: GateCommand, tree: string, share: Shares, signal: AbortSignal) => ({
  run: gate.run,
  tree,
  network: false,
  share,
  timeoutMs: gate.timeoutMinutes * 60_000,
  signal,
});

/** Of an output without end only its ends are looked at: to take two megabytes apart line by line costs a hundred. */
const ends = (output: string): string =>
  output.length <= 2 * LOOKED_AT ? output : `${output.slice(0, LOOKED_AT)}\n…\n${output.slice(-LOOKED_AT)}`;

/** 126 and 127 are the shell's "cannot be run"; so are a timeout and a cage that did not start. */
function read(result: CagedResult, gate: GateCommand): Ran {
  if (result.ended === 'aborted') throw new Stopped();
  const output = failingPart(ends(result.output), KEPT_CHARACTERS);
  const base = { exit: result.exit, ms: result.ms, output };
  const last = tail(result.output).trim().split('\n').at(-1) ?? '';
  if (result.ended === 'timeout')
    return { ...base, outcome: 'error', why: `it did not end within ${gate.timeoutMinutes} minutes` };
  if (result.ended === 'not started') return { ...base, outcome: 'error', why: last };
  if (result.exit === 126 || result.exit === 127)
    return { ...base, outcome: 'error', why: `\`${gate.run}\` ended with ${result.exit} (not runnable): ${last}` };
  return { ...base, outcome: result.exit === 0 ? 'green' : 'red', why: '' };
}

function tail(output: string): string {
  return output.trimEnd().split('\n').slice(-KEPT_LINES).join('\n').slice(-KEPT_CHARACTERS);
}

/** How the gate stands on the base; remembered, because the base does not change between attempts. */
async function onBase(
  world: World,
  job: GateJob,
  gate: GateCommand,
  share: Shares,
  signal: AbortSignal,
): Promise<GateResult['base']> {
  const key = `${world.root}\0${job.base}\0${gate.run}`;
  const known = world.baseResults.get(key);
  if (known !== undefined) return known;
  const folder = world.folders.tree(job.taskId, 'base');
  await world.repository.checkOut(job.base, folder);
  const { outcome } = await runOne(world, gate, folder, share, signal);
  world.baseResults.set(key, outcome);
  for (const oldest of world.baseResults.keys()) {
    if (world.baseResults.size <= MOST_BASE_RESULTS) break;
    world.baseResults.delete(oldest);
  }
  return outcome;
}

type Shares = readonly (readonly [string, string])[];

/** Where the shared folders come from: the prepared base tree when there is a `setup`, else the user's checkout. */
async function prepareShare(world: World, job: GateJob, signal: AbortSignal): Promise<Outcome<Shares, string>> {
  const { setup, share } = world.settings;
  const hidden = await trackedShare(world, job.base);
  if (hidden !== undefined) return failure(hidden);
  if (setup.length === 0) return success(existing(world, world.root, share));
  const inputs = await world.repository.read(job.base, world.settings.setupInputs);
  const digest = world
    .digest([...setup, ...[...inputs].map(([path, bytes]) => `${path}\0${world.digest(bytes)}`)].join('\n'))
    .slice(0, 32);
  const { folder, done } = world.folders.prepared(digest);
  if (!done) {
    world.say({ kind: 'word', level: 'info', text: `setup: preparing the base tree (${setup.join('; ')})` });
    await world.repository.checkOut(job.base, folder);
    for (const run of setup) {
      const result = await world.cage.run({
        run,
        tree: folder,
        network: true,
        share: [],
        timeoutMs: SETUP_MINUTES * 60_000,
        signal,
      });
      if (result.ended === 'aborted') throw new Stopped();
      if (result.exit !== 0)
        return failure(
          `setup command \`${run}\` failed (${result.exit ?? result.ended}): ${tail(result.output).split('\n').slice(-5).join(' / ')}`,
        );
    }
    world.folders.markPrepared(digest);
  }
  return success(existing(world, folder, share));
}

const existing = (world: World, folder: string, share: readonly string[]): Shares =>
  share.flatMap((path) => {
    const from = world.folders.shared(folder, path);
    return from === undefined ? [] : [[from, path] as const];
  });

/** A shared folder that is tracked would stand in front of the very change that the gates must see. */
async function trackedShare(world: World, base: string): Promise<string | undefined> {
  const { share } = world.settings;
  if (share.length === 0) return undefined;
  const files = await world.repository.files(base);
  const path = share.find((shared) => files.some((file) => file.path === shared || file.path.startsWith(`${shared}/`)));
  return path === undefined
    ? undefined
    : `\`share\` names ${path}, which is tracked in git; share only what is not, such as node_modules`;
}
