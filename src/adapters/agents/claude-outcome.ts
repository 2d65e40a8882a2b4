import { failure, success } from '../../base/outcome.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { AgentCall, AgentFailure, CallOutcome } from '../../ports/agent.ts';
import type { Ending } from '../processes/command.ts';
import { createFailure, describeEarlyEnd, describeSignalEnd, getLastLine } from './agent-program.ts';
import type { ClaudeResult, ClaudeStory } from './claude-stream.ts';
import { fromEpoch, parseResetTime, type Now } from './reset-time.ts';

/** Denied tools that are listed by name; the others are only counted. */
const MOST_DENIALS = 20;

/** The parts of a call that decide how its ending is read. */
export type ClaudeCallContext = Pick<AgentCall, 'schema' | 'maxUsd'> & { readonly maxTurns: number };

/** A run that ended. */
interface Run {
  readonly ending: Ending;
  readonly story: ClaudeStory;
  readonly asked: ClaudeCallContext;
  readonly now: Now;
}

/**
 * The outcome of a run of claude. Success is exit code 0 and a result that is no error and has the structured answer;
 * `subtype` and exit code alone are unreliable.
 */
export function readClaudeOutcome(ending: Ending, story: ClaudeStory, asked: ClaudeCallContext, now: Now): CallOutcome {
  const why = whyNot({ ending, story, asked, now });
  const { result } = story;
  if (why !== undefined) {
    // Waits as long as the service asks for, even when the failure does not mention it.
    const left = why.kind === 'unavailable' && why.until === undefined ? (story.retrying?.leftMs ?? 0) : 0;
    const until = left === 0 ? {} : { until: new Date(now.at.getTime() + left).toISOString() };
    return failure({ ...why, ...until, ...story.usage });
  }
  const models = Object.entries(result?.modelUsage ?? {});
  const [main] = models.toSorted(([, one], [, other]) => other.outputTokens - one.outputTokens);
  const answeredBy = main?.[0] ?? story.model;
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

function whyNot(run: Run): AgentFailure | undefined {
  const { ending, story } = run;
  const { result, retrying } = story;
  const early = describeEarlyEnd('claude', ending);
  if (early?.kind === 'stall' && retrying !== undefined) {
    // The time limit passed while claude only retried: the service stalls.
    const details = [retrying.status, toTerminalLine(retrying.error, 80)].filter(Boolean).join(' ');
    const words = `claude got no answer from the service and tried again${details === '' ? '' : ` (${details})`}`;
    const isKnown = retrying.status !== undefined;
    return (
      byCause(run, words, { said: retrying.error, ...retrying }) ?? (isKnown ? early : fail(run, 'unavailable', words))
    );
  }
  if (early !== undefined) return early;
  if (result?.is_error === true || result?.subtype.startsWith('error') === true) return whyError(run, result);
  const signal = describeSignalEnd(ending);
  if (signal !== undefined) return fail(run, 'crash', `claude was ended from outside by ${signal}`);
  if (result === undefined) return whyNoResult(run);
  if (ending.exit !== 0) return fail(run, 'crash', `claude ended with exit code ${ending.exit ?? '?'}`);
  return whyNoAnswer(run, result);
}

function whyNoResult(run: Run): AgentFailure {
  const { ending, story } = run;
  const said = toTerminalLine(getLastLine(ending.stderr) || story.plain, 300);
  const old = explainOldVersion(ending.stderr);
  if (old !== undefined) return fail(run, 'refused', old);
  if (ending.exit === 126 || ending.exit === 127)
    return fail(run, 'refused', `claude cannot be started: ${said}; reinstall it`);
  if (!story.utf8) return fail(run, 'unreadable', 'what claude printed is not valid UTF-8');
  if (ending.exit !== 0)
    return (
      byCause(run, `claude: ${said}`, { said }) ??
      fail(run, 'crash', `claude gave no result (exit ${ending.exit ?? '?'}) ${said}`.trim())
    );
  return story.plain === ''
    ? fail(run, 'empty', `claude printed no result ${said}`.trim())
    : fail(run, 'unreadable', `claude printed what is no result: ${said}`);
}

/** What an error means for the line; the program's own limits first, because they are explicit. */
function whyError(run: Run, result: ClaudeResult): AgentFailure {
  const { maxTurns, maxUsd } = run.asked;
  const terminal = result.terminal_reason ?? '';
  const texts = [result.result ?? '', ...(result.errors ?? [])].filter((text) => text !== '');
  // stderr only where the result has no message: it is noisy on success too.
  const said = toTerminalLine(texts.length === 0 ? getLastLine(run.ending.stderr) : texts.join('; '), 300);
  const words = `claude: ${said === '' ? toTerminalLine(result.subtype, 80) : said}`;
  const dollars = maxUsd === undefined ? '' : ` ($${maxUsd.toFixed(4)})`;
  switch (result.subtype) {
    case 'error_max_turns':
      return fail(run, 'crash', `claude used all of its ${maxTurns} turns and gave no answer`);
    case 'error_max_budget_usd':
      return fail(run, 'spent', `claude spent what was left for this call${dollars} and gave no answer`);
    case 'error_max_structured_output_retries':
      return fail(run, 'unreadable', `no answer of the model fits what was asked for; ${words}`);
  }
  if (terminal.startsWith('aborted')) return fail(run, 'crash', 'claude was ended from outside, as by Ctrl-C');
  const status = result.api_error_status ?? undefined;
  const seen = { status, said: `${said} ${result.api_error ?? ''}`, terminal };
  return byCause(run, words, seen) ?? fail(run, 'crash', words);
}

/** Why a success does not count: a limit in the text of an answer, no structured answer, an empty answer. */
function whyNoAnswer(run: Run, result: ClaudeResult): AgentFailure | undefined {
  const { schema } = run.asked;
  const { limit, utf8, handIns } = run.story;
  const said = toTerminalLine(result.result ?? '', 300);
  const isAnswered = schema === undefined ? said !== '' : (result.structured_output ?? undefined) !== undefined;
  // A model's own prose about a limit is not trusted.
  const isLimit =
    limit === undefined
      ? /^Claude AI usage limit reached\|\d+$/.test(said)
      : said.length < 200 && LIMIT_WORDS.test(said);
  if (!isAnswered && isLimit) return byCause(run, `claude: ${said}`, { status: 429, said });
  if (!utf8) return fail(run, 'unreadable', 'what claude printed is not valid UTF-8');
  if (isAnswered && handIns > 1)
    return fail(run, 'unreadable', `claude handed in ${handIns} answers that differ, so none of them counts`);
  if (isAnswered) return undefined;
  return schema === undefined
    ? fail(run, 'empty', 'claude ended well but answered nothing')
    : fail(run, 'unreadable', 'claude ended well but gave no structured answer');
}

const fail = ({ ending }: Run, kind: AgentFailure['kind'], detail: string): AgentFailure =>
  createFailure(kind, detail, ending);

/** The facts of a failed run that show its cause. */
interface Seen {
  readonly status?: number | undefined;
  readonly said: string;
  /** `terminal_reason`. */
  readonly terminal?: string;
}

/** The failure by its known cause; undefined = another try may end differently. */
function byCause(run: Run, words: string, { status, said, terminal = '' }: Seen): AgentFailure | undefined {
  const { limit } = run.story;
  const until =
    (limit?.resetsAt === undefined ? undefined : fromEpoch(limit.resetsAt, run.now)) ?? parseResetTime(said, run.now);
  const waits = (): AgentFailure => ({ ...fail(run, 'unavailable', words), ...(until === undefined ? {} : { until }) });
  if (LIMIT_WORDS.test(said) || (limit !== undefined && (status === 429 || status === undefined))) return waits();
  const cause = CAUSES.find(
    ({ statuses = [], pattern, terminals = [] }) =>
      (status !== undefined && statuses.includes(status)) || terminals.includes(terminal) || pattern.test(said),
  );
  if (cause === undefined) return (status ?? 0) >= 500 ? fail(run, 'unavailable', words) : undefined;
  if (cause.kind === 'unavailable') return waits();
  return fail(run, cause.kind, cause.remedy === undefined ? words : `${words}; ${cause.remedy}`);
}

/** Every message of Claude Code about a used-up share of a subscription. */
const LIMIT_WORDS = /(?:hit|reached) your .{0,30}\blimit|\blimit reached\b|out of (?:extra )?usage/i;

/** Causes other than usage limits; the first match counts. Statuses and words are Claude Code's own. */
const CAUSES: readonly {
  readonly kind: 'too-long' | 'refused' | 'unavailable';
  readonly pattern: RegExp;
  readonly statuses?: readonly number[];
  readonly terminals?: readonly string[];
  readonly remedy?: string;
}[] = [
  {
    kind: 'too-long',
    pattern: /prompt is too long|piped stdin input exceeds|request too large/i,
    statuses: [413],
    terminals: ['prompt_too_long', 'blocking_limit'],
  },
  {
    kind: 'refused',
    pattern: /credit balance|billing/i,
    statuses: [402],
    remedy: 'add credit to the account that the key belongs to',
  },
  {
    kind: 'refused',
    pattern:
      /not logged in|invalid api key|run \/login|token (?:has expired|revoked)|authentication_(?:error|failed)|organization has been disabled/i,
    statuses: [401, 403],
    remedy:
      'check ANTHROPIC_API_KEY (in the environment, or in agents.claude.env of your own configuration), or run `claude` once and log in',
  },
  {
    kind: 'refused',
    pattern: /issue with the selected model/i,
    statuses: [404],
    remedy: 'check agents.claude.model in your own configuration, or the judge that the contract names',
  },
  {
    kind: 'refused',
    pattern: /self[- ]signed certificate|unable to (?:verify|get) .*certificate|CERT_[A-Z]+/i,
    remedy: 'name the certificate of your proxy in NODE_EXTRA_CA_CERTS',
  },
  {
    kind: 'unavailable',
    pattern:
      /connection_failed|connection (?:refused|error|reset|closed)|unable to connect|E(?:CONN[A-Z]+|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|PIPE)\b|timed out|overloaded|rate[ _]limit|server error|malformed response|socket hang up|fetch failed/i,
    statuses: [408, 429],
  },
];

/** The message about a program that lacks andon's options; undefined for any other failure. */
function explainOldVersion(stderr: string): string | undefined {
  const option = /^error: unknown option '(--?[\w-]{1,40})/m.exec(stderr)?.[1];
  return option === undefined ? undefined : describeUnknownOption(option);
}

/** The message about a claude that lacks an option; andon was tested with 2.1.330. */
export const describeUnknownOption = (option: string): string =>
  `this claude does not know ${option}, which andon needs (2.1.330 does); update it with \`claude update\` or \`npm install -g @anthropic-ai/claude-code\``;

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
