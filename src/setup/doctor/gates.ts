import { findFailureLine } from '../../base/failing-part.ts';
import type { BaseRun } from '../../record/base-run.ts';
import { gateKey, type TaskGate } from '../../contract/gate.ts';
import type { Outcome } from '../../base/outcome.ts';
import type { BaseRuns } from '../../daemon/gates/base-runs.ts';
import { listProjectGates, runOnBase } from '../../daemon/gates/run-gates.ts';
import type { Settings } from '../../config/read-settings.ts';
import type { lookAtConfig } from '../init.ts';
import type { GateServices } from '../../wiring/services.ts';
import { failedCheck, warningCheck, passedCheck, type DoctorCheck } from './check.ts';

/** The project's gates on the base commit, each told when it ends: a task would stop at one that is not green there. */
export async function* checkGatesOnBase(
  services: GateServices,
  base: string,
  tell: (doing: string) => void,
): AsyncGenerator<DoctorCheck> {
  const gates = listProjectGates(services).map((gate) => ({ ...gate, mustFailBefore: false }));
  if (gates.length === 0)
    yield warningCheck('gates', 'none are configured: only the reviewers decide', 'add `gates` to .andon/config.yaml');
  for (const gate of gates) {
    tell(`gate ${gate.name} on the base`);
    const run = await runAlone(services, base, gate);
    services.folders.tidy('doctor');
    if (!run.ok) {
      const [detail = '', remedy] = run.why.split('\n');
      yield failedCheck(
        'gates',
        detail,
        remedy ?? `correct \`gates\`, \`setup\` or \`share\` in .andon/config.yaml. Try: \`${gate.run}\``,
      );
      return; // what it needs may be what the others need too
    }
    const ran = run.value.get(gateKey(gate));
    if (ran !== undefined) yield gateCheck(gate, ran);
  }
}

/** The gates that `init` found and left out. */
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

/** Runs one gate on the base, whatever is known of earlier runs. */
function runAlone(services: GateServices, base: string, gate: TaskGate): Promise<Outcome<BaseRuns, string>> {
  const job = { taskId: 'doctor', base, gates: [gate], consents: [], refresh: true };
  return runOnBase(services, job, new AbortController().signal);
}

function gateCheck({ name, run, results }: TaskGate, { outcome, exit, ms, output, passed }: BaseRun): DoctorCheck {
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
    `Try \`${run}\` in a fresh clone: a gate sees the tracked files and \`share\` (read-only), nothing that was built. Until it is green, every task halts (base_red).`,
  );
}

/** Why a gate is not green on the base, in one line. */
export function describeFailedRun({ outcome, exit, output }: Pick<BaseRun, 'outcome' | 'exit' | 'output'>): string {
  const how = outcome === 'flaky' ? 'flaky on the base: red and green' : `${outcome} on the base`;
  return `${how} (exit ${exit ?? 'none'}): ${whatFailed(output)}`;
}

/** The names of the failed tests where they are known, else the line that says why, else the last one. */
function whatFailed(output: string): string {
  const lines = output.trim().split('\n');
  const tests = lines[0] === 'Failed tests:' ? lines.filter((line) => line.startsWith('- ')) : [];
  if (tests.length > 0)
    return `${tests.length} failed: ${tests
      .map((line) => line.slice(2))
      .slice(0, 3)
      .join('; ')}`;
  return findFailureLine(output)?.trim() ?? lines.at(-1) ?? '';
}
