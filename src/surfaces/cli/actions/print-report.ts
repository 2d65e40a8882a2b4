import { resolve } from 'node:path';
import { toTerminal, toTerminalLine } from '../../../base/plain-text.ts';
import { gatherReport } from '../../../line/documents/task-report/facts.ts';
import { reportFacts } from '../../../line/documents/task-report/facts-json.ts';
import { REPORT_PAGE_MARK, renderReportPage } from '../../../line/documents/task-report/page.ts';
import { openForReading } from '../../../wiring/open-reader.ts';
import type { Journal } from '../../../wiring/open-journal.ts';
import type { Workspace } from '../../../wiring/load-workspace.ts';
import { readTaskArgument, readTextOption } from '../options.ts';
import { readPageForm, checkPagePath, writePage } from '../page-file.ts';
import { printJson, printLine } from '../print.ts';
import { recordOf, withJournal } from '../tasks.ts';
import type { Invocation } from '../command.ts';

const KIND = { kind: 'report', mark: REPORT_PAGE_MARK } as const;

/** `andon show --report`: a task as one HTML page or as JSON; written only where `--out` names a file. */
export function printReport(invocation: Invocation): Promise<number> {
  const taskId = readTaskArgument(invocation);
  const { options, cwd } = invocation;
  const out = readTextOption(options, 'out');
  const form = readPageForm(invocation);
  return withJournal(invocation, async (journal, place) => {
    const barred = {
      roots: [place.facts.root, place.inboxRoot],
      gitDirs: [place.facts.commonDir],
      states: [place.state],
    };
    const file = out === undefined ? undefined : checkPagePath(resolve(cwd, out), barred, KIND);
    const report = await gather(taskId, journal, place);
    if (form === 'json') {
      printJson(reportFacts(report));
      return 0;
    }
    const text = renderReportPage(report);
    if (file === undefined) process.stdout.write(process.stdout.isTTY ? toTerminal(text) : text);
    else {
      writePage(file, text);
      printLine(`wrote ${toTerminalLine(file)}`);
    }
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
