import { gatherReport } from '../../../line/documents/task-report/facts.ts';
import { reportFacts } from '../../../line/documents/task-report/facts-json.ts';
import { REPORT_PAGE_MARK, renderReportPage } from '../../../line/documents/task-report/page.ts';
import { openForReading } from '../../../wiring/open-reader.ts';
import type { Journal } from '../../../wiring/open-journal.ts';
import type { Workspace } from '../../../wiring/load-workspace.ts';
import { readTaskArgument } from '../options.ts';
import { deliverPage, readPageOptions } from '../page-file.ts';
import { printJson } from '../print.ts';
import { recordOf, withJournal } from '../tasks.ts';
import type { Invocation } from '../command.ts';

const KIND = { kind: 'report', mark: REPORT_PAGE_MARK } as const;

/** `andon show --report`: a task as one HTML page or as JSON; written only where `--out` names a file. */
export function printReport(invocation: Invocation): Promise<number> {
  const taskId = readTaskArgument(invocation);
  const { form, file } = readPageOptions(invocation, KIND);
  return withJournal(invocation, async (journal, place) => {
    const report = await gather(taskId, journal, place);
    if (form === 'json') printJson(reportFacts(report));
    else deliverPage(file, renderReportPage(report));
    return 0;
  });
}

async function gather(taskId: string, journal: Journal | undefined, place: Workspace) {
  const record = recordOf(journal, taskId);
  const { change } = record;
  const repository = await openForReading(place);
  const isThere = async (commit: string): Promise<boolean> => (await repository.resolve(commit)) !== undefined;
  const hasPatch = change !== undefined && (await isThere(change.base)) && (await isThere(change.commit));
  const refs = await repository.refsUnder(`refs/andon/${taskId}/`);
  const attempts = refs.filter(({ ref }) => /\/\d+(?:\.\d+)?$/.test(ref));
  return gatherReport(record, journal?.entries(taskId) ?? [], {
    now: new Date().toISOString(),
    patch: hasPatch ? await repository.patch(change.base, change.commit) : undefined,
    refs: new Map(attempts.map(({ ref, commit }) => [commit, ref])),
    isChainWhole: journal?.verify() === undefined,
  });
}
