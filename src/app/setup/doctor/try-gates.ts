import { FAILED_TESTS, findFailureLine } from '../../../base/failure-excerpt.ts';
import type { BaseRun } from '../../../line/record/base-run.ts';
import { gateKey, type TaskGate } from '../../../project/contract/gate.ts';
import type { Outcome } from '../../../base/outcome.ts';
import type { BaseRuns } from '../../../line/gates/base-runs.ts';
import { showHiddenTool } from '../../../line/gates/explain-setup.ts';
import { listProjectGates, runOnBase } from '../../../line/gates/run-gates.ts';
import { readSettings, type Settings } from '../../../project/config/read-settings.ts';
import type { lookAtConfig } from '../init-project.ts';
import type { GateServices } from '../../../line/services/services.ts';
import { DOCTOR_PLACE, failedCheck, warningCheck, passedCheck, type DoctorCheck } from './doctor-check.ts';
import { Stopped } from '../../../line/journal/stopped.ts';
import type { Workspace } from '../../../project/workspace/load-workspace.ts';
import { NO_JOURNAL } from '../../../line/journal/open-journal.ts';
import { buildServices } from '../../../line/services/open-services.ts';

/** Checks of the project's gates on the base commit, each as its gate ends: a task would halt at one that is not green. */
export async function* checkGatesOnBase(
  services: GateServices,
  base: string,
  { env, tell }: { readonly env: NodeJS.ProcessEnv; readonly tell: (doing: string) => void },
): AsyncGenerator<DoctorCheck> {
  const gates = listProjectGates(services).map((gate) => ({ ...gate, mustFailBefore: false }));
  if (gates.length === 0)
    yield warningCheck('gates', 'none are configured: only the reviewers decide', 'add `gates` to .andon/config.yaml');
  const green: TaskGate[] = [];
  // Each runs again, whatever is known of earlier runs.
  const runGate: RunGate = (gate) =>
    runOnBase(
      services,
      { taskId: DOCTOR_PLACE, base, gates: [gate], consents: [], refresh: true },
      new AbortController().signal,
    );
  for (const gate of gates) {
    tell(`gate ${gate.name} on the base`);
    const run = await runGate(gate);
    const result = run.ok ? run.value.get(gateKey(gate)) : undefined;
    const needed = result?.outcome === 'red' ? await findNeededGate(runGate, gate, green) : undefined;
    if (result?.outcome === 'green') green.push(gate);
    services.folders.tidy(DOCTOR_PLACE);
    if (!run.ok) {
      const [detail = '', remedy] = run.why.split('\n');
      yield failedCheck(
        'gates',
        detail,
        remedy ??
          showHiddenTool(detail, env) ??
          `correct \`gates\`, \`setup\` or \`share\` in .andon/config.yaml. Try: \`${gate.run}\``,
      );
      return; // what it needs may be what the others need too
    }
    if (needed !== undefined)
      yield warningCheck(
        `gate ${gate.name}`,
        `red on the base by itself, green after ${needed.name}: no gate sees what another one made`,
        `let it make what it needs: \`${behind(needed, gate).run}\``,
      );
    else if (result !== undefined) yield gateCheck(gate, result, env);
  }
}

/** A gate run behind another one, in the same place. */
const behind = (other: TaskGate, gate: TaskGate): TaskGate => ({
  ...gate,
  run: `${other.run} && ${gate.run}`,
  timeoutMinutes: other.timeoutMinutes + gate.timeoutMinutes,
});

type RunGate = (gate: TaskGate) => Promise<Outcome<BaseRuns, string>>;

/** The first of these gates behind which a red one is green. */
async function findNeededGate(
  runGate: RunGate,
  gate: TaskGate,
  others: readonly TaskGate[],
): Promise<TaskGate | undefined> {
  for (const other of others) {
    const both = behind(other, gate);
    const run = await runGate(both);
    if (run.ok && run.value.get(gateKey(both))?.outcome === 'green') return other;
  }
  return undefined;
}

export const listLeftOutGates = (
  { gates }: Pick<Settings, 'gates'>,
  { whose, leftOut }: ReturnType<typeof lookAtConfig>,
): readonly DoctorCheck[] =>
  leftOut
    .filter(({ name }) => gates.every((gate) => gate.name !== name))
    .map(({ name, run, why }) =>
      warningCheck(
        `gate ${name}`,
        `left out by \`andon init\` (${run}): ${why}`,
        whose === 'init'
          ? 'once that is changed: `andon init`'
          : `add it to \`gates\` in .andon/config.yaml: - ${JSON.stringify({ name, run })}`,
      ),
    );

function gateCheck(
  { name, run, results }: TaskGate,
  { outcome, exit, ms, output, passed }: BaseRun,
  env: NodeJS.ProcessEnv,
): DoctorCheck {
  const green = `green on the base in ${(ms / 1000).toFixed(1)} s`;
  if (outcome === 'green' && results !== undefined && passed === undefined)
    return warningCheck(
      `gate ${name}`,
      `${green}, but its results (${results}) cannot be read: how many tests pass is unknown`,
      'correct `results` in .andon/config.yaml: JUnit XML, TAP, the JSON of vitest or jest, or `go test -json`',
    );
  if (outcome === 'green')
    return passedCheck(
      `gate ${name}`,
      `${green}, tests passed: ${passed?.count ?? 'unknown (no machine-readable results)'}`,
    );
  return warningCheck(
    `gate ${name}`,
    describeFailedRun({ outcome, exit, output }),
    showHiddenTool(output, env) ??
      `Try \`${run}\` in a fresh clone: a gate sees the tracked files and \`share\` (read-only), nothing that was built. Until it is green, every task halts (base_red).`,
  );
}

export function describeFailedRun({ outcome, exit, output }: Pick<BaseRun, 'outcome' | 'exit' | 'output'>): string {
  const how = outcome === 'flaky' ? 'flaky on the base: red and green' : `${outcome} on the base`;
  return `${how} (exit ${exit ?? 'none'}): ${describeFailures(output)}`;
}

/** The names of the failed tests where they are known, else the line that says why, else the last one. */
function describeFailures(output: string): string {
  const lines = output.trim().split('\n');
  const tests = lines[0] === FAILED_TESTS ? lines.filter((line) => line.startsWith('- ')) : [];
  if (tests.length > 0)
    return `${tests.length} failed: ${tests
      .map((line) => line.slice(2))
      .slice(0, 3)
      .join('; ')}`;
  return findFailureLine(output)?.trim() ?? lines.at(-1) ?? '';
}

const TRIAL_MINUTES = 5;

export interface GateTrial {
  /** Why a gate is not green, by its name. */
  readonly notGreen: ReadonlyMap<string, string>;
  /** What gates must run that are green only behind the build, by name. */
  readonly behindBuild: ReadonlyMap<string, string>;
  readonly untried?: string | undefined;
}

/** Runs the gates of a configuration page on the target branch. Nothing of it is committed, so the page is given as text. */
export async function tryGates(
  place: Workspace,
  env: NodeJS.ProcessEnv,
  page: string,
  tell: (doing: string) => void,
): Promise<GateTrial> {
  const notGreen = new Map<string, string>();
  const behindBuild = new Map<string, string>();
  const read = readSettings({ name: '', text: page }, { name: '', text: undefined }, '/');
  if (!read.ok) return { notGreen, behindBuild };
  const built = await buildServices(
    place,
    env,
    (news) => news.kind === 'word' && tell(news.text),
    NO_JOURNAL,
    'examining',
  );
  const { setup, share, gates } = read.value;
  const withRemedy = (why: string, output: string): string =>
    [why, showHiddenTool(output, env)].filter((part) => part !== undefined).join('. To correct it: ');
  const services = { ...built, settings: { ...built.settings, setup, share, gates } };
  const target = await services.repository.target(undefined);
  if (!target.ok) return { notGreen, behindBuild, untried: `gates were not tried: ${target.why}` };
  const signal = AbortSignal.timeout(TRIAL_MINUTES * 60_000);
  const runGate: RunGate = (gate) =>
    runOnBase(services, { taskId: DOCTOR_PLACE, base: target.value.commit, gates: [gate], consents: [] }, signal);
  let untried: string | undefined;
  try {
    const found = listProjectGates(services);
    for (const gate of found) {
      tell(`gate ${gate.name} on the base`);
      const runs = await runGate(gate);
      if (!runs.ok && isAboutGate(runs.why)) notGreen.set(gate.name, withRemedy(runs.why, runs.why));
      else if (!runs.ok) {
        untried = `gates were not tried: ${runs.why.replace('\n', '. To correct it: ')}`;
        break;
      }
      const run = runs.ok ? runs.value.get(gateKey(gate)) : undefined;
      if (run === undefined || run.outcome === 'green') continue;
      const builds = found.filter(({ name }) => name === 'build' && name !== gate.name && !notGreen.has(name));
      if (builds.length > 0) tell(`gate ${gate.name} on the base, behind the build`);
      const build = await findNeededGate(runGate, gate, builds);
      if (build === undefined) notGreen.set(gate.name, withRemedy(describeFailedRun(run), run.output));
      else behindBuild.set(gate.name, behind(build, gate).run);
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    untried = `not every gate was tried within ${TRIAL_MINUTES} minutes: run \`andon doctor\``;
  } finally {
    services.folders.tidy(DOCTOR_PLACE);
  }
  return { notGreen, behindBuild, untried };
}

/** A gate that cannot be run by itself; what `setup`, `share` or the cage lacks concerns every gate. */
const isAboutGate = (why: string): boolean => / ended with 12[67] \(not runnable\)|did not end within/.test(why);
