import { toPlainTexts } from '../../base/plain-texts.ts';
import { listShownRows, readDiff, type DiffFile, type DiffRow } from '../../base/read-diff.ts';
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

/** The latest change as a unified diff, file by file, up to a limit of rows; findings are at their lines. */
function Change({ report, patch }: { readonly report: TaskDetails['report']; readonly patch: string | undefined }) {
  const { diff, task_id: taskId, attempts, rounds } = report;
  if (diff === null) return <p class="soft">There is no change yet.</p>;
  if (patch === undefined)
    return (
      <p class="soft">
        The commits of {taskId} are not in this repository any more; {diff}.
      </p>
    );
  const files = readDiff(patch.replace(/\n$/, ''));
  const found = listFoundIn(rounds, attempts.findLast(({ commit }) => commit !== null)?.number ?? 0);
  const shown = cutRows(files.map(({ rows }) => listShownRows(rows)));
  const left = shown.reduce((sum, one) => sum + one.left, 0);
  return (
    <>
      {files.map((file, at) => (
        <File key={at} file={file} rows={shown[at]?.rows ?? []} found={found} />
      ))}
      {left === 0 ? null : (
        <p class="soft">
          {formatCount(left, 'more line')} not shown here: <code>andon show {taskId} --diff</code>
        </p>
      )}
    </>
  );
}

/** The rows of each file that are shown, the first ones of all, and how many of it are left out. */
function cutRows(files: readonly (readonly DiffRow[])[]) {
  let room = MOST_ROWS;
  return files.map((all) => {
    const rows = toPlainTexts(all.slice(0, room));
    room -= rows.length;
    return { rows, left: all.length - rows.length };
  });
}

/** A file with the numbers of all its lines; without rows, only its head. */
function File(props: {
  readonly file: DiffFile;
  readonly rows: readonly DiffRow[];
  readonly found: ReturnType<typeof listFoundIn>;
}) {
  const { rows, file } = props;
  const { path, from, change, isBinary } = toPlainTexts({ ...file, rows: [] });
  const found = props.found.filter((one) => one.file === path);
  const count = (kind: string): number | null =>
    isBinary ? null : file.rows.filter((row) => row.kind === kind).length;
  const head = (
    <FileHead file={{ path, from, change, added: count('added'), deleted: count('removed') }} found={found} />
  );
  if (rows.length === 0) return <p>{head}</p>;
  return (
    <details open>
      <summary>{head}</summary>
      <DiffRows path={path} rows={rows} found={found} />
    </details>
  );
}
