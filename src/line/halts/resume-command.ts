import { FILES, HANDOFF } from '../../base/names.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { haltReach, type Path } from '../record/trip.ts';

/** The command that takes a path of a halt; it names the halt that was read, so that it cannot apply to another. */
export const resumeCommand = (taskId: string, path: 1 | 2, halt: string | undefined): string =>
  `andon resume ${taskId} --path ${path}${formatHaltOption(halt)}`;

export const completeResumeCommand = (taskId: string, number: 1 | 2, halt: string, { typed, reasoned }: Path): string =>
  `${resumeCommand(taskId, number, halt)}${typed === true ? ` --confirm ${taskId}` : ''}${reasoned === true ? ' --reason "why"' : ''}`;

/** Both commands, where either path may be meant. */
export const listResumeCommands = (taskId: string, halt: string | undefined): readonly string[] => [
  resumeCommand(taskId, 1, halt),
  resumeCommand(taskId, 2, halt),
];

/** The same at the end of a sentence: one command that can be pasted, and how the other differs. */
export const resumeEither = (taskId: string, halt: string | undefined): string =>
  `${resumeCommand(taskId, 1, halt)}  # or --path 2`;

const formatHaltOption = (halt: string | undefined): string => (halt === undefined ? '' : ` --halt ${halt}`);

/** Writes the report of a task beside the repository: it is a page, of no use on a terminal. */
export const reportCommand = (taskId: string): string => `andon show ${taskId} --report --out ../${taskId}.html`;

export const haltReportPath = (taskId: string, isParked: boolean): string =>
  isParked ? `${HANDOFF}/${FILES.tasks}/${taskId}/${FILES.halt}` : `${HANDOFF}/${FILES.halt}`;

/**
 * Which report to read, as the beginning of a sentence. That of one task moves to its folder once another can run, and
 * another one may take its place, so no path of it stays true before.
 */
export const formatReadReport = ({ taskId, halt, parked }: Pick<TaskRecord, 'taskId' | 'halt' | 'parked'>): string =>
  halt !== undefined && haltReach(halt) === 'task' && parked === undefined
    ? 'Read its report, which `andon status` names'
    : `Read ${haltReportPath(taskId, parked !== undefined)}`;
