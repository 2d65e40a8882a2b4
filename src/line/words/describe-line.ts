import { formatCount } from '../../base/format-count.ts';
import { listNames } from '../../base/list-names.ts';
import { FILES, HANDOFF, STOP_FILE, type Status } from '../../base/names.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { hasOwnWait, type Activity, type LineFacts } from './line-facts.ts';
import { GO_ON, listObstacles } from './list-obstacles.ts';
import { haltReportPath, listResumeCommands } from '../halts/resume-command.ts';
import { formatNight } from '../../agents/budget/night-facts.ts';
import type { TaskView } from './view-task.ts';
import { describeActivity, isAtWork, STATUS_PHRASES } from './view-activity.ts';
import { formatTakeover } from '../record/implementers.ts';
import type { ResumeEffect } from '../record/trip.ts';

/** One line of `andon status`; `warn` marks what needs attention. */
export interface StatusLine {
  readonly tone: 'plain' | 'warn';
  readonly text: string;
}

/** Every obstacle of the line, and waiting or refused contracts: never less than the facts. */
export function describeTrouble(facts: LineFacts, stopFile: string = STOP_FILE): readonly StatusLine[] {
  const { watchdog, blocked, journal_lost: lost, decision, night } = facts;
  const obstacles = listObstacles(facts).filter(({ kind }) => kind !== 'unwatched'); // the first line says so
  const lines = obstacles.flatMap(({ kind, phrase, why, since, way }) => [
    warn(
      `${kind === 'unwell' ? `${toTerminalLine(phrase)}: ` : ''}${toTerminalLine(why)}${since === undefined ? '' : ` (since ${since})`}`,
    ),
    ...(way === undefined || way.command === 'andon status'
      ? []
      : [plain(`  ${way.command === GO_ON.stop ? `rm ${stopFile}` : way.command}`)]),
  ]);
  if (watchdog?.elsewhere !== undefined) {
    const where = toTerminalLine(watchdog.elsewhere, 120);
    const seen = 'keeps its state in another folder: what it does is seen, and commands work, only there';
    lines.push(warn(`the watchdog (${where}) ${seen}`));
  }
  if (lost !== null) lines.push(warn(`${lost}.`));
  if (blocked !== null && !obstacles.some(({ why }) => why === blocked)) lines.push(warn(toTerminalLine(blocked)));
  if (night !== null) lines.push(...formatNight(night).map(plain));
  lines.push(...queueInWords(facts));
  if (decision !== null) lines.push(warn(toTerminalLine(decision, 2000)));
  return lines;
}

/** What comes after an answer; empty where the words about its path name who works next. */
export function describeNextStep(
  { to, onlyGates = false, verdict }: Pick<ResumeEffect, 'to' | 'onlyGates' | 'verdict'>,
  does = '',
): string {
  if (to === 'pending_implementer' && onlyGates)
    return 'Next, limits and gates check the branch; the implementer is not asked.';
  if (to === 'review_complete' && verdict !== undefined)
    return SAYS_SO[verdict].test(does) ? '' : AFTER_VERDICT[verdict];
  return WORKERS[to]?.test(does) === true ? '' : NEXT_STEP[to];
}

/** What follows where a person has decided in the floor manager's place. */
const AFTER_VERDICT = {
  PASS: 'Next, andon merges the change.',
  FAIL: 'Next, the implementer works on the fixes.',
} as const;
/** The words about a path that say so already. */
const SAYS_SO = { PASS: /\bmerge[ds]?\b/, FAIL: /\bimplementer\b|\bfixes\b/ } as const;

const WORKERS: Partial<Record<Status, RegExp>> = {
  pending_implementer: /\bimplementer\b/,
  pending_local_review: /\blocal review(er)?\b/,
  pending_judge_review: /\bjudge\b/,
};

const NEXT_STEP: Readonly<Record<Status, string>> = {
  pending_implementer: 'Next, the implementer works on the task.',
  pending_local_review: 'Next, the local reviewer reads the change.',
  pending_judge_review: 'Next, the judge reads the change.',
  review_in_progress: 'Next, the judge reads the change.',
  review_complete: 'Next, the floor manager decides.',
  erik_consultation: 'The task stays halted.',
  merged: 'The task ends as merged.',
  abandoned: 'andon merges nothing.',
};

export function describeAtStart({ taskId, status, halt, parked }: TaskRecord): string {
  const waits = 'waits for your answer';
  if (parked !== undefined)
    return `${taskId}: is set aside, and ${halt === undefined ? 'goes on when the line is free' : waits}`;
  return `${taskId}: ${halt === undefined ? `going on (${STATUS_PHRASES[status]})` : `is halted, and ${waits}`}`;
}

/** The task on the line below its title: its figures, what it does, and how a halt is answered. */
export function describeTask(view: TaskView, { activity, edited }: LineFacts): readonly StatusLine[] {
  const { halt, refused_answers: refused } = view;
  const figures = [
    `attempt ${view.attempt}, review cycles ${view.review_cycles}, rebuttals ${view.rebuttals}`,
    ...(refused === 0 ? [] : [`${formatCount(refused, 'answer')} refused`]),
    view.diff ?? (view.gates_since === null ? 'no change yet' : 'the first change is checked'),
    view.cost_usd === null ? 'cost partly unknown' : `$${view.cost_usd.toFixed(4)}`,
  ];
  const model = view.working === null ? '' : ` (${toTerminalLine(view.working.model, 60)})`;
  return [
    plain(`  ${figures.join(', ')}`),
    ...view.takeovers.slice(-1).map((last) => plain(`  implementer: ${formatTakeover(last)}`)),
    ...(activity === null || SHOWN_ABOVE.has(activity.is)
      ? []
      : [
          (isAtWork(activity) ? plain : warn)(`  ${toTerminalLine(describeActivity(activity), 1000)}${model}`),
          ...(activity.command === null ? [] : [plain(`  now: ${activity.command}`)]),
        ]),
    ...(halt === null ? [] : [plain(`  ${toTerminalLine(formatHalt(halt))}`), ...describeAnswer(view, edited)]),
  ];
}

/** What the line says for the whole of it, or the status; a halt comes with its answers. */
const SHOWN_ABOVE: ReadonlySet<Activity['is']> = new Set(['ended', 'halted', 'stuck', 'blocked', 'next step']);

/** The parked tasks, and their reasons to wait. */
export const describeParked = ({ parked }: LineFacts): readonly StatusLine[] =>
  parked.flatMap(({ task, edited }) => [
    plain(
      task.halt === null
        ? `${task.task_id} is answered and waits for its turn; it was set aside`
        : `${task.task_id} is set aside and blocks no other task. ${toTerminalLine(formatHalt(task.halt))}`,
    ),
    ...describeAnswer(task, edited),
  ]);

const formatHalt = ({ summary, breaker, reason }: NonNullable<TaskView['halt']>): string =>
  `${summary.phrase} (${breaker}): ${reason}`;

/** How a halt is answered, and why the last answer did not count. */
function describeAnswer({ task_id: id, halt, parked }: TaskView, edited: string | null): readonly StatusLine[] {
  if (halt === null) return [];
  const { suggestion } = halt.summary;
  return [
    ...(halt.refused === null ? [] : [warn(`  ${toTerminalLine(halt.refused, 700)}`)]),
    ...(edited === null ? [] : [warn(`  ${edited}`)]),
    ...halt.paths.map((path) => plain(`  path ${toTerminalLine(path)}`)),
    ...(suggestion === null ? [] : [plain(`  suggested: path ${suggestion.path}, ${toTerminalLine(suggestion.why)}`)]),
    plain(`  read ${haltReportPath(id, parked !== null)}, then run one of:`),
    ...listResumeCommands(id, halt.id).map((command) => plain(`    ${command}`)),
  ];
}

function queueInWords({ waiting, queue, refusals, ...facts }: LineFacts): readonly StatusLine[] {
  const inFront = refusals.some(({ file }) => file === `${HANDOFF}/${FILES.contract}`);
  const lines: StatusLine[] = [];
  if (facts.proposal !== null && facts.proposal_approved === true) lines.push(plain(toTerminalLine(facts.proposal)));
  if (waiting.length > 0) {
    const wait = waiting.length === 1 ? 'a contract waits' : `${waiting.length} contracts wait`;
    lines.push(plain(`${wait}: ${named(waiting)}${inFront ? ', behind the refused one' : ''}`));
  }
  for (const { file, why } of queue.filter(hasOwnWait).slice(0, SHOWN))
    lines.push(plain(`  ${toTerminalLine(file, 80)} ${toTerminalLine(why, 300)}`));
  if (refusals.length > 0) {
    const were = refusals.length < 2 ? 'a contract was' : `${refusals.length} contracts were`;
    lines.push(warn(`${were} refused: read ${HANDOFF}/${FILES.rejected}`));
  }
  for (const { file, faults, first } of refusals.slice(0, SHOWN)) {
    lines.push(
      warn(
        `  ${toTerminalLine(file, 80)}: ${formatCount(faults, 'fault')}, the first at ${toTerminalLine(first, 160)}`,
      ),
    );
  }
  return lines;
}

/** The first names in full, then a count. */
const named = (files: readonly string[]): string =>
  listNames(
    files.map((name) => toTerminalLine(name, 80)),
    SHOWN,
  );

const SHOWN = 12;
const plain = (text: string): StatusLine => ({ tone: 'plain', text });
const warn = (text: string): StatusLine => ({ tone: 'warn', text });
