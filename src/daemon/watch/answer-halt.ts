import type { LineRecord } from '../../record/line-record.ts';
import type { Services } from '../../wiring/services.ts';
import { checkChoice } from '../halts/check-decision.ts';
import type { Choice } from '../halts/check-decision.ts';
import { beginAnew } from './begin-anew.ts';
import { refuseMerged, resumeHalted } from './halt-line.ts';
import type { TaskLine } from './task-line.ts';

/**
 * Carries out a human's choice at a halt, or throws a Problem that says why it is refused; then nothing has moved. A task
 * that begins anew has no line any more, and whoever watched it opens one over its new record. `still` opens a line over
 * the halted task where none is watched.
 */
export async function answerHalt(
  services: Services,
  record: LineRecord,
  choice: Choice,
  watched: TaskLine | undefined,
  still: () => TaskLine,
): Promise<{ readonly record: LineRecord; readonly beginsAnew: boolean }> {
  await refuseMerged(services, record, watched, still);
  const checked = await checkChoice(services, record, choice);
  return checked.choice.effect.contract === 'edited'
    ? { record: await beginAnew(services, record, checked, watched), beginsAnew: true }
    : { record: await resumeHalted(services, record, checked, watched, still), beginsAnew: false };
}
