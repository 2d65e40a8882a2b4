import { formatValue } from '../../base/fault.ts';
import { HOOK_EVENTS, type StopEvent } from './edit-settings.ts';

/** What Claude Code tells its hook, as far as andon asks. */
export interface HookInput {
  readonly event: StopEvent;
  readonly session: string;
  /** The prompt whose turn ends; older programs do not tell it. */
  readonly prompt: string | undefined;
  /** The agent that another one started; undefined for the main one. */
  readonly agent: string | undefined;
  readonly cwd: string;
  /** The transcript of the agent that ends its turn. */
  readonly transcript: string | undefined;
  /** Its last words; older programs leave them to the transcript. */
  readonly message: string | undefined;
  /** Whether this turn goes on only because a hook sent it back. */
  readonly isAgain: boolean;
  /** Whether agents that it started are still at work. */
  readonly isWaiting: boolean;
}

/** Reads it; an Error says in words what is missing. */
export function readHookInput(text: string): HookInput {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('what came on standard input is not the JSON of a hook');
  }
  if (typeof value !== 'object' || value === null) throw new Error('what came on standard input is no object');
  const given = value as Readonly<Record<string, unknown>>;
  const textAt = (key: string): string | undefined => {
    const found = given[key];
    return typeof found === 'string' && found !== '' ? found : undefined;
  };
  const event = HOOK_EVENTS.find((one) => one === given['hook_event_name']);
  if (event === undefined)
    throw new Error(
      `hook_event_name is ${formatValue(given['hook_event_name'])}; expected ${HOOK_EVENTS.join(' or ')}`,
    );
  const [session, cwd] = [textAt('session_id'), textAt('cwd')];
  if (session === undefined || cwd === undefined) throw new Error('session_id and cwd must be there');
  const tasks = Array.isArray(given['background_tasks']) ? (given['background_tasks'] as readonly unknown[]) : [];
  const agent = event === 'SubagentStop' ? textAt('agent_id') : undefined;
  return {
    event,
    session,
    prompt: textAt('prompt_id'),
    agent,
    cwd,
    transcript: textAt('agent_transcript_path') ?? (event === 'Stop' ? textAt('transcript_path') : undefined),
    message: textAt('last_assistant_message'),
    isAgain: given['stop_hook_active'] === true,
    isWaiting: tasks.some((task) => isRunning(task, agent)),
  };
}

/** An agent that ends its turn is among those that run, and does not wait for itself. */
function isRunning(task: unknown, agent: string | undefined): boolean {
  const { status, id } = (typeof task === 'object' && task !== null ? task : {}) as Readonly<Record<string, unknown>>;
  return status === 'running' && id !== agent;
}
