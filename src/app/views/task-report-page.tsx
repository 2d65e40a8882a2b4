import { toPlainTexts } from '../../base/plain-texts.ts';
import { listShownRows, readDiff } from '../../base/read-diff.ts';
import type { TaskDetails } from '../../line/reports/task-report/task-details.ts';
import { formatCount } from '../../base/format-count.ts';
import { listFoundIn } from '../../line/reports/task-report/list-found-in.ts';
import { DiffRows, FileHead } from './diff-rows.tsx';
import { renderFrame } from './page-frame.tsx';
import { KeyFigures, TaskHeader, listTaskSections } from './task-sections.tsx';

/** The most rows of a diff on the page; one command shows the rest. */
const MOST_ROWS = 1200;

export function renderReportPage(task: TaskDetails, patch: string | undefined, style: string): string {
  const details = toPlainTexts(task);
  const { task_id: taskId } = details.report;
  return renderFrame({
    generator: 'andon report',
    title: `${taskId}: ${details.word} (andon report)`,
    style,
    now: details.now,
    header: (
      <>
        <TaskHeader details={details} />
        <KeyFigures figures={details.figures} />
      </>
    ),
    sections: listTaskSections(details, { change: <Change report={details.report} patch={patch} /> }),
  });
}

/** The latest change as a unified diff, file by file, up to a limit; findings are at their lines. */
function Change({ report, patch }: { readonly report: TaskDetails['report']; readonly patch: string | undefined }) {
  const { diff, task_id: taskId, attempts, rounds } = report;
  if (diff === null) return <p class="soft">There is no change yet.</p>;
  if (patch === undefined)
    return (
      <p class="soft">
        The commits of {taskId} are not in this repository any more; {diff}.
      </p>
    );
  const all = patch.replace(/\n$/, '').split('\n');
  const files = toPlainTexts(readDiff(all.slice(0, MOST_ROWS).join('\n')));
  const found = listFoundIn(rounds, attempts.findLast(({ commit }) => commit !== null)?.number ?? 0);
  return (
    <>
      {files.map(({ path, from, change, isBinary, rows }, at) => {
        const here = found.filter(({ file }) => file === path);
        const count = (kind: string): number | null =>
          isBinary ? null : rows.filter((row) => row.kind === kind).length;
        return (
          <details key={at} open>
            <summary>
              <FileHead file={{ path, from, change, added: count('added'), deleted: count('removed') }} found={here} />
            </summary>
            <DiffRows path={path} rows={listShownRows(rows)} found={here} />
          </details>
        );
      })}
      {all.length <= MOST_ROWS ? null : (
        <p class="soft">
          {formatCount(all.length - MOST_ROWS, 'more line')} not shown here: <code>andon show {taskId} --diff</code>
        </p>
      )}
    </>
  );
}
