import { Problem } from '../base/problem.ts';
import { openForReading } from '../wiring/open-reader.ts';
import type { Place } from '../wiring/open-place.ts';
import type { Look } from '../inspection/subject-of.ts';
import { gateEvidence } from '../line/documents/reports.ts';
import { contractInWords } from '../line/stations/brief.ts';
import type { LineRecord } from '../record/line-record.ts';
import type { Asked } from './material.ts';

/** The change and requirements of a task as a review subject; undefined without a change. */
export async function ofTask(
  place: Place,
  record: LineRecord,
): Promise<{ readonly look: Look; readonly asked: Asked }> {
  const { change, taskId } = record;
  if (change === undefined) throw new Problem('no-task', `${taskId} has no change yet`, 'andon status', 1);
  const repository = await openForReading(place);
  if ((await repository.resolve(change.base)) === undefined || (await repository.resolve(change.commit)) === undefined)
    throw new Problem(
      'no-task',
      `the commits of ${taskId} are missing from this repository`,
      `andon show ${taskId}`,
      1,
    );
  return {
    look: { span: { from: change.base, to: change.commit, title: `the change of ${taskId}` } },
    asked: { words: contractInWords(record, true), gates: gateEvidence(record.gates, record.bending) },
  };
}
