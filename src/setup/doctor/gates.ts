import type { BaseRun } from '../../record/base-run.ts';
import { gateKey } from '../../contract/gate.ts';
import type { TaskGate } from '../../contract/gate.ts';
import type { Outcome } from '../../base/outcome.ts';
import type { BaseRuns } from '../../daemon/gates/base-runs.ts';
import { listProjectGates, runOnBase } from '../../daemon/gates/run-gates.ts';
import type { Services } from '../../wiring/services.ts';
import { failedCheck, warningCheck, passedCheck } from './check.ts';
import type { DoctorCheck } from './check.ts';

/** The project's gates on the base commit, each told when it ends: a task would stop at one that is not green there. */
export async function* checkGatesOnBase(
  services: Services,
  base: string,
  tell: (doing: string) => void,
): AsyncGenerator<DoctorCheck> {
  const gates = listProjectGates(services).map((gate) => ({ ...gate, mustFailBefore: false }));
  if (gates.length === 0)
    yield warningCheck('gates', 'none are configured: only the reviewers decide', 'add `gates` to .andon/config.yaml');
  for (const [at, gate] of gates.entries()) {
    tell(`gate ${gate.name} on the base`);
    const run = await runAlone(services, base, gate);
    const check = run.ok ? await checkOf(services, base, gate, gates.slice(0, at), run.value) : undefined;
    services.folders.tidy('doctor');
    if (!run.ok) {
      yield failedCheck('gates', run.why, 'correct `gates`, `setup` or `share` in .andon/config.yaml');
      return; // what it needs may be what the others need too
    }
    if (check !== undefined) yield check;
  }
}

/** Runs one gate on the base, whatever is known of earlier runs. */
function runAlone(services: Services, base: string, gate: TaskGate): Promise<Outcome<BaseRuns, string>> {
  const job = { taskId: 'doctor', base, gates: [gate], consents: [], refresh: true };
  return runOnBase(services, job, new AbortController().signal);
}

/** What is to be said of a gate; one that is not green is tried once more behind those before it. */
async function checkOf(
  services: Services,
  base: string,
  gate: TaskGate,
  before: readonly TaskGate[],
  runs: BaseRuns,
): Promise<DoctorCheck | undefined> {
  const ran = runs.get(gateKey(gate));
  if (ran === undefined) return undefined;
  const needed = ran.outcome === 'green' ? [] : await needsAnother(services, base, gate, before);
  return needed.length === 0
    ? gateCheck(gate, ran)
    : warningCheck(
        `gate ${gate.name}`,
        `${ran.outcome} on the base by itself, green after ${needed.map(({ name }) => name).join(' and ')}: no gate sees what another one made`,
        `let it make what it needs: \`${[...needed, gate].map(({ run }) => run).join(' && ')}\``,
      );
}

function gateCheck({ name, results }: TaskGate, { outcome, exit, ms, output, passed }: BaseRun): DoctorCheck {
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
  const how = outcome === 'flaky' ? 'flaky on the base: red and green' : `${outcome} on the base`;
  return warningCheck(
    `gate ${name}`,
    `${how} (exit ${exit ?? 'none'}): ${output.trim().split('\n').at(-1) ?? ''}`,
    'make it green first: every task halts (base_red) before its first call until you say what shall become of it',
  );
}

/**
 * The gates among those before it without whose work a gate is red: one that is enough, else all. Every gate has a place
 * of its own, so a gate that counts on what another one made is green only where both run in one command.
 */
async function needsAnother(
  services: Services,
  base: string,
  gate: TaskGate,
  before: readonly TaskGate[],
): Promise<readonly TaskGate[]> {
  if (before.length === 0 || !(await isGreenAfter(services, base, gate, before))) return [];
  if (before.length === 1) return before;
  for (const one of before.toReversed()) if (await isGreenAfter(services, base, gate, [one])) return [one];
  return before;
}

async function isGreenAfter(
  services: Services,
  base: string,
  gate: TaskGate,
  before: readonly TaskGate[],
): Promise<boolean> {
  const run = [...before.map((one) => `( ${one.run}\n) > /dev/null 2>&1`), gate.run].join('\n');
  const timeoutMinutes = [gate, ...before].reduce((sum, one) => sum + one.timeoutMinutes, 0);
  const ran = await runAlone(services, base, { ...gate, run, timeoutMinutes, mustFailBefore: false });
  return ran.ok && ran.value.get(gateKey(gate))?.outcome === 'green';
}
