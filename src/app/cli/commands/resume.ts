import { Problem, createUsageError } from '../../../base/problem.ts';
import { findActiveTask, openTasks } from '../../../line/journal/active-task.ts';
import { NO_JOURNAL } from '../../../line/journal/open-journal.ts';
import { describeNextStep } from '../../../line/words/describe-line.ts';
import { phraseOfHalt } from '../../../line/halts/halt-words.ts';
import { formatReadReport, resumeEither } from '../../../line/halts/resume-command.ts';
import { toTerminalLine } from '../../../base/plain-text.ts';
import { requestOrRun } from '../ask-watchdog.ts';
import { amendChoice } from '../../../line/halts/amend-choice.ts';
import type { ChoiceChanges } from '../../../project/requests/request.ts';
import {
  hasFlag,
  listGivenOptions,
  readNumberOption,
  readTaskArgument,
  readTextOption,
  readTextsOption,
  toFlag,
} from '../options.ts';
import { printResult } from '../print.ts';
import { runPrompts, mayAsk } from '../prompts.ts';
import { hintAtTurn, hintToGoOn, withJournal, withTask } from '../tasks.ts';
import { withoutGaps } from '../../../base/without-gaps.ts';
import { conflictingOptions, runCommand } from '../usage-errors.ts';
import { getUserName, type Invocation } from '../command.ts';
import { dropContract } from '../../../line/intake/drop-contract.ts';
import type { TaskRecord } from '../../../line/record/task-record.ts';
import { FILES, toBranchName } from '../../../base/names.ts';

/** `andon resume`: one of the two paths of a halt, or another try of a task. */
export async function run(invocation: Invocation): Promise<number> {
  const { options } = invocation;
  if (hasFlag(options, 'again')) {
    refuseChoice(options);
    return retryTask(invocation);
  }
  const record = await findHalted(invocation);
  const { taskId } = record;
  const path = choosePath(options, record);
  const haltId = readTextOption(options, 'halt');
  const changes = readChanges(options, `andon resume ${taskId} --path ${path}`);
  const answer = await askNeeds(invocation, record, path, changes);
  if (answer === LEFT) return 1;
  const result = await requestOrRun(invocation, {
    do: 'resume',
    taskId,
    path,
    ...(haltId === undefined ? {} : { haltId }),
    ...changes,
    ...answer,
    by: getUserName(),
    how: 'andon resume',
  });
  const { status, watchdog } = result;
  // Commits of a person on the branch change what comes next.
  const sayNext = (): Promise<string> =>
    withTask(invocation, ({ lastChoice }) =>
      lastChoice === undefined ? '' : ` ${describeNextStep(lastChoice.effect)}`,
    );
  return printResult(
    invocation,
    { task_id: taskId, status, watchdog },
    status === 'abandoned'
      ? `${taskId} is abandoned.`
      : `${taskId} goes on.${await sayNext()}${await hintToGoOn(invocation)}`,
  );
}

function readChanges(options: Invocation['options'], command: string): ChoiceChanges {
  const [say, model] = [readTextOption(options, 'say'), readTextOption(options, 'model')];
  const allow = [...readTextsOption(options, 'allow')];
  const usd = readNumberOption(options, 'budgetUsd', {
    from: 0.0001,
    to: 1e9,
    isWhole: false,
    example: `${command} --budget-usd 5`,
  });
  const minutes = readNumberOption(options, 'budgetMinutes', {
    from: 0.1,
    to: 1e5,
    isWhole: false,
    example: `${command} --budget-minutes 60`,
  });
  const diff = readNumberOption(options, 'maxDiffSize', {
    from: 1,
    to: 1e9,
    example: `${command} --max-diff-size 400`,
  });
  if (say?.trim() === '') throw createUsageError('Invalid value: --say is blank.', 'Write --say "Use UTC everywhere".');
  return withoutGaps({
    say: say?.trim(),
    allow: allow.length === 0 ? undefined : allow,
    model,
    budget_usd: usd,
    budget_minutes: minutes,
    max_diff_size: diff,
  });
}

/** A task that is tried again is at no halt, so there is no path to choose. */
function refuseChoice(options: Invocation['options']): void {
  const others = Object.keys(options).filter((name) => name !== 'again' && name !== 'json');
  const [choice] = listGivenOptions(options, others);
  if (choice !== undefined) throw conflictingOptions(['--again', toFlag(choice)], 'andon resume --help');
}

/** The task that is named, else the only one that is halted. Of several none is guessed. */
async function findHalted(invocation: Invocation): Promise<TaskRecord> {
  if (invocation.args[0] !== undefined) return withTask(invocation, (record) => record);
  const halted = await withJournal(invocation, (journal) =>
    openTasks({ journal: journal ?? NO_JOURNAL }).filter(({ halt }) => halt !== undefined),
  );
  const [only, ...others] = halted;
  if (only === undefined)
    throw new Problem('not-halted', 'No task is halted.', runCommand('andon list', 'to see all tasks'));
  if (others.length === 0) return only;
  const rows = halted.map(
    ({ taskId, halt }) => `${taskId}: ${halt === undefined ? '' : phraseOfHalt(halt.trip.breaker)}`,
  );
  throw createUsageError(
    [`Missing argument: task id. ${halted.length} tasks are halted:`, ...rows],
    runCommand(`andon resume ${only.taskId} --path 1`),
  );
}

const LEFT = Symbol('left');

/** What some paths ask for, the task id or a reason: from the options, or typed by a human in a terminal. */
async function askNeeds(
  invocation: Invocation,
  record: TaskRecord,
  path: 1 | 2,
  changes: ChoiceChanges,
): Promise<typeof LEFT | { confirm?: string; reason?: string }> {
  const { taskId } = record;
  const [confirm, reason] = [
    readTextOption(invocation.options, 'confirm'),
    readTextOption(invocation.options, 'reason'),
  ];
  const given = withoutGaps({ confirm, reason });
  if (!mayAsk(invocation)) return given;
  const way = record.halt?.paths[path - 1];
  const amended = way === undefined ? undefined : amendChoice(record, way.effect, changes);
  const shown = amended?.ok === true ? amended.value.shown : [];
  const asksId = way?.typed === true && confirm === undefined;
  const asksReason = way?.reasoned === true && reason === undefined;
  if (way === undefined || (!asksId && !asksReason && shown.length === 0)) return given;
  const typed: { confirm?: string; reason?: string } = {};
  const code = await runPrompts(`Path ${path}: ${toTerminalLine(way.title)}`, async (ask) => {
    ask.warn(toTerminalLine(way.does, 600));
    for (const line of shown) ask.say(line);
    if (shown.length > 0 && !asksId) {
      const answer = await ask.choose('Take this path with these changes?', [
        { value: 'yes', label: 'Yes' },
        { value: 'no', label: 'No' },
      ]);
      if (answer === 'no') return 1;
    }
    if (asksId)
      typed.confirm = await ask.text(`Type the task id (${taskId}) to confirm`, {
        check: (answer) => (answer === taskId ? undefined : `That is not ${taskId}; Esc leaves without choosing`),
      });
    if (asksReason)
      typed.reason = await ask.text('Why? It is recorded', {
        check: (answer) => (answer === '' ? 'This path is taken only with a reason' : undefined),
      });
    return 0;
  });
  return code === 0 ? { ...given, ...typed } : LEFT;
}

/** The programs that had these roles first; both names stay accepted. */
const SIDES: Readonly<Record<string, 1 | 2>> = { 'floor-manager': 1, gemini: 1, judge: 2, claude: 2 };

/** `--path 1|2`, or the side at a halt where floor manager and judge disagree. */
function choosePath(options: Invocation['options'], record: TaskRecord): 1 | 2 {
  const { taskId, halt } = record;
  const path = readTextOption(options, 'path');
  const decision = readTextOption(options, 'decision');
  if (path === '1' && decision === undefined) return 1;
  if (path === '2' && decision === undefined) return 2;
  if (halt === undefined) throw new Problem('not-halted', `${taskId} is not halted.`, runCommand('andon status'));
  const next = `${formatReadReport(record)}, then run: ${resumeEither(taskId, halt.id)}`;
  if (path !== undefined && decision !== undefined)
    throw createUsageError('--path and --decision cannot be combined.', next);
  if (path !== undefined) throw createUsageError(`Invalid value: --path ${path}. Expected 1 or 2.`, next);
  if (decision === undefined) throw createUsageError('Missing option: --path 1 or --path 2.', next);
  const side = Object.hasOwn(SIDES, decision) ? SIDES[decision] : undefined;
  if (side === undefined)
    throw createUsageError(`Invalid value: --decision ${decision}. Expected floor-manager or judge.`, next);
  if (halt.trip.breaker !== 'rebuttal_limit')
    throw createUsageError('Floor manager and judge do not disagree at this halt, so --decision has no effect.', next);
  return side;
}

/** `andon resume --again`: a call that waits is made now; a task that was given up is submitted again, as it was written. */
async function retryTask(invocation: Invocation): Promise<number> {
  const taskId = readTaskArgument(invocation);
  const dropped = await withTask(invocation, (record, journal, place) => {
    if (record.status === 'merged')
      throw createUsageError(`${taskId} is merged.`, runCommand(`andon undo ${taskId}`, 'to take it out again'));
    if (record.status !== 'abandoned') return undefined;
    const isBusy = findActiveTask({ journal }) !== undefined;
    return dropContract(place, taskId, `${JSON.stringify(withTarget(record), null, 2)}\n`, isBusy);
  });
  if (dropped === undefined) await requestOrRun(invocation, { do: 'retry', taskId, by: getUserName() });
  const waits = dropped?.endsWith(`/${FILES.contract}`) === false;
  return printResult(
    invocation,
    { task_id: taskId, dropped: dropped ?? null },
    dropped === undefined
      ? `The waiting call of ${taskId} is made now.`
      : `${taskId} is submitted again: ${dropped}.${hintAtTurn(waits)}${await hintToGoOn(invocation)}`,
  );
}

/** The contract as written, bound to its branch: another one may be checked out now. */
function withTarget({ document, contract, target }: TaskRecord): object {
  if (contract.targetBranch !== undefined) return document;
  const git = document['git'];
  return { ...document, git: { ...(typeof git === 'object' ? git : {}), base_branch: toBranchName(target) } };
}
