import type { AgentFailure } from '../../ports/agent.ts';
import { fromEpoch, parseResetTime, type Now } from './reset-time.ts';

/** The facts of a failed run that show its cause. */
export interface ClaudeFailure {
  readonly status: number | undefined;
  readonly said: string;
  /** `terminal_reason`. */
  readonly terminal: string;
  readonly limit: { readonly resetsAt: number | undefined } | undefined;
}

/** What a cause means for the line, and its remedy. */
export interface FailureCause {
  readonly kind: AgentFailure['kind'];
  readonly todo: string;
  readonly until?: string | undefined;
}

const LOGIN =
  'check ANTHROPIC_API_KEY (in the environment, or in agents.claude.env of your own configuration), or run `claude` once and log in';
const MODEL = 'check agents.claude.model in your own configuration, or the judge that the contract names';
const UPDATE = 'update it with `claude update` or `npm install -g @anthropic-ai/claude-code`';

interface Rule extends Pick<FailureCause, 'kind' | 'todo'> {
  readonly statuses?: readonly number[];
  readonly words?: RegExp;
  readonly terminals?: readonly string[];
}

/** Causes other than usage limits; the first match counts. Statuses and words are Claude Code's own. */
const RULES: readonly Rule[] = [
  {
    statuses: [413],
    words: /prompt is too long|piped stdin input exceeds|request too large/i,
    terminals: ['prompt_too_long', 'blocking_limit'],
    kind: 'too-long',
    todo: '',
  },
  {
    statuses: [402],
    words: /credit balance|billing/i,
    kind: 'refused',
    todo: 'add credit to the account that the key belongs to',
  },
  {
    statuses: [401, 403],
    words:
      /not logged in|invalid api key|run \/login|token (?:has expired|revoked)|authentication_(?:error|failed)|organization has been disabled/i,
    kind: 'refused',
    todo: LOGIN,
  },
  { statuses: [404], words: /issue with the selected model/i, kind: 'refused', todo: MODEL },
  {
    words: /self[- ]signed certificate|unable to (?:verify|get) .*certificate|CERT_[A-Z]+/i,
    kind: 'refused',
    todo: 'name the certificate of your proxy in NODE_EXTRA_CA_CERTS',
  },
  {
    statuses: [408, 429],
    words:
      /connection_failed|connection (?:refused|error|reset|closed)|unable to connect|E(?:CONN[A-Z]+|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH|PIPE)\b|timed out|overloaded|rate[ _]limit|server error|malformed response|socket hang up|fetch failed/i,
    kind: 'unavailable',
    todo: '',
  },
];

/** Every message of Claude Code about a used-up share of a subscription. */
const LIMIT_WORDS = /(?:hit|reached) your .{0,30}\blimit|\blimit reached\b|out of (?:extra )?usage/i;

/** The known cause of a failure; undefined = another try may end differently. */
export function findCause(seen: ClaudeFailure, now: Now): FailureCause | undefined {
  if (isLimit(seen)) return { kind: 'unavailable', todo: '', until: limitEnds(seen, now) };
  const rule = RULES.find(
    ({ statuses = [], words, terminals = [] }) =>
      (seen.status !== undefined && statuses.includes(seen.status)) ||
      terminals.includes(seen.terminal) ||
      words?.test(seen.said) === true,
  );
  if (rule === undefined) return (seen.status ?? 0) >= 500 ? { kind: 'unavailable', todo: '' } : undefined;
  const { kind, todo } = rule;
  return kind === 'unavailable' ? { kind, todo, until: parseResetTime(seen.said, now) } : { kind, todo };
}

/** Whether a run that claims success only reports a usage limit; a model's own prose is not trusted. */
export const isUsageLimit = (said: string, limit: ClaudeFailure['limit']): boolean =>
  limit !== undefined ? said.length < 200 && LIMIT_WORDS.test(said) : /^Claude AI usage limit reached\|\d+$/.test(said);

/** The message about a program that lacks andon's options; undefined for any other failure. */
export function explainOldVersion(stderr: string): string | undefined {
  const option = /^error: unknown option '(--?[\w-]{1,40})/m.exec(stderr)?.[1];
  return option === undefined ? undefined : describeUnknownOption(option);
}

/** The message about a claude that lacks an option; andon was tested with 2.1.330. */
export const describeUnknownOption = (option: string): string =>
  `this claude does not know ${option}, which andon needs (2.1.330 does); ${UPDATE}`;

const isLimit = ({ limit, status, said }: ClaudeFailure): boolean =>
  LIMIT_WORDS.test(said) || (limit !== undefined && (status === 429 || status === undefined));

const limitEnds = ({ limit, said }: ClaudeFailure, now: Now): string | undefined =>
  limit?.resetsAt === undefined ? parseResetTime(said, now) : fromEpoch(limit.resetsAt, now);
