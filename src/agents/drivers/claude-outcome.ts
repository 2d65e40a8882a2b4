import { success } from '../../base/outcome.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { AgentCall, CallOutcome } from '../agent.ts';
import type { Ending } from '../../sandbox/processes/command.ts';
import type { ClaudeResult, ClaudeStory } from './claude-stream.ts';
import { readDriverOutcome, type OutcomeTable } from './driver-outcome.ts';
import type { ProgramOutput } from './follow-program.ts';
import type { Now } from './reset-time.ts';

/** Denied tools that are listed by name; the others are only counted. */
const MOST_DENIALS = 20;

/**
 * The outcome of a run of claude. Success is exit code 0 and a result that is no error and has the structured answer;
 * `subtype` and exit code alone are unreliable.
 */
export function readClaudeOutcome(
  ending: Ending,
  story: ClaudeStory,
  request: Pick<AgentCall, 'schema' | 'model'>,
  now: Now,
): CallOutcome {
  const { result } = story;
  const output = toProgramOutput(story, request);
  // stderr only where the result has no words: it is noisy on success too.
  const isTold = result !== undefined && output.failed !== '';
  const read = readDriverOutcome(OUTCOMES, isTold ? { ...ending, stderr: '' } : ending, output, request, now);
  if (!read.ok) return read;
  const models = Object.entries(result?.modelUsage ?? {});
  const [main] = models.toSorted(([, one], [, other]) => other.outputTokens - one.outputTokens);
  const answeredBy = main?.[0] ?? story.model;
  return success({
    ...read.value,
    ...(answeredBy === undefined ? {} : { answeredBy: toTerminalLine(answeredBy, 80) }),
    denials: denialsOf(result),
  });
}

/** The story in the terms of drivers. */
function toProgramOutput(story: ClaudeStory, { schema }: Pick<AgentCall, 'schema'>): ProgramOutput {
  const { result, retrying, limit, plain, usage } = story;
  const text = result?.result ?? '';
  const structured = result?.structured_output ?? undefined;
  const isAnswered = schema === undefined || structured !== undefined;
  // Claude Code reports some limits as a success. A model's own prose about one is not trusted.
  const isLimit =
    limit === undefined ? /^Claude AI usage limit reached\|\d+$/.test(text) : text.length < 200 && LIMIT.test(text);
  const isError = result?.is_error === true || result?.subtype.startsWith('error') === true;
  const words = [text, ...(result?.errors ?? [])].filter((one) => one !== '').join('; ');
  const status = result?.api_error_status ?? undefined;
  const isLimited = limit !== undefined && (status === 429 || status === undefined);
  const facts = [
    ...(isError
      ? [`subtype ${result?.subtype}`, `terminal ${result?.terminal_reason ?? ''}`, result?.api_error ?? '']
      : []),
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(isLimited ? ['usage limit'] : []),
    ...(limit?.resetsAt == null ? [] : [`resets at ${toIso(limit.resetsAt)}`]),
    ...(retrying === undefined
      ? []
      : [
          `retry after ${Math.floor(retrying.leftMs / 1000)} s`,
          `status ${retrying.status ?? 'unknown'} ${retrying.error}`,
        ]),
  ];
  const unreadable = [
    ...(story.utf8 ? [] : ['what it printed is not valid UTF-8']),
    ...(result === undefined && plain !== '' ? ['what it printed is no result'] : []),
    ...(result === undefined || isAnswered ? [] : ['it ended well but gave no structured answer']),
    ...(story.handIns > 1 ? [`it handed in ${story.handIns} answers that differ, so none of them counts`] : []),
  ];
  return {
    isDone: true,
    failed: isError || (isLimit && (schema === undefined || !isAnswered)) ? words : undefined,
    troubles: facts,
    isInTrouble: retrying !== undefined,
    answer: text,
    structured,
    counted: { ...usage, cached: null },
    opened: story.opened,
    unreadable: unreadable[0],
    plain,
  };
}

/** A time in seconds since 1970; a date that no calendar has is no time. */
const toIso = (seconds: number): string =>
  Number.isFinite(new Date(seconds * 1000).getTime()) ? new Date(seconds * 1000).toISOString() : '';

/** The remedy for an old version; andon was tested with 2.1.330. */
export const UPDATE_CLAUDE = 'run `claude update` or `npm install -g @anthropic-ai/claude-code`';

const says = (pattern: RegExp) => (text: string) => pattern.test(text);

/** Every message of Claude Code about a used-up share of a subscription. */
const LIMIT = /(?:hit|reached) your .{0,30}\blimit|\blimit reached\b|out of (?:extra )?usage|^usage limit$/im;

/** What its endings mean; the first cause that fits counts. Statuses and words are Claude Code's own. */
const OUTCOMES: OutcomeTable = {
  name: 'claude',
  billing: 'metered',
  prices: undefined,
  exits: { ok: [0], refused: [126, 127], unavailable: [], tooLong: [] },
  causes: [
    { kind: 'spent', fits: says(/^subtype error_max_budget_usd$/m) },
    { kind: 'unreadable', fits: says(/^subtype error_max_structured_output_retries$/m) },
    { kind: 'unavailable', fits: says(LIMIT) },
    {
      kind: 'too-long',
      fits: says(
        /prompt is too long|piped stdin input exceeds|request too large|^status 413\b|^terminal (?:prompt_too_long|blocking_limit)$/im,
      ),
    },
    {
      kind: 'refused',
      fits: says(/credit balance|billing|^status 402\b/im),
      remedy: 'add credit to the account that the key belongs to',
    },
    {
      kind: 'refused',
      fits: says(
        /not logged in|invalid api key|run \/login|token (?:has expired|revoked)|authentication_(?:error|failed)|organization has been disabled|^status 40[13]\b/im,
      ),
      remedy:
        'check ANTHROPIC_API_KEY (in the environment, or in agents.claude.env of your own configuration), or run `claude` once and log in',
    },
    {
      kind: 'refused',
      fits: says(/issue with the selected model|^status 404\b/im),
      remedy: 'check agents.claude.model in your own configuration, or the judge that the contract names',
    },
    {
      kind: 'refused',
      fits: says(/self[- ]signed certificate|unable to (?:verify|get) .*certificate|CERT_[A-Z]+/i),
      remedy: 'name the certificate of your proxy in NODE_EXTRA_CA_CERTS',
    },
    {
      kind: 'refused',
      fits: says(/^error: unknown option '--/m),
      remedy: `it lacks an option that 2.1.330 has; ${UPDATE_CLAUDE}`,
    },
    {
      kind: 'unavailable',
      fits: says(
        /connection_failed|connection (?:refused|error|reset|closed)|unable to connect|E(?:CONN[A-Z]+|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|PIPE)\b|timed out|overloaded|rate[ _]limit|server error|malformed response|socket hang up|fetch failed|^status (?:408|429|5\d\d|unknown)\b/im,
      ),
    },
  ],
};

/** The refusals of claude's own permissions, one phrase each: the tool and its target. */
function denialsOf(result: ClaudeResult | undefined): readonly string[] {
  const denials = result?.permission_denials ?? [];
  const lines = denials.slice(0, MOST_DENIALS).map(({ tool_name: tool, tool_input: input = {} }) => {
    const on = [input['file_path'], input['path'], input['command'], input['pattern']].find(
      (value) => typeof value === 'string',
    );
    return toTerminalLine(`${tool} ${on ?? ''}`, 200);
  });
  return denials.length > MOST_DENIALS ? [...lines, `and ${denials.length - MOST_DENIALS} more`] : lines;
}
