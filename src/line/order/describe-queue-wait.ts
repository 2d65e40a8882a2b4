import { listNames } from '../../base/list-names.ts';
import { HANDOFF } from '../../base/names.ts';
import { findNearestWord } from '../../base/find-nearest-word.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { Never, QueueWait } from './queued-turn.ts';

/** Why a contract waits, in one phrase; `place` says why the line is not free. */
export function describeQueueWait(waits: readonly QueueWait[], place: string): string {
  if (waits.length === 0) return 'is next';
  const tasks = waits.flatMap((wait) => (wait.for === 'another task' ? wait.task : []));
  const kept = waits.filter((wait) =>
    wait.for === 'a parked task' ? !tasks.includes(wait.task) : wait.for !== 'its turn' && wait.for !== 'a place',
  );
  const shown = (kept.length === 0 ? waits : kept).map((wait) => describeOneWait(wait, place));
  const more = shown.length - SHOWN;
  return [...shown.slice(0, SHOWN), ...(more > 0 ? [`for ${more} more`] : [])].join('; and ');
}

const SHOWN = 3;
/** The most paths listed; the rest is counted. */
const PATHS = 3;

function describeOneWait(wait: QueueWait, place: string): string {
  switch (wait.for) {
    case 'a correction':
      return wait.isUnread === true ? 'is no contract that can be read' : 'is refused until it is corrected';
    case 'another task':
      return `waits for ${wait.task}, ${TASK_STATES[wait.is](wait.task)}${wait.spec === undefined ? '' : `, an earlier part of ${toTerminalLine(wait.spec, 60)}`}`;
    case 'a parked task':
      return `waits for ${wait.task}, which is set aside${wait.paths.length === 0 ? '' : ` with a change in ${named(wait.paths)}`}`;
    case 'a time':
      return `waits until ${wait.until}`;
    case 'a place':
      return `waits for the line: ${place}`;
    case 'its turn':
      return `waits for its turn, behind ${toTerminalLine(wait.behind, 80)}`;
  }
}

const TASK_STATES: Readonly<Record<(QueueWait & { for: 'another task' })['is'], (task: string) => string>> = {
  'under way': () => 'which is under way',
  halted: () => 'which is halted and needs you',
  waiting: () => 'which comes before it',
  refused: () => 'whose contract is refused',
  abandoned: (task) => `which was abandoned (andon resume ${task} --again)`,
  undone: () => 'which was merged and taken out again',
  unknown: () => 'which is unknown here',
};

const named = (paths: readonly string[]): string =>
  listNames(
    paths.map((path) => toTerminalLine(path, 60)),
    PATHS,
  );

/** The expected value, for a refusal; `known` are candidate ids. */
export function describeUnmetWait(
  never: Never,
  known: readonly string[],
): { readonly expected: string; readonly example: string | undefined } {
  if (never.key === 'task_id')
    return {
      expected:
        never.is === 'waiting'
          ? `an id that no other contract has: that of ${HANDOFF}/${toTerminalLine(never.name, 120)}, which came first`
          : `an id that no other task has: this one is ${never.is}; end it first (andon abandon), or choose another`,
      example: undefined,
    };
  const { task } = never;
  switch (never.is) {
    case 'circle':
      return { expected: `no cycle: ${describeCycle(never.way)}`, example: undefined };
    case 'abandoned':
      return {
        expected: `a task that can still be merged: ${task} was abandoned; drop it again (andon resume ${task} --again), or take it out of the list`,
        example: undefined,
      };
    case 'undone':
      return {
        expected: `a task that is merged or can be: ${task} was reverted (${never.commit.slice(0, 12)}); name its replacement, or take it out of the list`,
        example: undefined,
      };
    case 'unknown': {
      const nearest = findNearestWord(task, known);
      return {
        expected:
          'the id of a task that waits, is under way or was merged here; drop its contract too, correct the name, or take it out of the list',
        example: nearest === undefined ? undefined : JSON.stringify(nearest),
      };
    }
  }
}

function describeCycle(way: readonly string[]): string {
  const shown = way.length > MOST_IN_CYCLE ? [...way.slice(0, MOST_IN_CYCLE - 1), '…', way.at(-1) ?? ''] : way;
  return shown.join(' waits for ');
}

/** The most tasks of a cycle listed. */
const MOST_IN_CYCLE = 8;
