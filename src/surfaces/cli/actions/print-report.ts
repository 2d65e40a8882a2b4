import { readTaskReport } from '../../../daemon/readers/read-task-report.ts';
import { pageStyle } from '../../../wiring/own-files.ts';
import { readTaskArgument } from '../options.ts';
import { deliverPage, readPageOptions } from '../page-file.ts';
import { printJson } from '../print.ts';
import { recordOf, withJournal } from '../tasks.ts';
import type { Invocation } from '../command.ts';
import { loadReportPage } from '../../../wiring/load-pages.ts';

/** `andon show --report`: a task as one HTML page or as JSON; written only where `--out` names a file. */
export function printReport(invocation: Invocation): Promise<number> {
  const taskId = readTaskArgument(invocation);
  const { form, file } = readPageOptions(invocation, 'report');
  return withJournal(invocation, async (journal, place) => {
    const { details, patch } = await readTaskReport(place, journal, recordOf(journal, taskId), {
      patch: form !== 'json',
    });
    if (form === 'json') printJson(details.report);
    else {
      const { renderReportPage } = await loadReportPage();
      deliverPage(file, renderReportPage(details, patch, pageStyle(import.meta.url)));
    }
    return 0;
  });
}
