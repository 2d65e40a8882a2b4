import { describeActivity, STATUS_PHRASES, viewActivity } from '../../../line/words/view-activity.ts';
import { readLine } from '../../../line/readers/read-line.ts';
import { formatBriefContext } from '../../../line/record/brief-context.ts';
import { formatComment } from '../../../project/requests/comment.ts';
import { formatTakeover } from '../../../line/record/implementers.ts';
import type { JournalEntry } from '../../../line/record/journal-entry.ts';
import { formatLocalTime, withLocalTimes } from '../../../base/local-time.ts';
import { toTerminalLine, toTerminal } from '../../../base/plain-text.ts';
import { computeCost } from '../../../line/core/cost.ts';
import { formatCount } from '../../../base/format-count.ts';
import { formatDuration, formatTokens } from '../../../line/reports/task-report/format-figures.ts';
import { listStory } from '../../../line/words/list-story.ts';
import { viewTask } from '../../../line/words/view-task.ts';
import { openKept, openForReading } from '../../../project/workspace/open-reader.ts';
import { createUsageError, Problem } from '../../../base/problem.ts';
import { hasFlag, readNumberOption } from '../options.ts';
import { printJson, printLine, printSentence, getStatusStyle, colourText } from '../print.ts';
import { NO_GATE, gateLine, withTask } from '../tasks.ts';
import { conflictingOptions } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';
import { explain, type Explained } from '../../../line/core/step.ts';
import { readTaskReport } from '../../../line/readers/read-task-report.ts';
import { pageStyle } from '../../../base/system/install-root.ts';
import { deliverPage, readPageOptions } from '../page-file.ts';
import { loadReportPage } from '../load-pages.ts';
import { TERMINAL } from '../../../base/names.ts';

type Action = (invocation: Invocation) => Promise<number>;

/** What can be shown instead of the story, by its option. */
const VIEWS: Readonly<Record<string, Action>> = {
  diff: (invocation) => printDiff(invocation),
  /** Every breaker is asked again over the recorded evidence; exit 1 when an answer is another than then. */
  explain: (invocation) =>
    withTask(invocation, ({ taskId }, journal) => {
      const steps = explain(journal.entries(taskId));
      const isSame = steps.every(({ same }) => same);
      if (hasFlag(invocation.options, 'json')) printJson({ task_id: taskId, same: isSame, steps });
      else printBreakers(steps);
      return isSame ? 0 : 1;
    }),
  report: printReport,
  cost: async (invocation) => (await import('../print-cost.ts')).printCost(invocation),
  prompt: (invocation) => printCall(invocation, 'prompt'),
  answer: (invocation) => printCall(invocation, 'answer'),
};

/** Views that have no JSON form. */
const TEXTS: readonly (string | undefined)[] = ['diff', 'prompt', 'answer'];

/** `andon show`: one task with its findings, cost and story, or another view of it. */
export async function run(invocation: Invocation): Promise<number> {
  const { options } = invocation;
  const [task = 'FIX-1'] = invocation.args as readonly string[];
  const views = Object.keys(VIEWS).filter((name) => options[name] !== undefined);
  if (views.length > 1)
    throw conflictingOptions(
      views.map((name) => `--${name}`),
      'andon show --help',
    );
  const [view] = views;
  if (TEXTS.includes(view) && hasFlag(options, 'json'))
    throw conflictingOptions([`--${view}`, '--json'], `andon show ${task} --${view}`);
  const action = view === undefined ? printStory : VIEWS[view];
  return action === undefined ? 2 : action(invocation);
}

const printCall = (invocation: Invocation, what: 'prompt' | 'answer'): Promise<number> =>
  withTask(invocation, ({ taskId, callCount }, journal, place) => {
    const example = `andon show ${taskId} --${what}`;
    const isLast = invocation.options[what] === true;
    const call = isLast
      ? callCount
      : (readNumberOption(invocation.options, what, { from: 1, to: callCount, example }) ?? 0);
    const text = openKept(place).readCall(taskId, call, what);
    if (text === undefined)
      throw createUsageError(
        what === 'answer'
          ? describeMissingAnswer(journal.entries(taskId), taskId, call)
          : `Call ${call} of ${taskId} has no ${what}.`,
        callCount === 0 ? `No call was made yet. Run \`andon show ${taskId}\`.` : `Run \`andon show ${taskId}\`.`,
      );
    printLine(toTerminal(text));
    return 0;
  });

/** Why a call has no answer, and what a failed program printed at last. */
function describeMissingAnswer(entries: readonly JournalEntry[], taskId: string, call: number): readonly string[] {
  const missing = `Call ${call} of ${taskId} has no answer`;
  const entry = entries.findLast((one) => 'call' in one && one.call === call && one.kind !== 'canary');
  if (entry?.kind === 'called' && !entry.ok)
    return [
      `${missing}: it failed (${toTerminalLine(entry.why ?? 'for an unknown reason', 400)}).`,
      ...(entry.output === undefined ? [] : ['It printed at last:', ...entry.output.split('\n')]),
    ];
  if (entry?.kind === 'held') return [`${missing}: its agent was out of reach (${toTerminalLine(entry.reason, 400)}).`];
  if (entry?.kind === 'interrupted') return [`${missing}: it was interrupted.`];
  return [entry?.kind === 'started' ? `${missing} yet.` : `${missing}.`];
}

const printStory = (invocation: Invocation): Promise<number> =>
  withTask(invocation, async (record, journal, place) => {
    const view = viewTask(record);
    const isOver = TERMINAL.includes(record.status);
    const activity = viewActivity(record, isOver ? undefined : await readLine(place, journal));
    const entries = journal.entries(record.taskId);
    const { total } = computeCost(entries);
    const story = listStory(entries);
    if (hasFlag(invocation.options, 'json')) {
      printJson({ ...view, activity, calls: record.calls, contexts: contextsOf(entries), story });
      return 0;
    }
    const phrase = STATUS_PHRASES[view.status];
    const state = phrase === view.status ? '' : ` ${colourText('dim', `(${view.status})`)}`;
    printSentence(
      `${colourText('bold', view.task_id)}  ${colourText(getStatusStyle(view.status), phrase)}${state}  ${withLocalTimes(toTerminalLine(describeActivity(activity)), new Date())}`,
    );
    printLine(`  ${toTerminalLine(view.title)}`);
    printLine(
      `  ${view.branch} for ${view.target}; base ${view.base.slice(0, 12)}${view.commit === null ? '' : `, change ${view.commit.slice(0, 12)} (${view.diff ?? ''})`}`,
    );
    printLine(`  attempts ${view.attempt}, review cycles ${view.review_cycles}, rebuttals ${view.rebuttals}`);
    for (const takeover of view.takeovers) printSentence(`  implementer: ${formatTakeover(takeover)}`);
    printLine(
      `  ${formatCount(total.calls, 'call')}, ${view.cost_usd === null ? 'cost partly unknown' : `$${view.cost_usd.toFixed(4)}`}, ${formatTokens(total.tokensIn + total.tokensOut, total.unknownTokens)}, ${formatDuration(view.agent_seconds * 1000)} of agents' time`,
    );
    if (view.ungated) printLine(`  ${NO_GATE}`);
    for (const gate of view.gates) printLine(`  ${gateLine(gate)}`);
    for (const doubt of view.not_sure) printSentence(`  ${toTerminalLine(doubt, 600)}`);
    for (const finding of view.findings) printLine(`  ${toTerminalLine(finding)}`);
    for (const comment of record.comments)
      printLine(`  open comment on attempt ${comment.about}: ${toTerminalLine(formatComment(comment), 600)}`);
    for (const { call, station, model, context } of contextsOf(entries))
      printLine(
        `  call ${call}, ${station} ${toTerminalLine(model, 60)}: ${toTerminalLine(formatBriefContext(context), 400)}`,
      );
    printLine();
    for (const { at, text } of story)
      printSentence(`${colourText('dim', formatLocalTime(at, new Date(), { seconds: true }))}  ${text}`);
    return 0;
  });

/** What each call was shown and what not, and why, where that was chosen. */
const contextsOf = (entries: readonly JournalEntry[]) =>
  entries.flatMap((entry) =>
    entry.kind === 'started' && entry.context !== undefined
      ? [{ call: entry.call, station: entry.station, model: entry.model, context: entry.context }]
      : [],
  );

function printBreakers(steps: readonly Explained[]): void {
  const halts = steps.filter(({ recorded }) => recorded.length > 0).length;
  printLine(
    `${formatCount(steps.length, 'transition')}, ${formatCount(halts, 'halt')}; all breakers were asked again, on what the journal holds.`,
  );
  for (const { at, from, to, event, answers, recorded, same } of steps) {
    if (recorded.length === 0 && same) continue;
    printSentence(`\n${at}  ${from} -> ${to}, by the event ${event}`);
    for (const { breaker, question, trips } of answers)
      printLine(
        trips === undefined
          ? colourText('dim', `  no       ${breaker}: ${question}`)
          : `  ${colourText('red', 'TRIPPED')}  ${breaker}: ${toTerminalLine(trips, 400)}`,
      );
    if (!same) printLine(colourText('red', `  then it was: ${recorded.join(', ') || 'no breaker'}`));
  }
  const differing = steps.filter(({ same }) => !same).length;
  printLine(
    differing === 0
      ? '\nThe answers are the same as they were then.'
      : colourText(
          'red',
          `\n${formatCount(differing, 'answer')} differ from then: another version of andon, or a changed journal.`,
        ),
  );
}

/** `andon show --diff`: the change as a patch; escaped on a terminal, as git writes it into a pipe. */
const printDiff = (invocation: Invocation): Promise<number> =>
  withTask(invocation, async ({ taskId, change }, _journal, place) => {
    if (change === undefined) throw new Problem('no-task', `${taskId} has no change yet.`, 'Run `andon status`.', 1);
    const repository = await openForReading(place);
    if ((await repository.resolve(change.base)) === undefined)
      throw new Problem(
        'no-task',
        `The commits of ${taskId} are not in this repository.`,
        `Run \`andon show ${taskId}\` to see what is known.`,
        1,
      );
    const patch = await repository.patch(change.base, change.commit);
    process.stdout.write(process.stdout.isTTY ? toTerminal(patch) : patch);
    return 0;
  });

/** `andon show --report`: a task as one HTML page or as JSON; written only where `--out` names a file. */
async function printReport(invocation: Invocation): Promise<number> {
  const { form, file } = readPageOptions(invocation, 'report');
  return withTask(invocation, async (record, journal, place) => {
    const { details, patch } = await readTaskReport(place, journal, record, { patch: form !== 'json' });
    if (form === 'json') printJson(details.report);
    else
      deliverPage(
        'report',
        file,
        (await loadReportPage()).renderReportPage(details, patch, pageStyle(import.meta.url)),
      );
    return 0;
  });
}
