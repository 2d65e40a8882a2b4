import type { TaskRecord } from '../record/task-record.ts';
import { FILES } from '../../base/names.ts';
import { parseContract } from '../../project/contract/task-contract-schema.ts';
import { renderContract } from '../core/contract-document.ts';
import type { StepResult } from '../core/step.ts';
import type { Arrivals } from './contract-queue.ts';
import { resolveWorker } from '../calls/resolve-worker.ts';
import { createTamperedOutcome, isContractUnchanged } from '../documents/own-papers.ts';
import { showContract } from '../documents/paperwork.ts';
import type { Needs } from '../services/services.ts';

/** The state of the contract on disk while a task runs: unchanged, a newer version of the drop, or tampered with. */
type OnDisk =
  | { readonly is: 'well' }
  | { readonly is: 'rewritten'; readonly text: string }
  | { readonly is: 'tampered'; readonly step: Omit<StepResult, 'noted'> };

/** Checks the contract on disk while a task runs; a second contract moves into the queue. */
export function lookAtContract(
  services: Needs<'agents' | 'clock' | 'digest' | 'handoff' | 'journal' | 'profiles' | 'say' | 'settings'>,
  record: TaskRecord,
  arrivals: Arrivals,
): OnDisk {
  const { handoff } = services;
  const halted = record.status === 'erik_consultation';
  const dropped = handoff.read(FILES.contract);
  if (!dropped.ok || dropped.value === undefined) return { is: 'well' };
  if (isContractUnchanged(services, record, dropped)) {
    if (!halted && dropped.value !== renderContract(record)) showContract(services, record);
    return { is: 'well' };
  }
  const parsed = parseContract(dropped.value);
  if (parsed.ok && parsed.value.contract.taskId !== record.taskId) {
    arrivals.queueDropped(parsed.value.contract.taskId, dropped.value);
    if (!halted || !handoff.exists(FILES.lock)) showContract(services, record);
    return { is: 'well' };
  }
  if (halted || (!parsed.ok && arrivals.mayBeUnfinished(FILES.contract, dropped.value))) return { is: 'well' };
  // Before the first attempt has a result, a rewrite is a newer version of the drop, unless the agent could write it.
  if (parsed.ok && record.history.length === 0 && !mayBeOfAgent(services, record))
    return { is: 'rewritten', text: dropped.value };
  const step = { at: services.clock.now(), ...createTamperedOutcome(services, record, dropped.value) };
  return { is: 'tampered', step };
}

/** Whether the implementer was called and runs outside any cage: then it may have written the file. */
function mayBeOfAgent(services: Needs<'agents' | 'journal' | 'profiles' | 'settings'>, record: TaskRecord): boolean {
  const entries = services.journal.entries(record.taskId);
  const begun = entries.findLastIndex(({ kind }) => kind === 'admitted');
  if (!entries.slice(begun).some(({ kind }) => kind === 'started')) return false;
  const { agent, edits } = resolveWorker(services, record, 'implementer');
  return agent.worksAsYou === true && !(edits && services.settings.cage.driver !== 'none');
}
