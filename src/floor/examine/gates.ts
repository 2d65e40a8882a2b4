import type { GateResult } from '../../formats/change.ts';
import { runGates } from '../gates.ts';
import type { World } from '../world.ts';
import type { Check } from './check.ts';

/** The project's gates on the base commit: a gate that is red there proves nothing about a change. */
export async function gatesOnBase(world: World, base: string): Promise<readonly Check[]> {
  if (world.settings.gates.length === 0)
    return [
      {
        name: 'gates',
        state: 'warn',
        detail: 'none are configured: only the reviewers decide',
        remedy: 'add `gates` to .andon/config.yaml',
      },
    ];
  const run = await runGates(
    world,
    { taskId: 'doctor', base, gates: world.settings.gates.map((gate) => ({ ...gate, mustFailBefore: false })) },
    base,
    base,
    new AbortController().signal,
  );
  world.folders.tidy('doctor');
  if (!run.ok)
    return [
      {
        name: 'gates',
        state: 'fail',
        detail: run.why,
        remedy: 'correct `gates`, `setup` or `share` in .andon/config.yaml',
      },
    ];
  return run.value.results.map(gateCheck);
}

function gateCheck({ name, outcome, exit, ms, output }: GateResult): Check {
  if (outcome === 'green')
    return { name: `gate ${name}`, state: 'ok', detail: `green on the base in ${(ms / 1000).toFixed(1)} s` };
  return {
    name: `gate ${name}`,
    state: 'warn',
    detail: `red on the base (exit ${exit ?? 'none'}): ${output.trim().split('\n').at(-1) ?? ''}`,
    remedy: 'a gate that is red on the base blocks nothing and proves nothing; make it green first',
  };
}
