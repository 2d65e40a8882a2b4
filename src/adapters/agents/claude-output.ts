import { z } from 'zod';
import { parseJson } from '../../base/json-object.ts';
import type { AgentUsage } from '../../ports/agent.ts';
import { findAnswers, getEndedToolId, findFileViews, type HandedIn, type FileView } from './claude-tools.ts';

/** Claude Code wrote this message, not a model. */
const SYNTHETIC = '<synthetic>';

const amount = z.number().nonnegative();
const maybe = amount.optional().catch(undefined);

const resultSchema = z.looseObject({
  type: z.literal('result'),
  is_error: z.boolean(),
  subtype: z.string(),
  result: z.string().optional().catch(undefined),
  errors: z.array(z.string()).optional().catch(undefined),
  structured_output: z.unknown().optional(),
  total_cost_usd: maybe,
  terminal_reason: z.string().nullish().catch(undefined),
  api_error_status: z.number().nullish().catch(undefined),
  api_error: z.string().nullish().catch(undefined),
  modelUsage: z
    .record(
      z.string(),
      z.looseObject({
        inputTokens: amount,
        outputTokens: amount,
        cacheReadInputTokens: maybe,
        cacheCreationInputTokens: maybe,
        costBasis: z.string().optional().catch(undefined),
      }),
    )
    .optional()
    .catch(undefined),
  permission_denials: z
    .array(
      z.looseObject({
        tool_name: z.string(),
        tool_input: z.record(z.string(), z.unknown()).optional().catch(undefined),
      }),
    )
    .optional()
    .catch(undefined),
});
export type ClaudeResult = z.infer<typeof resultSchema>;

const limitSchema = z.looseObject({
  type: z.literal('rate_limit_event'),
  rate_limit_info: z.looseObject({ status: z.string(), resetsAt: z.number().optional().catch(undefined) }),
});

const systemSchema = z.looseObject({
  type: z.literal('system'),
  subtype: z.string(),
  model: z.string().optional().catch(undefined),
  error_status: z.number().nullish().catch(undefined),
  error: z.string().nullish().catch(undefined),
  retry_delay_ms: maybe,
  retry_after: maybe,
});

const message = z.looseObject({
  id: z.string(),
  model: z.string().optional().catch(undefined),
  content: z.array(z.looseObject({ type: z.string() })).catch([]),
  usage: z
    .looseObject({
      input_tokens: amount,
      output_tokens: amount,
      cache_read_input_tokens: maybe,
      cache_creation_input_tokens: maybe,
    })
    .optional()
    .catch(undefined),
});
const messageSchema = z.looseObject({ type: z.literal('assistant'), message });
/** The beginning of a message with `--include-partial-messages`; later parts count only as signs of life. */
const beginSchema = z.looseObject({
  type: z.literal('stream_event'),
  event: z.looseObject({ type: z.literal('message_start'), message }),
});

/** The usage of a message so far, and the only one of a message that is cut off. */
const deltaSchema = z.looseObject({
  type: z.literal('stream_event'),
  event: z.looseObject({ type: z.literal('message_delta'), usage: z.looseObject({ output_tokens: amount }) }),
});

const toolsSchema = z.looseObject({
  type: z.literal('user'),
  message: z.looseObject({ content: z.array(z.looseObject({ type: z.string() })) }),
});

/** An event of `--output-format stream-json`, as far as andon uses it. */
export type ClaudeEvent =
  | { readonly kind: 'result'; readonly result: ClaudeResult }
  | { readonly kind: 'limit'; readonly status: string; readonly resetsAt: number | undefined }
  | {
      readonly kind: 'retry';
      readonly status: number | undefined;
      readonly error: string;
      /** How long the service asks to wait, if claude reports it. */
      readonly waitMs: number | undefined;
    }
  /** Tokens so far of the message that began last. */
  | { readonly kind: 'written'; readonly tokensOut: number }
  /** Claude is about to ask the service; also before each retry. */
  | { readonly kind: 'asking' }
  | { readonly kind: 'start'; readonly model: string | undefined }
  | {
      readonly kind: 'message';
      readonly id: string;
      readonly tokensIn: number;
      readonly tokensOut: number;
      /** The tool uses that only submit the answer, each as normalised JSON. */
      readonly answers: readonly HandedIn[];
      /** The tool uses that show the model a file or the output of a command. */
      readonly looks: readonly FileView[];
    }
  /** The ends of tool uses, by id. */
  | { readonly kind: 'tools'; readonly succeeded: readonly string[]; readonly failed: readonly string[] }
  | { readonly kind: 'other' };

/** Parses a line of the stream; undefined when it is no event. Other shapes may change between versions. */
export function readEvent(line: string): ClaudeEvent | undefined {
  const typed = z.looseObject({ type: z.string() }).safeParse(parseJson(line));
  return typed.success ? (readTyped(typed.data) ?? { kind: 'other' }) : undefined;
}

/** Tokens and cost of a result; null where they are missing or a model has no known price. */
export function readClaudeUsage({ modelUsage, total_cost_usd: total }: ClaudeResult): AgentUsage {
  const usd = total ?? null;
  if (modelUsage === undefined) return { tokensIn: null, tokensOut: null, usd };
  const models = Object.values(modelUsage);
  const sum = (pick: (model: (typeof models)[number]) => number): number =>
    Math.round(models.reduce((total, model) => total + pick(model), 0));
  return {
    tokensIn: sum(
      (model) => model.inputTokens + (model.cacheReadInputTokens ?? 0) + (model.cacheCreationInputTokens ?? 0),
    ),
    tokensOut: sum((model) => model.outputTokens),
    usd: models.some((model) => model.costBasis === 'unknown') ? null : usd,
  };
}

/** The model that wrote most of the answer; undefined when the result has none. */
export function findMainModel({ modelUsage = {} }: ClaudeResult): string | undefined {
  const [first] = Object.entries(modelUsage).toSorted(([, one], [, other]) => other.outputTokens - one.outputTokens);
  return first?.[0];
}

function readTyped(value: { readonly type: string }): ClaudeEvent | undefined {
  switch (value.type) {
    case 'result': {
      const { data: result } = resultSchema.safeParse(value);
      return result && { kind: 'result', result };
    }
    case 'rate_limit_event': {
      const { data } = limitSchema.safeParse(value);
      return data && { kind: 'limit', status: data.rate_limit_info.status, resetsAt: data.rate_limit_info.resetsAt };
    }
    case 'system': {
      const { data } = systemSchema.safeParse(value);
      return data && readSystem(data);
    }
    case 'assistant': {
      const { data } = messageSchema.safeParse(value);
      return data && readMessage(data.message);
    }
    case 'stream_event': {
      const { data } = beginSchema.safeParse(value);
      if (data) return readMessage(data.event.message);
      const written = deltaSchema.safeParse(value).data?.event.usage.output_tokens;
      return written === undefined ? undefined : { kind: 'written', tokensOut: Math.round(written) };
    }
    case 'user': {
      const { data } = toolsSchema.safeParse(value);
      if (data === undefined) return undefined;
      const ended = (failed: boolean): readonly string[] =>
        data.message.content.flatMap((part) => getEndedToolId(part, failed));
      return { kind: 'tools', succeeded: ended(false), failed: ended(true) };
    }
    default:
      return undefined;
  }
}

function readSystem(said: z.infer<typeof systemSchema>): ClaudeEvent {
  const { subtype, model, error, error_status: status, retry_delay_ms: delay, retry_after: seconds } = said;
  switch (subtype) {
    case 'api_retry':
      return {
        kind: 'retry',
        status: status ?? undefined,
        error: error ?? '',
        waitMs: seconds === undefined ? delay : seconds * 1000,
      };
    case 'status':
      return { kind: 'asking' };
    case 'init':
      return { kind: 'start', model };
    default:
      return { kind: 'other' };
  }
}

function readMessage({ id, model, content, usage }: z.infer<typeof message>): ClaudeEvent {
  if (model === SYNTHETIC) return { kind: 'other' };
  return {
    kind: 'message',
    id,
    tokensIn: Math.round(
      (usage?.input_tokens ?? 0) + (usage?.cache_read_input_tokens ?? 0) + (usage?.cache_creation_input_tokens ?? 0),
    ),
    tokensOut: Math.round(usage?.output_tokens ?? 0),
    answers: findAnswers(content),
    looks: findFileViews(content),
  };
}
