import { listNames } from '../base/list-names.ts';
import { describeDiskWait } from '../base/disk-trouble.ts';
import { FILES, HANDOFF, TERMINAL, type Status } from '../base/names.ts';
import { toTerminalLine } from '../base/plain-text.ts';
import type { LineRecord } from '../record/line-record.ts';
import type { LineFacts } from './line-facts.ts';
import { haltReportPath, resumeEither } from './resume-command.ts';
import { formatNight } from '../night/night-facts.ts';
import type { TaskView } from './view.ts';
import { describeHold } from './hold.ts';
import { formatTakeover } from '../record/implementers.ts';
import type { ResumeEffect } from '../record/trip.ts';

/** One line about the line; `warn` marks what needs attention. */
export interface StatusLine {
  readonly tone: 'plain' | 'warn';
  readonly text: string;
}

/** Every obstacle of the line, and waiting or refused contracts: never less than the facts. */
export function describeTrouble(facts: LineFacts): readonly StatusLine[] {
  const { watchdog, blocked, barred, journal_lost: lost, former_repository: former, task, decision, proposal } = facts;
  return [
    ...(watchdog?.waits ? [warn(`${describeDiskWait(watchdog.waits)} (since ${watchdog.waits.since})`)] : []),
    ...(isSilent(facts) ? [warn(`${SILENT}; where it was stopped: kill -CONT ${watchdog?.pid ?? ''}`)] : []),
    ...(watchdog?.elsewhere === undefined
      ? []
      : [
          warn(
            `the watchdog (${toTerminalLine(watchdog.elsewhere, 120)}) keeps its state in another folder: what it does is seen, and commands work, only there`,
          ),
        ]),
    ...(barred === null ? [] : [warn(`${toTerminalLine(barred)}; move it away: andon writes nothing there`)]),
    ...(lost === null ? [] : [warn(`${lost}.`)]),
    ...(blocked === null ? [] : [warn(toTerminalLine(blocked))]),
    ...(former === null || task === null ? [] : [warn(`${former}; end it with: andon abandon ${task.task_id}`)]),
    ...(facts.night === null ? [] : formatNight(facts.night).map(plain)),
    ...queueInWords(facts),
    ...(proposal === null ? [] : [warn(proposal)]),
    ...(decision && task === null && facts.parked.length === 0
      ? [warn(`${HANDOFF}/${FILES.decision} is there, but no task is on the line: it answers nothing now`)]
      : []),
  ];
}

/** Whether the watchdog does not answer; commands that hold the lock briefly do not count. */
export const isSilent = ({ watchdog }: Pick<LineFacts, 'watchdog'>): boolean =>
  watchdog?.doing === 'watch' && watchdog.silent === true;

const SILENT = 'nothing moves: the watchdog gives no answer (it is stopped, or very busy)';

/** A status for people; programs get its name. */
export const STATUS_PHRASES: Readonly<Record<Status, string>> = {
  pending_implementer: 'being written',
  pending_local_review: 'in gates and local review',
  pending_judge_review: 'waits for the judge',
  review_in_progress: 'with the judge',
  review_complete: 'being decided',
  erik_consultation: 'waiting for you',
  merged: 'merged',
  abandoned: 'given up',
};

export const describeNextStep = ({ to, onlyGates = false }: Pick<ResumeEffect, 'to' | 'onlyGates'>): string =>
  to === 'pending_implementer' && onlyGates
    ? 'Next, the gates run on this change; the implementer is not asked.'
    : NEXT_STEP[to];

const NEXT_STEP: Readonly<Record<Status, string>> = {
  pending_implementer: 'Next, the implementer works on the task.',
  pending_local_review: 'Next, gates and local review check the change.',
  pending_judge_review: 'Next, the judge reads the change.',
  review_in_progress: 'Next, the judge reads the change.',
  review_complete: 'Next, the floor manager decides: merge, fix or rebut.',
  erik_consultation: 'The task stays halted.',
  merged: 'The task ends as merged.',
  abandoned: 'The task ends.',
};

export function describeActivity(view: TaskView, facts: LineFacts | undefined): string {
  if (TERMINAL.includes(view.status))
    return view.undone_as === null ? view.status_reason : `undone as ${view.undone_as.slice(0, 12)}`;
  if (view.halt !== null) return `${view.halt.summary.phrase} (${view.halt.breaker}): ${view.halt.reason}`;
  if (view.parked !== null) return 'answered; goes on when the line is free';
  if (facts?.task?.task_id !== view.task_id) return view.status_reason;
  const { watchdog, blocked, waits_for: outside, former_repository: former } = facts;
  if (former !== null) return former;
  if (watchdog?.waits) return describeDiskWait(watchdog.waits);
  if (isSilent(facts)) return SILENT;
  if (watchdog?.doing !== 'watch')
    return `nothing moves: no watchdog is running${view.working === null ? '' : ` (${view.working.station} was working when andon stopped)`}`;
  if (view.working !== null) return `${view.working.station} works since ${view.working.since}`;
  if (view.hold !== null)
    return view.hold.own === null
      ? `waits for ${view.hold.station}: ${view.hold.reason}`
      : `waits: ${describeHold({ ...view.hold, own: view.hold.own })}`;
  if (blocked !== null) return blocked;
  return outside === null ? view.status_reason : `waits for ${outside}`;
}

export function describeAtStart({ taskId, status, halt, parked }: LineRecord): string {
  const waits = 'waits for your choice';
  if (parked !== undefined)
    return `${taskId}: is parked, and ${halt === undefined ? 'goes on when the line is free' : waits}`;
  return `${taskId}: ${halt === undefined ? `going on at ${status}` : `is halted, and ${waits}`}`;
}

export function describeTask(view: TaskView, facts: LineFacts): readonly StatusLine[] {
  const { watchdog, next_try: next, waits_for: outside, edited } = facts;
  const isMoving = watchdog?.doing === 'watch' && watchdog.waits === null && !isSilent(facts);
  const { working, hold, halt } = view;
  return [
    plain(
      `  attempt ${view.attempt}, review cycles ${view.review_cycles}, rebuttals ${view.rebuttals}, ${view.diff ?? 'no change yet'}, ${view.cost_usd === null ? 'cost partly unknown' : `$${view.cost_usd.toFixed(4)}`}`,
    ),
    ...view.takeovers.slice(-1).map((last) => plain(`  implementer: ${formatTakeover(last)}`)),
    ...(working === null
      ? []
      : [
          plain(
            `  ${isMoving ? 'working' : 'was working when andon stopped'}: ${working.station} (${toTerminalLine(working.model, 60)}) since ${working.since}`,
          ),
        ]),
    ...(hold === null
      ? []
      : [
          warn(
            hold.own !== null
              ? `  ${hold.station} waits since ${hold.since}: ${toTerminalLine(hold.reason)}${hold.until === null ? '' : `; until ${hold.until}`}`
              : `  waits for ${hold.station} since ${hold.since}: ${toTerminalLine(hold.reason)}${hold.until === null ? '' : `; works again from ${hold.until}`}${next === null ? '' : `; tried again at ${next} (andon resume --again: now)`}`,
          ),
        ]),
    ...(outside === null ? [] : [warn(`  waits for ${outside}`)]),
    ...(halt === null
      ? []
      : [
          plain(`  ${halt.summary.phrase} (${halt.breaker}): ${toTerminalLine(halt.reason)}`),
          ...(halt.refused === null ? [] : [warn(`  ${toTerminalLine(halt.refused, 700)}`)]),
          ...(edited === null ? [] : [warn(`  ${edited}`)]),
          ...halt.paths.map((path) => plain(`  path ${toTerminalLine(path)}`)),
          plain(
            `  read ${haltReportPath(view.task_id, view.parked !== null)}, then: ${resumeEither(view.task_id, halt.id)}`,
          ),
        ]),
  ];
}

export const describeParked = ({ parked }: LineFacts): readonly StatusLine[] =>
  parked.flatMap(({ task, edited }) => [
    plain(`${task.task_id} is parked: ${toTerminalLine(describeActivity(task, undefined))}`),
    ...(task.halt === null
      ? []
      : [
          ...(task.halt.refused === null ? [] : [warn(`  ${toTerminalLine(task.halt.refused, 700)}`)]),
          ...(edited === null ? [] : [warn(`  ${edited}`)]),
          plain(`  read ${haltReportPath(task.task_id, true)}, then: ${resumeEither(task.task_id, task.halt.id)}`),
        ]),
  ]);

function queueInWords({ waiting, queue, refusals, refused }: LineFacts): readonly StatusLine[] {
  const inFront = refusals.some(({ file }) => file === `${HANDOFF}/${FILES.contract}`);
  return [
    ...(waiting.length === 0
      ? []
      : [
          plain(
            `${waiting.length === 1 ? 'a contract waits' : `${waiting.length} contracts wait`}: ${named(waiting)}${inFront ? ', behind the refused one' : ''}`,
          ),
        ]),
    ...queue
      .filter(({ waits_for: what }) => KEPT_BACK.has(what))
      .slice(0, SHOWN)
      .map(({ file, why }) => plain(`  ${toTerminalLine(file, 80)} ${toTerminalLine(why, 300)}`)),
    ...(refused
      ? [
          warn(
            `${refusals.length < 2 ? 'a contract was' : `${refusals.length} contracts were`} refused: read ${HANDOFF}/${FILES.rejected}`,
          ),
        ]
      : []),
    ...refusals
      .slice(0, SHOWN)
      .map(({ file, faults, first }) =>
        warn(
          `  ${toTerminalLine(file, 80)}: ${faults} fault${faults === 1 ? '' : 's'}, the first at ${toTerminalLine(first, 160)}`,
        ),
      ),
  ];
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
