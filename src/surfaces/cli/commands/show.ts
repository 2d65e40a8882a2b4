import { STATUS_PHRASES } from '../../../line/describe-line.ts';
import { formatBriefContext } from '../../../record/brief-context.ts';
import { formatComment } from '../../../record/comment.ts';
import { formatTakeover } from '../../../record/implementers.ts';
import type { JournalEntry } from '../../../record/journal-entry.ts';
import { formatLocalTime } from '../../../base/local-time.ts';
import { toTerminalLine, toTerminal } from '../../../base/plain-text.ts';
import type { LineRecord } from '../../../record/line-record.ts';
import { computeCost } from '../../../line/cost.ts';
import { formatCount, formatDuration } from '../../../line/documents/task-report/words.ts';
import { formatEntry } from '../../../line/story.ts';
import { viewTask } from '../../../line/view.ts';
import { openKept } from '../../../wiring/open-reader.ts';
import { createUsageError } from '../../../base/problem.ts';
import { hasFlag, readNumberOption, readTaskArgument } from '../options.ts';
import { printJson, printLine, printSentence, getStatusStyle, colourText } from '../print.ts';
import { NO_GATE, gateLine } from '../gate-line.ts';
import { recordOf, withJournal } from '../tasks.ts';
import { conflictingOptions, misplacedOption } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

type Action = (invocation: Invocation) => Promise<number>;

/** What can be shown instead of the story, by its option. */
const VIEWS: Readonly<Record<string, Action>> = {
  diff: async (invocation) => (await import('../actions/print-diff.ts')).printDiff(invocation),
  explain: async (invocation) => (await import('../actions/explain-task.ts')).explainTask(invocation),
  report: async (invocation) => (await import('../actions/print-report.ts')).printReport(invocation),
  cost: async (invocation) => (await import('../actions/print-cost.ts')).printCost(invocation),
  live: async (invocation) => (await import('../actions/follow-output.ts')).followOutput(invocation),
  prompt: (invocation) => printCall(invocation, 'prompt'),
  answer: (invocation) => printCall(invocation, 'answer'),
};

/** Options that mean something only beside another one. */
const OWNERS = { html: 'report', out: 'report', since: 'cost' } as const;

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
  for (const [name, owner] of Object.entries(OWNERS))
    if (options[name] !== undefined && view !== owner)
      throw misplacedOption(`--${name}`, `--${owner}`, `andon show ${task} --${owner}`);
  const action = view === undefined ? printStory : VIEWS[view];
  return action === undefined ? 2 : action(invocation);
}

/** Prints what was sent to an agent, or its answer. */
function printCall(invocation: Invocation, what: 'prompt' | 'answer'): Promise<number> {
  const taskId = readTaskArgument(invocation);
  return withJournal(invocation, (journal, place) => {
    const record = recordOf(journal, taskId);
    const isLast = invocation.options[what] === true;
    const example = `andon show ${taskId} --${what}`;
    const call = isLast
      ? record.callCount
      : readNumberOption(invocation.options, what, { from: 1, to: record.callCount, example });
    const text = openKept(place).readCall(taskId, call ?? 0, what);
    if (text === undefined) throw createUsageError(`Call ${call ?? 0} of ${taskId} has no ${what}.`, callsMade(record));
    printLine(toTerminal(text));
    return 0;
  });
}

function printStory(invocation: Invocation): Promise<number> {
  const taskId = readTaskArgument(invocation);
  const { options } = invocation;
  return withJournal(invocation, (journal) => {
    const record = recordOf(journal, taskId);
    const view = viewTask(record);
    const entries = journal?.entries(taskId) ?? [];
    const { total } = computeCost(entries);
    if (hasFlag(options, 'json')) {
      printJson({
        ...view,
        calls: record.calls,
        contexts: contextsOf(entries),
        story: entries.flatMap((entry) =>
          formatEntry(entry) === undefined ? [] : [{ at: entry.at, text: formatEntry(entry) }],
        ),
      });
      return 0;
    }
    const phrase = STATUS_PHRASES[view.status];
    const state = phrase === view.status ? '' : ` ${colourText('dim', `(${view.status})`)}`;
    printSentence(
      `${colourText('bold', view.task_id)}  ${colourText(getStatusStyle(view.status), phrase)}${state}  ${toTerminalLine(view.status_reason)}`,
    );
    printLine(`  ${toTerminalLine(view.title)}`);
    printLine(
      `  ${view.branch} for ${view.target}; base ${view.base.slice(0, 12)}${view.commit === null ? '' : `, attempt ${view.commit.slice(0, 12)} (${view.diff ?? ''})`}`,
    );
    printLine(`  attempts ${view.attempt}, review cycles ${view.review_cycles}, rebuttals ${view.rebuttals}`);
    for (const takeover of view.takeovers) printSentence(`  implementer: ${formatTakeover(takeover)}`);
    printLine(
      `  ${formatCount(total.calls, 'call')}, ${view.cost_usd === null ? 'cost partly unknown' : `$${view.cost_usd.toFixed(4)}`}, ${view.tokens ?? `at least ${total.tokensIn + total.tokensOut}`} tokens, ${formatDuration(view.agent_seconds * 1000)} of agents' time`,
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
    for (const entry of entries) {
      const text = formatEntry(entry);
      if (text !== undefined)
        printSentence(`${colourText('dim', formatLocalTime(entry.at, new Date(), { seconds: true }))}  ${text}`);
    }
    return 0;
  });
}

const callsMade = ({ taskId, callCount }: LineRecord): string =>
  callCount === 0
    ? `No call was made yet. Run \`andon show ${taskId}\`.`
    : `Give a call from 1 to ${callCount}: \`andon show ${taskId} --prompt ${callCount}\`.`;

/** What each call was shown and what not, and why, where that was chosen. */
const contextsOf = (entries: readonly JournalEntry[]) =>
  entries.flatMap((entry) =>
    entry.kind === 'started' && entry.context !== undefined
      ? [{ call: entry.call, station: entry.station, model: entry.model, context: entry.context }]
      : [],
  );
