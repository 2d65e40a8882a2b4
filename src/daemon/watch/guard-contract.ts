import type { Arrivals } from '../intake/contract-queue.ts';
import { lookAtContract } from '../intake/contract-on-disk.ts';
import { haltUnlessMerged } from './halt-line.ts';
import type { TaskLine } from './task-line.ts';
import type { Services } from '../../wiring/services.ts';

/**
 * While a task runs, the contract on disk is andon's: an edit is a new drop, a second contract, or tampering, which halts
 * the line. True when a newer version of the drop lies there that may take the task's place.
 */
export async function guardContract(services: Services, line: TaskLine, arrivals: Arrivals): Promise<boolean> {
  const found = lookAtContract(services, line.sealed, arrivals);
  if (found.is === 'tampered') await haltUnlessMerged(services, line, found.step);
  return found.is === 'rewritten' && (await arrivals.mayBeAdmitted(found.text));
}
