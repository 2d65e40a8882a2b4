import { resolve } from 'node:path';
import { forTerminal, inOneTerminalLine } from '../../../base/plain-text.ts';
import { gatherReport } from '../../../line/documents/task-report/facts.ts';
import { reportFacts } from '../../../line/documents/task-report/facts-json.ts';
import { PAGE_MARK, renderPage } from '../../../line/documents/task-report/page.ts';
import { openForReading } from '../../../wiring/open-reader.ts';
import type { Journal } from '../../../wiring/open-journal.ts';
import type { Place } from '../../../wiring/open-place.ts';
import { taskArgument, textOption } from '../options.ts';
import { formOf, freePlace, writePage } from '../page-file.ts';
import { json, line } from '../print.ts';
import { recordOf, withJournal } from '../tasks.ts';
import type { Invocation } from '../command.ts';

const KIND = { kind: 'report', mark: PAGE_MARK } as const;

/** `andon show --report`: a task as one HTML page or as JSON; written only where `--out` names a file. */
export function printReport(invocation: Invocation): Promise<number> {
  const taskId = taskArgument(invocation);
  const { options, cwd } = invocation;
  const out = textOption(options, 'out');
  const form = formOf(invocation);
  return withJournal(invocation, async (journal, place) => {
    const barred = {
      roots: [place.facts.root, place.inboxRoot],
      gitDirs: [place.facts.commonDir],
      states: [place.state],
    };
    const file = out === undefined ? undefined : freePlace(resolve(cwd, out), barred, KIND);
    const report = await gather(taskId, journal, place);
    if (form === 'json') {
      json(reportFacts(report));
      return 0;
    }
    const text = renderPage(report);
    if (file === undefined) process.stdout.write(process.stdout.isTTY ? forTerminal(text) : text);
    else {
      writePage(file, text);
      line(`wrote ${inOneTerminalLine(file)}`);
    }
    return 0;
  });
}

async function gather(taskId: string, journal: Journal | undefined, place: Place) {
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
