import { Problem } from '../base/problem.ts';
import { openForReading } from '../wiring/open-reader.ts';
import type { Workspace } from '../wiring/load-workspace.ts';
import type { SubjectOptions } from '../inspection/gather-subject.ts';
import { renderGateEvidence } from '../line/documents/reports.ts';
import { describeContract } from '../line/stations/brief.ts';
import type { LineRecord } from '../record/line-record.ts';
import type { PanelRequest } from './panel-subject.ts';

/** The change and requirements of a task as a review subject; undefined without a change. */
export async function loadTaskSubject(
  place: Workspace,
  record: LineRecord,
): Promise<{ readonly look: SubjectOptions; readonly asked: PanelRequest }> {
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
    asked: { words: describeContract(record, true), gates: renderGateEvidence(record.gates, record.bending) },
  };
}
