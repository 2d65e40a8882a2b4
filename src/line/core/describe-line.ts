import { formatCount } from '../../base/format-count.ts';
import { listNames } from '../../base/list-names.ts';
import { FILES, HANDOFF, type Status } from '../../base/names.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { isMoving, type LineFacts } from './line-facts.ts';
import { listObstacles } from './list-obstacles.ts';
import { haltReportPath, listResumeCommands } from './resume-command.ts';
import { formatNight } from '../../agents/budget/night-facts.ts';
import type { TaskView } from './view-task.ts';
import { joinReason, STATUS_PHRASES } from './view-activity.ts';
import { describeHold } from './hold.ts';
import { formatTakeover } from '../record/implementers.ts';
import type { ResumeEffect } from '../record/trip.ts';

/** One line of `andon status`; `warn` marks what needs attention. */
export interface StatusLine {
  readonly tone: 'plain' | 'warn';
  readonly text: string;
}

/** Every obstacle of the line, and waiting or refused contracts: never less than the facts. */
export function describeTrouble(facts: LineFacts): readonly StatusLine[] {
  const { watchdog, blocked, journal_lost: lost, task, decision, night, parked } = facts;
  const obstacles = listObstacles(facts).filter(({ kind }) => kind !== 'nobody watches'); // the first line says so
  const lines = obstacles.flatMap(({ kind, phrase, why, since, way }) => [
    warn(
      `${kind === 'unwell' ? `${toTerminalLine(phrase)}: ` : ''}${toTerminalLine(why)}${since === undefined ? '' : ` (since ${since})`}`,
    ),
    ...(way === undefined || way.command === 'andon status' ? [] : [plain(`  ${way.command}`)]),
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
  if (decision && task === null && parked.length === 0)
    lines.push(warn(`${HANDOFF}/${FILES.decision} is there, but no task is on the line: it answers nothing now`));
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

export function describeTask(view: TaskView, facts: LineFacts): readonly StatusLine[] {
  const { activity, next_try: next, edited } = facts;
  const moves = isMoving(facts);
  const { working, hold, halt } = view;
  const cost = view.cost_usd === null ? 'cost partly unknown' : `$${view.cost_usd.toFixed(4)}`;
  const counts = `attempt ${view.attempt}, review cycles ${view.review_cycles}, rebuttals ${view.rebuttals}`;
  const { refused_answers: count } = view;
  const refused = count === 0 ? [] : [`${count} ${count === 1 ? 'answer' : 'answers'} refused`];
  const lines = [
    plain(
      `  ${[counts, ...refused, view.diff ?? (view.gates_since === null ? 'no change yet' : 'the first change is checked'), cost].join(', ')}`,
    ),
  ];
  lines.push(...view.takeovers.slice(-1).map((last) => plain(`  implementer: ${formatTakeover(last)}`)));
  if (working !== null) {
    const does = moves ? 'working' : 'was working when andon stopped';
    lines.push(plain(`  ${does}: ${working.station} (${toTerminalLine(working.model, 60)}) since ${working.since}`));
  }
  if (hold !== null) {
    const { station, since, own } = hold;
    const reason = toTerminalLine(describeHold(hold));
    const again =
      next === null
        ? ''
        : moves
          ? `; tried again at ${next} (andon resume --again: now)`
          : '; tried again when andon runs';
    const waits = own === null ? `waits for ${station}` : `${station} waits`;
    // Without a watchdog the reason is that of its last look: the night may be over, the program back.
    const from = moves ? `${waits} since ${since}` : `when andon stopped, ${waits} since ${since}`;
    lines.push(warn(`  ${from}: ${reason}${own === null ? again : ''}`));
  }
  if (activity?.is === 'outside') lines.push(warn(`  ${joinReason(activity)}`));
  if (halt === null) return lines;
  return [...lines, plain(`  ${toTerminalLine(formatHalt(halt))}`), ...describeAnswer(view, edited)];
}

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

function queueInWords({ waiting, queue, refusals }: LineFacts): readonly StatusLine[] {
  const inFront = refusals.some(({ file }) => file === `${HANDOFF}/${FILES.contract}`);
  const lines: StatusLine[] = [];
  if (waiting.length > 0) {
    const wait = waiting.length === 1 ? 'a contract waits' : `${waiting.length} contracts wait`;
    lines.push(plain(`${wait}: ${named(waiting)}${inFront ? ', behind the refused one' : ''}`));
  }
  for (const { file, why } of queue.filter(({ waits_for: what }) => KEPT_BACK.has(what)).slice(0, SHOWN))
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

/** Notes beside the list, which is in the order of turns. */
const KEPT_BACK: ReadonlySet<string> = new Set(['another task', 'a parked task', 'a time']);

const SHOWN = 12;
const plain = (text: string): StatusLine => ({ tone: 'plain', text });
const warn = (text: string): StatusLine => ({ tone: 'warn', text });
