import type { TaskRecord } from '../record/task-record.ts';
import { toBranchName } from '../../base/names.ts';
import { computeBaseKey } from './base-runs.ts';
import { listProjectGates } from './run-gates.ts';
import { waitWhilePaused } from '../night/pause.ts';
import { rebaseOntoTarget } from '../git/rewritten-target.ts';
import { Stopped, type StepOutcome } from '../journal/step-journal.ts';
import type { GateServices, Needs } from '../services/services.ts';

/** To look through shared folders costs more than to look at a branch; it is done this often. */
const LOOK_MS = 5000;

const GATES_AGAIN = 'moved; its gates are asked again';

/**
 * Waits until the target has moved, or the setup no longer has the digest `key`; then the gates run on the base again.
 * Returns the outcome that moves the line onto the new target; undefined when the setup changed.
 */
export async function waitForBase(
  services: GateServices & Needs<'bell' | 'handoff' | 'journal'>,
  record: TaskRecord,
  key: string,
  signal: AbortSignal,
): Promise<StepOutcome | undefined> {
  const target = toBranchName(record.target);
  services.say({
    kind: 'word',
    level: 'info',
    text: `${record.taskId}: waits until ${target} or the setup has changed`,
  });
  for (let looked = Number.NEGATIVE_INFINITY; ;) {
    const next = services.bell.next(signal);
    const now = await services.repository.resolve(record.target);
    if (now !== undefined && now !== record.base) return rebaseOntoTarget(services, record, now, GATES_AGAIN);
    if (performance.now() - looked >= LOOK_MS) {
      if (!(await isSame(services, record.base, key))) return undefined;
      looked = performance.now();
    }
    await next;
    if (signal.aborted) throw new Stopped();
    await waitWhilePaused(services, signal);
  }
}

/** A person may have mended the target before answering a halt about the base, so a task that has not begun uses its current commit. */
export async function rebaseUnstarted(
  services: Needs<'digest' | 'repository'>,
  record: TaskRecord,
): Promise<StepOutcome | undefined> {
  if (record.change !== undefined || record.lastChoice?.effect.gates === undefined) return undefined;
  const now = await services.repository.resolve(record.target);
  return now === undefined || now === record.base ? undefined : rebaseOntoTarget(services, record, now, GATES_AGAIN);
}

/** Whether one of the gates still rests on what the answer rested on; a gate that is gone from the configuration does not. */
async function isSame(
  services: Needs<'cage' | 'digest' | 'folders' | 'repository' | 'root' | 'settings'>,
  base: string,
  key: string,
): Promise<boolean> {
  for (const gate of listProjectGates(services)) if ((await computeBaseKey(services, gate, base)) === key) return true;
  return false;
}
