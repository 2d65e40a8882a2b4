import { describeDiskWait } from '../../base/disk-trouble.ts';
import { STOP_FILE } from '../../base/names.ts';
import { KEEP_WATCHING } from '../../agents/budget/night-facts.ts';
import type { SuggestedCommand } from '../digest/digest.ts';
import { isSilent, type LineFacts } from './line-facts.ts';

/** What keeps a whole line from moving, and the command that helps. */
export interface Obstacle {
  readonly kind: 'decision' | 'stopped' | 'unwatched' | 'unwell';
  readonly phrase: string;
  readonly why: string;
  readonly since?: string;
  readonly way?: SuggestedCommand;
}

/** A watchdog that does not answer. */
export const SILENT = {
  phrase: 'nothing moves',
  why: 'the watchdog gives no answer (it is stopped, or very busy)',
} as const;

/** Every obstacle of a line that needs a person, the widest first; closed hours that will open do not count. */
export function listObstacles(line: LineFacts): readonly Obstacle[] {
  const { blocked, closed, paused, barred, watchdog, former_repository: former, task, proposal } = line;
  const isYours = proposal !== null && line.proposal_approved !== true;
  const stopped = (phrase: string, why: string, way?: SuggestedCommand): Obstacle => ({
    kind: 'stopped',
    phrase,
    why,
    ...(way === undefined ? {} : { way }),
  });
  const all: (Obstacle | undefined)[] = [
    watchdog?.waits
      ? { ...stopped('nothing goes on', describeDiskWait(watchdog.waits)), since: watchdog.waits.since }
      : undefined,
    isYours ? { ...stopped('a proposal waits', proposal, LOOK), kind: 'decision' } : undefined,
    barred === null ? undefined : stopped('nothing is written', `${barred}; move it away`),
    former === null || task === null
      ? undefined
      : stopped(
          'cannot go on',
          former,
          command('End it', 'What git has of it stays.', `andon abandon ${task.task_id}`),
        ),
    isSilent(line)
      ? stopped(
          SILENT.phrase,
          SILENT.why,
          command('Go on', 'Resumes the stopped watchdog.', `kill -CONT ${watchdog?.pid ?? ''}`),
        )
      : undefined,
    blocked === null || (closed !== undefined && closed.until !== null)
      ? undefined
      : stopped(
          'nothing starts',
          blocked,
          closed === undefined ? letGoOn(paused !== null && !blocked.startsWith(STOP_FILE)) : wayOpen(closed),
        ),
    watchdog?.doing === 'watch'
      ? undefined
      : {
          ...stopped('no watchdog is running', 'tasks wait until you start one', startAgain(line)),
          kind: 'unwatched',
        },
    ...line.unwell.map(({ name, detail, remedy, at }) => ({
      ...stopped(`${name} is red in andon doctor`, `${detail}${remedy === null ? '' : `; ${remedy}`}`, LOOK_AGAIN),
      kind: 'unwell' as const,
      since: at,
    })),
  ];
  return all.filter((one) => one !== undefined);
}

const command = (title: string, does: string, typed: string): SuggestedCommand => ({ title, does, command: typed });

const LOOK = command('Look', 'Names what to read, and what to type.', 'andon status');
const LOOK_AGAIN = command('Look again', 'What is well again is no longer shown.', 'andon doctor');
const PLAN = command(
  'What is allowed',
  'Shows the plan. Hours and ceilings are in your configuration, which is reloaded when you save it.',
  'andon night --dry-run',
);

/** What lets a held line go on. */
export const GO_ON = { stop: `rm ${STOP_FILE}`, pause: 'andon pause --off' } as const;

const letGoOn = (isPaused: boolean): SuggestedCommand =>
  command('Go on', 'The line goes on by itself.', isPaused ? GO_ON.pause : GO_ON.stop);

const wayOpen = ({ stopped_night: isNight }: NonNullable<LineFacts['closed']>): SuggestedCommand =>
  isNight === true ? command('Go on', 'Watchdogs go on by your configuration.', KEEP_WATCHING) : PLAN;

function startAgain({ night }: LineFacts): SuggestedCommand {
  const open = night?.night;
  return open?.attended === false
    ? command('Go on with the night', `It is open until ${open.until}; what it has used counts.`, 'andon night')
    : command('Watch', 'Goes on where the journal says.', 'andon watch');
}
