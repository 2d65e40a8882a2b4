import { findCrashReason } from '../../base/crash-reason.ts';
import type { Notification } from '../../project/config/notification.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { Notifier } from './notifier.ts';
import type { Command } from '../../sandbox/processes/command.ts';
import type { RunProgram } from '../../sandbox/processes/run.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

const LIMIT_MS = 30_000;
/** How long a program may take to end; a stop of andon waits no longer. */
const GRACE_MS = 400;
const OUTPUT_CAP = 64 * 1024;

/** The surroundings of every notifier program. */
export interface NotifierEnvironment {
  readonly run: RunProgram;
  /** A folder that no repository can write to. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The user's own command: it gets the event as a JSON object on standard input, and its name in the environment. */
export function createCommandNotifier(
  words: readonly string[],
  around: NotifierEnvironment,
  limitMs = LIMIT_MS,
): Notifier {
  const [program = '', ...args] = words;
  return (notification, signal) => {
    const env = { ...around.env, ANDON_EVENT: notification.event, ANDON_TASK: notification.task_id ?? '' };
    return runToTell(around, { program, args, env, input: `${JSON.stringify(notification)}\n`, signal }, limitMs);
  };
}

/** Runs a program in a process tree of its own, and returns why it failed. */
export async function runToTell(
  { run, folder }: NotifierEnvironment,
  command: Pick<Command, 'program' | 'args' | 'env' | 'input' | 'signal'>,
  limitMs: number,
): Promise<string | undefined> {
  try {
    const ending = await run({
      ...command,
      cwd: folder,
      hardMs: limitMs,
      graceMs: GRACE_MS,
      outputCap: OUTPUT_CAP,
    });
    const { ended, exit, signal, stderr } = ending;
    if (ended === 'missing') return `${command.program} ${ending.notStarted?.why ?? 'cannot be started'}`;
    if (ended === 'hard') return `${command.program} took longer than ${limitMs / 1000} s`;
    if (ended !== 'exited') return `${command.program} was ended: ${ended}`;
    if (exit === 0) return undefined;
    const last = toTerminalLine(findCrashReason(stderr), 160);
    return `${command.program} ended with ${exit ?? signal ?? 'an error'}${last === '' ? '' : `: ${last}`}`;
  } catch (error) {
    return getErrorMessage(error);
  }
}

/** The lines of a notification: subject and message. */
export const formatTitle = ({ event, repository, task_id }: Notification): string =>
  event === 'digest' ? 'andon digest' : `andon: ${task_id ?? toTerminalLine(repository.name, 40)}`;
