import { z } from 'zod';
import { parseJson } from '../../../base/json-object.ts';
import { lazy } from '../../../base/lazy.ts';
import { existsSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { openDir } from '../../../base/system/safe-fs.ts';
import { loadWorkspace } from '../../../project/workspace/load-workspace.ts';
import { standardMessages } from '../../../project/config/message-settings.ts';
import { endOfTurn } from '../../guards/turn-end.ts';
import { readTranscript, type TimedEvent } from '../../session/claude-transcript.ts';
import { foldSession, type Session, type SessionEvent } from '../../session/session.ts';
import { countCitedLinesOnDisk } from '../cited-files.ts';
import { resolveReal } from '../read-files.ts';
import { isInside } from '../../../project/workspace/is-inside.ts';
import { ruleOnText, type MessageRuling } from '../message-rules.ts';
import { countTurnRetries, writeTurn, type TurnRow } from './turns.ts';
import { HOOK_EVENTS } from './edit-settings.ts';
import { getErrorMessage } from '../../../base/get-error-message.ts';

/** The exit code for Claude Code: 2 sends the turn back with standard error; anything else ends it. */
interface HookAnswer {
  readonly exit: 0 | 1 | 2;
  readonly stderr: string;
  readonly stdout: string;
}

/**
 * Answers one call of Claude Code's Stop or SubagentStop hook. What andon itself cannot do (read its input or settings)
 * never holds a session up: the turn ends, exit 1, and says that nothing was checked. What the session does not show
 * (its transcript is gone) is no evidence.
 */
export async function answerHook(given: string, env: NodeJS.ProcessEnv, now: Date): Promise<HookAnswer> {
  try {
    const input = readHookInput(given);
    return await answer(input, env, now);
  } catch (error) {
    const why = getErrorMessage(error);
    return { exit: 1, stdout: '', stderr: `andon: this answer was not checked: ${why}` };
  }
}

async function answer(input: HookInput, env: NodeJS.ProcessEnv, now: Date): Promise<HookAnswer> {
  const root = rootOf(input.cwd);
  const place = root === undefined ? undefined : await loadWorkspace(root, env, { tolerates: 'nothing' });
  const settings = place?.settings.messages ?? standardMessages(); // where andon is not set up everything holds as usual
  if (!settings.enabled) return { exit: 0, stdout: '', stderr: '' };
  const session = namedFrom(root ?? input.cwd, foldSession(eventsOf(input)));
  const text = input.message ?? session.said ?? '';
  if (text.trim() === '') return { exit: 0, stdout: '', stderr: '' };
  const turn = [input.session, input.prompt ?? session.asked ?? '', input.agent ?? ''].join(' ').slice(0, 400);
  const { retries, isCounted } = countRetries(turn, input, env);
  const lines = countCitedLinesOnDisk(root ?? input.cwd, text, session.changed);
  const ruling = place === undefined ? NO_RULES : await ruleOnText(place, text, 'implementer', now);
  const { refused } = ruling;
  const end = endOfTurn({ text, session, lines, retries, refused, isWaiting: input.isWaiting }, settings);
  const back = isCounted ? end.back : undefined;
  const warned = back === undefined && end.result.warnings.length + ruling.refused.length > 0;
  const where = { turn, event: input.event, root: root ?? input.cwd };
  const hasNoted = note({ at: now.toISOString(), ...where, back: back?.guard ?? null, warned }, env);
  // Where nothing can be written down, Claude's own word that it was sent back already must do.
  if (back !== undefined && (hasNoted || !input.isAgain)) return { exit: 2, stdout: '', stderr: back.feedback };
  const rules = [...ruling.refused, ...ruling.noted, ...ruling.unchecked.map((one) => `not checked: ${one}`)];
  const shown = [...end.notes, ...rules].map((one) => `andon: ${one}`).join('\n');
  return { exit: 0, stderr: '', stdout: shown === '' ? '' : JSON.stringify({ systemMessage: shown }) };
}

const NO_RULES: MessageRuling = { refused: [], noted: [], unchecked: [] };

function countRetries(turn: string, input: HookInput, env: NodeJS.ProcessEnv) {
  try {
    return { retries: countTurnRetries(turn, env), isCounted: true };
  } catch {
    return { retries: {}, isCounted: !input.isAgain };
  }
}

function note(row: TurnRow, env: NodeJS.ProcessEnv): boolean {
  try {
    writeTurn(row, env);
    return true;
  } catch {
    return false;
  }
}

/** The nearest folder upwards that andon is set up in. */
function rootOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (SET_UP.some((name) => existsSync(join(at, '.andon', name)))) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** A project may have rules and no configuration of its own: then the defaults hold. */
const SET_UP = ['config.yaml', 'rules'];

/** Of a transcript the end is read: what happened longer ago shows nothing of what is there now. */
const MOST_TRANSCRIPT = 64_000_000;
/** The agents that an agent started, of which the last to write are read. */
const MOST_HELPERS = 50;

/** What happened in the session; for the main agent also what the agents did that it started. */
function eventsOf({ transcript, event }: HookInput): readonly SessionEvent[] {
  if (transcript === undefined) return [];
  const own = readEvents(transcript);
  const folder = join(transcript.replace(/\.jsonl$/, ''), 'subagents');
  const theirs = (event === 'Stop' ? listHelpers(folder) : [])
    .flatMap(({ name, wrote }) => datedBy(wrote, readEvents(join(folder, name))))
    .filter(({ event: { kind } }) => kind !== 'asked' && kind !== 'said');
  return [...own, ...theirs].toSorted((one, other) => byText(one.at, other.at)).map(({ event: one }) => one);
}

/** Events before the first time of a file get that one, or the time of its last change. */
const datedBy = <One extends { readonly at: string }>(wrote: string, events: readonly One[]): readonly One[] => {
  const first = events.find(({ at }) => at !== '')?.at ?? wrote;
  return events.map((one) => (one.at === '' ? { ...one, at: first } : one));
};

const byText = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1);

/** The transcripts of the last agents to write, in that order: their names tell no time. */
function listHelpers(folder: string): readonly { readonly name: string; readonly wrote: string }[] {
  const door = openDir(folder);
  return door
    .entries('')
    .filter(({ name }) => name.endsWith('.jsonl'))
    .map(({ name }) => ({ name, wrote: door.stat(name)?.mtime.toISOString() ?? '' }))
    .toSorted((one, other) => byText(one.wrote, other.wrote))
    .slice(-MOST_HELPERS);
}

function readEvents(file: string): readonly TimedEvent[] {
  const read = openDir(dirname(file)).lines(basename(file), MOST_TRANSCRIPT);
  return read.ok ? readTranscript(read.value) : [];
}

/** Names files as a project does: from its folder. */
function namedFrom(root: string, session: Session): Session {
  const real = resolveReal(root);
  const name = (path: string): string => {
    const file = isAbsolute(path) ? resolveReal(path) : path;
    return isInside(file, real) ? relative(real, file) : path;
  };
  return {
    ...session,
    read: session.read.map(name),
    changed: session.changed.map(name),
    runs: session.runs.map((run) =>
      run.changedSince === undefined ? run : { ...run, changedSince: name(run.changedSince) },
    ),
  };
}

/** What Claude Code tells its hook, as far as andon asks; older programs leave fields out. */
const inputSchema = lazy(() => {
  const text = z.string().min(1);
  const told = text.optional().catch(undefined);
  return z
    .object({
      hook_event_name: z.enum(HOOK_EVENTS),
      session_id: text,
      cwd: text,
      prompt_id: told,
      agent_id: told,
      transcript_path: told,
      agent_transcript_path: told,
      last_assistant_message: told,
      stop_hook_active: z.boolean().catch(false),
      background_tasks: z
        .array(z.object({ status: z.string().optional(), id: z.string().optional() }).catch({}))
        .catch([]),
    })
    .transform((given) => {
      const event = given.hook_event_name;
      // The agent that another one started; undefined for the main one.
      const agent = event === 'SubagentStop' ? given.agent_id : undefined;
      return {
        event,
        session: given.session_id,
        prompt: given.prompt_id,
        agent,
        cwd: given.cwd,
        /** The transcript of the agent that ends its turn. */
        transcript: given.agent_transcript_path ?? (event === 'Stop' ? given.transcript_path : undefined),
        message: given.last_assistant_message,
        /** Whether this turn goes on only because a hook sent it back. */
        isAgain: given.stop_hook_active,
        /** Whether agents that it started are still at work; it is among those that run, and does not wait for itself. */
        isWaiting: given.background_tasks.some(({ status, id }) => status === 'running' && id !== agent),
      };
    });
});
type HookInput = z.infer<ReturnType<typeof inputSchema>>;

/** Reads it; an Error says what is missing. */
function readHookInput(text: string): HookInput {
  const parsed = inputSchema().safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`standard input is not the JSON of a hook: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
}
