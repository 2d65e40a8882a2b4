import type { LineRecord } from '../formats/line-record.ts';
import { FILES } from '../formats/names.ts';
import { parseContract } from '../formats/task-contract-schema.ts';
import { withoutSecrets } from '../governance/secrets/mask.ts';
import { contractText } from '../line/face.ts';
import type { StepResult } from '../line/step.ts';
import type { Arrivals } from './arrivals.ts';
import { contractIsOurs, showContract } from './paperwork.ts';
import type { World } from './world.ts';

/** What the contract on disk is, while a task runs: as it must be, a newer version of the drop, or tampered with. */
export type OnDisk =
  | { readonly is: 'well' }
  | { readonly is: 'rewritten'; readonly text: string }
  | { readonly is: 'tampered'; readonly step: Omit<StepResult, 'noted'> };

/** Looks at the contract on disk while a task runs; a second contract is put into the queue on the way. */
export function lookAtContract(world: World, record: LineRecord, arrivals: Arrivals): OnDisk {
  const { handoff } = world;
  const halted = record.status === 'erik_consultation';
  const dropped = handoff.read(FILES.contract);
  if (!dropped.ok || dropped.value === undefined) return { is: 'well' };
  if (contractIsOurs(world, record, dropped)) {
    if (!halted && dropped.value !== contractText(record)) showContract(world, record);
    return { is: 'well' };
  }
  const parsed = parseContract(dropped.value);
  if (parsed.ok && parsed.value.contract.taskId !== record.taskId) {
    arrivals.queueDropped(parsed.value.contract.taskId, dropped.value);
    if (!halted || !handoff.exists(FILES.lock)) showContract(world, record);
    return { is: 'well' };
  }
  if (halted || (!parsed.ok && arrivals.mayBeUnfinished(FILES.contract, dropped.value))) return { is: 'well' };
  // A rewrite before the first attempt has come to anything is simply the newer version of the drop.
  if (parsed.ok && record.history.length === 0) return { is: 'rewritten', text: dropped.value };
  const found = world.digest(dropped.value);
  const ours = contractText(record);
  const expected = world.digest(ours);
  const facts = { tampered: { found, expected, edited: dropped.value, ours: withoutSecrets(ours) } };
  return {
    is: 'tampered',
    step: { at: world.clock.now(), event: 'tampered', reason: 'the contract was changed on disk', facts },
  };
}
