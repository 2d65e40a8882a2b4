import { checkBreakers } from '../../breakers/index.ts';
import type { Change, GateRun } from '../../formats/change.ts';
import { diffStat, redOnBaseToo } from '../../formats/change.ts';
import { failingPart } from '../../formats/failing-part.ts';
import type { Facts } from '../../formats/journal-entry.ts';
import type { LineRecord } from '../../formats/line-record.ts';
import { takeStep } from '../../line/step.ts';
import { gateJob, runGates } from '../gates.ts';
import type { StepOutcome } from '../step-log.ts';
import type { World } from '../world.ts';
import { ruleOnChange, ruleOnGates } from './keep-rules.ts';

/** Characters of all red gates' outputs together that go back to the implementer. */
const OUTPUT = 6000;

/** Runs the gates on a change, unless a breaker already objects to the change itself. */
export async function gateChange(
  world: World,
  record: LineRecord,
  change: Change,
  signal: AbortSignal,
  facts: Facts,
): Promise<StepOutcome> {
  const ready: StepOutcome = { event: 'code_written', reason: `change ready: ${diffStat(change)}`, facts };
  const step = { ...ready, at: world.clock.now(), noted: [] };
  if (checkBreakers(takeStep(record, step, record.status)).length > 0) return ready;
  const ruled = await ruleOnChange(world, record, change, facts);
  if (ruled.objection !== undefined) return ruled.objection;
  const run = await runGates(world, gateJob(world, record), change.commit, change.tree, signal);
  if (!run.ok) return { event: 'fault', reason: run.why, facts: { ...facts, fault: run.why } };
  const red = run.value.results.filter(({ blocks }) => blocks);
  if (red.length === 0) {
    const known = { ...facts, gates: run.value };
    const { rulings, objection } = await ruleOnGates(world, record, change, run.value, ruled.rulings, known);
    if (objection !== undefined) return objection;
    return {
      ...ready,
      reason: `${ready.reason}; ${gateWords(run.value)}`,
      facts: { ...known, ...(rulings.length === 0 ? {} : { rulings: [...rulings] }) },
    };
  }
  const hidden = new Set(record.contract.holdout.gates.map(({ name }) => name));
  const text = red
    .map(({ name, run: command, exit, output, why }) =>
      hidden.has(name)
        ? 'A check that is not shown to you failed; meet every requirement.'
        : `gate ${name} (\`${command}\`) ended with ${exit ?? 'no exit code'}${why === undefined ? '' : `: ${why}`}\n${failingPart(output, Math.floor(OUTPUT / red.length))}`,
    )
    .join('\n\n');
  return {
    event: 'gate_red',
    reason: `red: ${red.map(({ name }) => name).join(', ')}`,
    facts: { ...facts, gates: run.value, feedback: [{ from: 'gates', text }] },
  };
}

function gateWords(run: GateRun): string {
  const { results } = run;
  if (results.length === 0) return 'no gates';
  const green = results.filter(({ outcome }) => outcome === 'green').length;
  const known = redOnBaseToo(run);
  return `${green} of ${results.length} gates green${known.length === 0 ? '' : `, red on the base too (no evidence either way): ${known.join(', ')}`}`;
}
