import { gateKey } from '../../contract/gate.ts';
import type { TaskGate } from '../../contract/gate.ts';
import { runOnBase } from '../../daemon/gates/gates.ts';
import type { Services } from '../../wiring/services.ts';

/**
 * The gates among those before it without whose work a gate is red: one that is enough, else all. Every gate has a place
 * of its own, so a gate that counts on what another one made is green only where both run in one command.
 */
export async function needsAnother(
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
  const gates = [{ ...gate, run, timeoutMinutes, mustFailBefore: false }];
  const job = { taskId: 'doctor', base, gates, consents: [], anew: true };
  const ran = await runOnBase(services, job, new AbortController().signal);
  return ran.ok && ran.value.get(gateKey(gate))?.outcome === 'green';
}
