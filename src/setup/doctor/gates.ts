import type { BaseRun } from '../../record/base-run.ts';
import { gateKey } from '../../contract/gate.ts';
import type { TaskGate } from '../../contract/gate.ts';
import type { BaseRuns } from '../../daemon/gates/base-runs.ts';
import { ofProject, runOnBase } from '../../daemon/gates/gates.ts';
import type { Services } from '../../wiring/services.ts';
import { broken, poor } from './check.ts';
import type { Check } from './check.ts';
import { needsAnother } from './needs-another.ts';

/** The project's gates on the base commit, each told when it ends: a task would stop at one that is not green there. */
export async function* gatesOnBase(
  services: Services,
  base: string,
  tell: (doing: string) => void,
): AsyncGenerator<Check> {
  const gates = ofProject(services).map((gate) => ({ ...gate, mustFailBefore: false }));
  if (gates.length === 0)
    yield poor('gates', 'none are configured: only the reviewers decide', 'add `gates` to .andon/config.yaml');
  for (const [at, gate] of gates.entries()) {
    tell(`gate ${gate.name} on the base`);
    const job = { taskId: 'doctor', base, gates: [gate], consents: [], anew: true };
    const run = await runOnBase(services, job, new AbortController().signal);
    const check = run.ok ? await checkOf(services, base, gate, gates.slice(0, at), run.value) : undefined;
    services.folders.tidy('doctor');
    if (!run.ok) {
      yield broken('gates', run.why, 'correct `gates`, `setup` or `share` in .andon/config.yaml');
      return; // what it needs may be what the others need too
    }
    if (check !== undefined) yield check;
  }
}

/** What is to be said of a gate; one that is not green is tried once more behind those before it. */
async function checkOf(
  services: Services,
  base: string,
  gate: TaskGate,
  before: readonly TaskGate[],
  runs: BaseRuns,
): Promise<Check | undefined> {
  const ran = runs.get(gateKey(gate));
  if (ran === undefined) return undefined;
  const needed = ran.outcome === 'green' ? [] : await needsAnother(services, base, gate, before);
  return needed.length === 0
    ? gateCheck(gate.name, ran)
    : poor(
        `gate ${gate.name}`,
        `${ran.outcome} on the base by itself, green after ${needed.map(({ name }) => name).join(' and ')}: no gate sees what another one made`,
        `let it make what it needs: \`${[...needed, gate].map(({ run }) => run).join(' && ')}\``,
      );
}

function gateCheck(name: string, { outcome, exit, ms, output }: BaseRun): Check {
  if (outcome === 'green')
    return { name: `gate ${name}`, state: 'ok', detail: `green on the base in ${(ms / 1000).toFixed(1)} s` };
  const how = outcome === 'flaky' ? 'flaky on the base: red and green' : `${outcome} on the base`;
  return {
    name: `gate ${name}`,
    state: 'warn',
    detail: `${how} (exit ${exit ?? 'none'}): ${output.trim().split('\n').at(-1) ?? ''}`,
    remedy:
      'make it green first: every task halts (base_red) before its first call until you say what shall become of it',
  };
}
