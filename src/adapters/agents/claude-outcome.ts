import { failure, success } from '../../base/outcome.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { AgentCall, AgentFailure, CallOutcome } from '../../ports/agent.ts';
import type { Ending } from '../processes/command.ts';
import { describeSignalEnd, describeEarlyEnd, createFailure, getLastLine } from './agent-program.ts';
import { findCause, isUsageLimit, explainOldVersion, type FailureCause } from './claude-causes.ts';
import { findMainModel, type ClaudeResult } from './claude-output.ts';
import type { ClaudeStory } from './claude-stream.ts';
import type { Now } from './reset-time.ts';

/** Denied tools that are listed by name; the others are only counted. */
const MOST_DENIALS = 20;

/** The parts of a call that decide how its ending is read. */
export type ClaudeCallContext = Pick<AgentCall, 'schema' | 'maxUsd'> & { readonly maxTurns: number };

/**
 * The outcome of a run of claude. Success is exit code 0 and a result that is no error and has the structured answer;
 * `subtype` and exit code alone are unreliable.
 */
export function readClaudeOutcome(ending: Ending, story: ClaudeStory, asked: ClaudeCallContext, now: Now): CallOutcome {
  const why = whyNot(ending, story, asked, now);
  if (why) return failure({ ...why, ...waitFor(why, story, now), ...story.usage });
  const { result } = story;
  const answeredBy = (result && findMainModel(result)) ?? story.model;
  return success({
    text: result?.result ?? '',
    structured: result?.structured_output,
    ...story.usage,
    ms: ending.ms,
    exit: ending.exit,
    ...(answeredBy === undefined ? {} : { answeredBy: toTerminalLine(answeredBy, 80) }),
    denials: denialsOf(result),
    opened: story.opened,
  });
}

/** Waits as long as the service asks for, even when the failure does not mention it. */
function waitFor({ kind, until }: AgentFailure, { retrying }: ClaudeStory, { at }: Now): { readonly until?: string } {
  const left = retrying?.leftMs ?? 0;
  return kind !== 'unavailable' || until !== undefined || left === 0
    ? {}
    : { until: new Date(at.getTime() + left).toISOString() };
}

function whyNot(ending: Ending, story: ClaudeStory, asked: ClaudeCallContext, now: Now): AgentFailure | undefined {
  const early = describeEarlyEnd('claude', ending);
  if (early?.kind === 'stall' && story.retrying) return outOfReach(ending, story, now) ?? early;
  if (early) return early;
  const { result } = story;
  if (result === undefined) return withoutResult(ending, story, now);
  if (result.is_error || result.subtype.startsWith('error')) return whyError(ending, result, story, asked, now);
  const signal = describeSignalEnd(ending);
  if (signal !== undefined) return createFailure('crash', `claude was ended from outside by ${signal}`, ending);
  if (ending.exit !== 0) return createFailure('crash', `claude ended with exit code ${ending.exit ?? '?'}`, ending);
  return whyNoAnswer(ending, result, story, asked, now);
}

/** The time limit passed while claude only retried: the service stalls. */
function outOfReach(ending: Ending, { retrying, limit }: ClaudeStory, now: Now): AgentFailure | undefined {
  const { status, error = '' } = retrying ?? {};
  const cause = findCause({ status, said: error, terminal: '', limit }, now);
  const words = `claude got no answer from the service and tried again${numbered(status, error)}`;
  if (cause) return because(cause, words, ending);
  return status === undefined ? createFailure('unavailable', words, ending) : undefined;
}

const numbered = (status: number | undefined, error: string): string => {
  const parts = [status === undefined ? '' : String(status), toTerminalLine(error, 80)].filter((part) => part !== '');
  return parts.length === 0 ? '' : ` (${parts.join(' ')})`;
};

function withoutResult(ending: Ending, story: ClaudeStory, now: Now): AgentFailure {
  const said = toTerminalLine([getLastLine(ending.stderr), story.plain].find((text) => text !== '') ?? '', 300);
  const signal = describeSignalEnd(ending);
  if (signal !== undefined) return createFailure('crash', `claude was ended from outside by ${signal}`, ending);
  const old = explainOldVersion(ending.stderr);
  if (old !== undefined) return createFailure('refused', old, ending);
  if (ending.exit === 126 || ending.exit === 127)
    return createFailure('refused', `claude cannot be started: ${said}; reinstall it`, ending);
  if (!story.utf8) return createFailure('unreadable', 'what claude printed is not valid UTF-8', ending);
  const cause = findCause({ status: undefined, said, terminal: '', limit: story.limit }, now);
  if (cause && ending.exit !== 0) return because(cause, `claude: ${said}`, ending);
  if (ending.exit !== 0)
    return createFailure('crash', `claude gave no result (exit ${ending.exit ?? '?'}) ${said}`.trim(), ending);
  return story.plain === ''
    ? createFailure('empty', `claude printed no result ${said}`.trim(), ending)
    : createFailure('unreadable', `claude printed what is no result: ${said}`, ending);
}

/** What an error means for the line; the program's own limits first, because they are explicit. */
function whyError(
  ending: Ending,
  result: ClaudeResult,
  story: ClaudeStory,
  { maxTurns, maxUsd }: ClaudeCallContext,
  now: Now,
): AgentFailure {
  const terminal = result.terminal_reason ?? '';
  const said = saidBy(result, ending);
  const words = `claude: ${said === '' ? toTerminalLine(result.subtype, 80) : said}`;
  switch (result.subtype) {
    case 'error_max_turns':
      return createFailure('crash', `claude used all of its ${maxTurns} turns and gave no answer`, ending);
    case 'error_max_budget_usd':
      return createFailure(
        'spent',
        `claude spent what was left for this call${dollars(maxUsd)} and gave no answer`,
        ending,
      );
    case 'error_max_structured_output_retries':
      return createFailure('unreadable', `no answer of the model fits what was asked for; ${words}`, ending);
  }
  if (terminal.startsWith('aborted'))
    return createFailure('crash', 'claude was ended from outside, as by Ctrl-C', ending);
  const seen = {
    status: result.api_error_status ?? undefined,
    said: `${said} ${result.api_error ?? ''}`,
    terminal,
    limit: story.limit,
  };
  const cause = findCause(seen, now);
  return cause ? because(cause, words, ending) : createFailure('crash', words, ending);
}

/** Why a success does not count: a limit in the text of an answer, no structured answer, an empty answer. */
function whyNoAnswer(
  ending: Ending,
  result: ClaudeResult,
  story: ClaudeStory,
  { schema }: ClaudeCallContext,
  now: Now,
): AgentFailure | undefined {
  const said = toTerminalLine(result.result ?? '', 300);
  const isAnswered = schema === undefined ? said !== '' : (result.structured_output ?? undefined) !== undefined;
  if (!isAnswered && isUsageLimit(said, story.limit)) {
    const cause = findCause({ status: 429, said, terminal: '', limit: story.limit }, now);
    if (cause) return because(cause, `claude: ${said}`, ending);
  }
  if (!story.utf8) return createFailure('unreadable', 'what claude printed is not valid UTF-8', ending);
  if (isAnswered && story.handIns > 1)
    return createFailure(
      'unreadable',
      `claude handed in ${story.handIns} answers that differ, so none of them counts`,
      ending,
    );
  if (isAnswered) return undefined;
  return schema === undefined
    ? createFailure('empty', 'claude ended well but answered nothing', ending)
    : createFailure('unreadable', 'claude ended well but gave no structured answer', ending);
}

const because = ({ kind, todo, until }: FailureCause, words: string, ending: Ending): AgentFailure => ({
  ...createFailure(kind, todo === '' ? words : `${words}; ${todo}`, ending),
  ...(until === undefined ? {} : { until }),
});

/** The message of the result; stderr only where the result has none, because it is noisy on success too. */
function saidBy(result: ClaudeResult, ending: Ending): string {
  const texts = [result.result ?? '', ...(result.errors ?? [])].filter((text) => text !== '');
  return toTerminalLine(texts.length === 0 ? getLastLine(ending.stderr) : texts.join('; '), 300);
}

const dollars = (usd: number | undefined): string => (usd === undefined ? '' : ` ($${usd.toFixed(4)})`);

/** The refusals of claude's own permissions, one phrase each: the tool and its target. */
function denialsOf(result: ClaudeResult | undefined): readonly string[] {
  const denials = result?.permission_denials ?? [];
  const told = denials.slice(0, MOST_DENIALS).map(({ tool_name: tool, tool_input: input = {} }) => {
    const on = [input['file_path'], input['path'], input['command'], input['pattern']].find(
      (value) => typeof value === 'string',
    );
    return toTerminalLine(`${tool} ${on ?? ''}`, 200);
  });
  return denials.length > MOST_DENIALS ? [...told, `and ${denials.length - MOST_DENIALS} more`] : told;
}
