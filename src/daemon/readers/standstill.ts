import type { LineRecord } from '../../record/line-record.ts';
import { FILES, HANDOFF } from '../../base/names.ts';
import { nameOnPage, refusalsOn } from '../../contract/refusal.ts';
import { sha256 } from '../../base/sha256.ts';
import { parseContract } from '../../contract/task-contract-schema.ts';
import type { LineFacts, RefusalView } from '../../line/line-facts.ts';
import type { Handoff } from '../../ports/handoff.ts';
import { handoffAt } from '../wiring/files.ts';
import { whyStopped } from '../wiring/pause.ts';
import type { Paused } from '../wiring/pause.ts';

/** What lies in `_handoff/` of a repository, and why nothing of it starts; looked at as the watchdog would, nothing is changed. */
export function standstill(
  root: string,
  paused: Paused | undefined,
  active: LineRecord | undefined,
): Pick<LineFacts, 'blocked' | 'waiting' | 'refusals' | 'refused' | 'decision'> {
  const handoff = handoffAt(root);
  const queued = handoff.queued().map((name) => `${FILES.queue}/${name}`);
  const names = [...(isDrop(handoff, active) ? [FILES.contract] : []), ...queued];
  const refusals = refusalsThatStand(handoff, [FILES.contract, ...queued]);
  const waits = (name: string): boolean => !refusals.some(({ file }) => file === `${HANDOFF}/${name}`);
  return {
    blocked: whyStopped(handoff, paused) ?? null,
    waiting: names.filter(waits).map((name) => `${HANDOFF}/${name}`),
    refusals,
    refused: refusals.length > 0,
    decision: handoff.exists(FILES.decision),
  };
}

/** While a task is on the line the contract there is its own; another task's is a drop that comes into the queue. */
function isDrop(handoff: Handoff, active: LineRecord | undefined): boolean {
  const read = handoff.read(FILES.contract);
  if (!handoff.exists(FILES.contract) || (read.ok && read.value === undefined)) return false;
  if (active === undefined) return true;
  const parsed = read.ok && read.value !== undefined ? parseContract(read.value) : undefined;
  return parsed?.ok === true && parsed.value.contract.taskId !== active.taskId;
}

/** What the page of refusals says of files that still lie there as they were read; one that was changed waits again. */
function refusalsThatStand(handoff: Handoff, names: readonly string[]): readonly RefusalView[] {
  const page = handoff.read(FILES.rejected);
  const told = page.ok && page.value !== undefined ? refusalsOn(page.value) : [];
  return told.flatMap(({ name, digest, at, faults, first }) => {
    const file = names.find((one) => nameOnPage(one) === name);
    if (file === undefined) return [];
    const read = handoff.read(file);
    const stands = sha256(read.ok ? (read.value ?? '') : read.why) === digest;
    return stands ? [{ file: `${HANDOFF}/${file}`, faults, first, at }] : [];
  });
}
