import { z } from 'zod';
import { decodeUtf8 } from '../../base/decode-file-text.ts';
import { isObject, parseJson } from '../../base/json-object.ts';
import type { ShowRule } from '../../project/config/driver-output.ts';
import type { AgentUsage, ShowOutput } from '../agent.ts';
import { figureAt, getOwnValue, valueAt } from './event-rules.ts';
import { createLineReader } from './line-reader.ts';
import { readPieces } from './read-pieces.ts';

const amount = z.number().nonnegative();
const maybe = amount.optional().catch(undefined);
const input = z.looseObject({
  inputTokens: amount,
  outputTokens: amount,
  cacheReadInputTokens: maybe,
  cacheCreationInputTokens: maybe,
  costBasis: z.string().optional().catch(undefined),
});
const denial = z.looseObject({
  tool_name: z.string(),
  tool_input: z.record(z.string(), z.unknown()).optional().catch(undefined),
});
const resultSchema = z.looseObject({
  is_error: z.boolean(),
  subtype: z.string(),
  result: z.string().optional().catch(undefined),
  errors: z.array(z.string()).optional().catch(undefined),
  structured_output: z.unknown().optional(),
  total_cost_usd: maybe,
  terminal_reason: z.string().nullish().catch(undefined),
  api_error_status: z.number().nullish().catch(undefined),
  api_error: z.string().nullish().catch(undefined),
  modelUsage: z.record(z.string(), input).optional().catch(undefined),
  permission_denials: z.array(denial).optional().catch(undefined),
});
export type ClaudeResult = z.infer<typeof resultSchema>;

/** The state of a run so far. */
export type ClaudeStory = ReturnType<ReturnType<typeof followClaudeStream>['story']>;

/** Claude Code wrote this message, not a model. */
const SYNTHETIC = '<synthetic>';
/** The tool that submits the structured answer. */
const ANSWERING_TOOL = 'StructuredOutput';
/** Messages and tool uses are identified by id; ids beyond this number are not counted. */
const MOST_IDS = 50_000;
/** A longer event holds a file or a picture, which is not shown. */
const LONGEST_SHOWN = 64 * 1024;
const UNKNOWN: AgentUsage = { tokensIn: null, tokensOut: null, usd: null };
/** What people see of its events: texts by their pieces, tools by the message that names their input. */
const CLAUDE_SHOWS: readonly ShowRule[] = [
  { where: { type: 'stream_event' }, text_delta: 'event.delta.text', thought_delta: 'event.delta.thinking' },
  { where: { type: 'assistant' }, each: 'message.content', tool: 'name', input: 'input' },
  { where: { type: 'system', subtype: 'api_retry' }, verb: 'asks again:', step: 'error' },
];

/** Parses the output of `--output-format stream-json` in bounded memory; `show` sees it as it comes. */
export function followClaudeStream(show?: ShowOutput) {
  const fold = createFold();
  let [plain, utf8] = ['', true];
  const reader = createLineReader((bytes) => {
    const line = decodeUtf8(bytes);
    utf8 &&= line !== undefined;
    const event = line?.startsWith('{') ? parseJson(line) : undefined;
    if (typeof getOwnValue(event, 'type') !== 'string') {
      if (line?.trim() === '') return 'no life';
      plain = (line ?? '').slice(0, 1000);
      return 'noise';
    }
    if (show !== undefined && bytes.length < LONGEST_SHOWN)
      for (const piece of readPieces(event, CLAUDE_SHOWS)) show(piece);
    return fold.readEvent(event) ? 'life' : 'no life';
  });
  return {
    /** Takes the next bytes. Asking the service again is no sign of life. */
    follow: reader.follow,
    /** Everything received so far. */
    story() {
      reader.end();
      return {
        ...fold.story(),
        /** The last line outside of events. */
        plain,
        /** Whether all of it was UTF-8. */
        utf8,
      };
    },
  };
}

/** Folds the events of a run. */
function createFold() {
  let result: ClaudeResult | undefined;
  let model: string | undefined;
  let limit: { readonly resetsAt: number | null } | undefined;
  let retry: { readonly status: number | null; readonly error: string; readonly ends: number } | undefined;
  let latest = '';
  const messages = new Map<string, { readonly tokensIn: number; readonly tokensOut: number }>();
  const answers = new Map<string, string>();
  const views = new Map<string, string>();
  const opened = new Set<string>();
  const results = new Set<string>();

  /** Every part of a message repeats its usage; later ones are more complete. */
  const count = (id: string, tokensIn: number, tokensOut: number): void => {
    const known = messages.get(id) ?? { tokensIn: 0, tokensOut: 0 };
    if (messages.has(id) || messages.size < MOST_IDS)
      messages.set(id, {
        tokensIn: Math.max(known.tokensIn, tokensIn),
        tokensOut: Math.max(known.tokensOut, tokensOut),
      });
  };
  const readMessage = (message: unknown): void => {
    const id = getOwnValue(message, 'id');
    if (typeof id !== 'string' || getOwnValue(message, 'model') === SYNTHETIC) return;
    retry = undefined;
    latest = id;
    count(
      id,
      INPUTS.reduce((sum, path) => sum + (figureAt(message, path) ?? 0), 0),
      figureAt(message, OUTPUT) ?? 0,
    );
    for (const part of partsOf(message)) {
      if (getOwnValue(part, 'type') !== 'tool_use') continue;
      const use = String(getOwnValue(part, 'id'));
      if (getOwnValue(part, 'name') === ANSWERING_TOOL && answers.size < MOST_IDS)
        answers.set(use, canonicalise(getOwnValue(part, 'input')));
      const path = viewedPath(part);
      if (path !== undefined && views.size < MOST_IDS) views.set(use, path);
    }
  };
  /** A rejected answer is no answer; a file counts as opened once its tool has ended well. */
  const readToolResult = (part: unknown): void => {
    if (getOwnValue(part, 'type') !== 'tool_result') return;
    const use = String(getOwnValue(part, 'tool_use_id'));
    const path = views.get(use);
    if (getOwnValue(part, 'is_error') === true) answers.delete(use);
    else if (path !== undefined) opened.add(path);
  };
  /** False where it is about to ask the service, again or for the first time. */
  const readSystemEvent = (event: unknown): boolean => {
    const subtype = getOwnValue(event, 'subtype');
    const started = getOwnValue(event, 'model');
    if (subtype === 'init' && typeof started === 'string') model = started;
    if (subtype === 'api_retry') {
      const seconds = figureAt(event, 'retry_after');
      const waitMs = seconds === null ? (figureAt(event, 'retry_delay_ms') ?? 0) : seconds * 1000;
      const error = getOwnValue(event, 'error');
      retry = {
        status: figureAt(event, 'error_status'),
        error: typeof error === 'string' ? error : '',
        ends: performance.now() + waitMs,
      };
    }
    return subtype !== 'api_retry' && subtype !== 'status';
  };

  return {
    /** Takes an event; false when it shows no progress. */
    readEvent(event: unknown): boolean {
      switch (getOwnValue(event, 'type')) {
        case 'result': {
          const { data } = resultSchema.safeParse(event);
          result = data ?? result;
          if (data?.structured_output !== undefined && results.size < MOST_IDS)
            results.add(canonicalise(data.structured_output));
          break;
        }
        case 'rate_limit_event':
          limit =
            valueAt(event, 'rate_limit_info.status') === 'rejected'
              ? { resetsAt: figureAt(event, 'rate_limit_info.resetsAt') }
              : undefined;
          break;
        case 'system':
          return readSystemEvent(event);
        case 'assistant':
          readMessage(getOwnValue(event, 'message'));
          break;
        case 'stream_event':
          if (valueAt(event, 'event.type') === 'message_start') readMessage(valueAt(event, 'event.message'));
          if (valueAt(event, 'event.type') === 'message_delta' && messages.has(latest))
            count(latest, 0, figureAt(event, 'event.usage.output_tokens') ?? 0);
          break;
        case 'user':
          partsOf(getOwnValue(event, 'message')).forEach(readToolResult);
          break;
      }
      return true;
    },
    story: () => ({
      /** The last result: several can occur, cost and usage by model are cumulative. */
      result,
      model,
      /** A reached usage limit; `resetsAt` in seconds since 1970. */
      limit,
      /** Set from a retry until a model answers; `leftMs`: how much longer the service asks to wait. */
      retrying: retry && { ...retry, leftMs: Math.max(0, retry.ends - performance.now()) },
      /** The files that its tools showed, by the names that the model used. */
      opened: [...opened],
      /** Number of different answers that were submitted and not rejected. */
      handIns: Math.max(new Set(answers.values()).size, results.size),
      /** The least usage of the run. */
      usage: leastUsage([...messages.values()], result),
    }),
  };
}

/**
 * The usage of a run by its result. A result of zero after requests has lost the usage of a cut-off message; then the
 * stream's figures count, at an unknown price.
 */
function leastUsage(
  messages: readonly { readonly tokensIn: number; readonly tokensOut: number }[],
  result: ClaudeResult | undefined,
): AgentUsage {
  const usage = result === undefined ? UNKNOWN : readClaudeUsage(result);
  const isForgotten = (usage.tokensIn ?? 0) + (usage.tokensOut ?? 0) === 0 && (usage.usd ?? 0) === 0;
  if (messages.length === 0 || (result !== undefined && !isForgotten)) return usage;
  const tokensIn = messages.reduce((sum, one) => sum + one.tokensIn, 0);
  const tokensOut = messages.reduce((sum, one) => sum + one.tokensOut, 0);
  return { tokensIn: Math.round(tokensIn), tokensOut: Math.round(tokensOut), usd: null };
}

/** Tokens and cost of a result; null where they are missing or a model has no known price. */
export function readClaudeUsage({ modelUsage, total_cost_usd: total }: ClaudeResult): AgentUsage {
  const usd = total ?? null;
  if (modelUsage === undefined) return { tokensIn: null, tokensOut: null, usd };
  let [tokensIn, tokensOut] = [0, 0];
  for (const model of Object.values(modelUsage)) {
    tokensIn += model.inputTokens + (model.cacheReadInputTokens ?? 0) + (model.cacheCreationInputTokens ?? 0);
    tokensOut += model.outputTokens;
  }
  const isPriced = Object.values(modelUsage).every((model) => model.costBasis !== 'unknown');
  return { tokensIn: Math.round(tokensIn), tokensOut: Math.round(tokensOut), usd: isPriced ? usd : null };
}

const INPUTS = ['usage.input_tokens', 'usage.cache_read_input_tokens', 'usage.cache_creation_input_tokens'];
const OUTPUT = 'usage.output_tokens';

function partsOf(message: unknown): readonly unknown[] {
  const content = getOwnValue(message, 'content');
  return Array.isArray(content) ? content : [];
}

/** The file that a tool use shows the model: in whole, in part, or as matching lines. */
function viewedPath(use: unknown): string | undefined {
  const name = getOwnValue(use, 'name');
  const isSearch = name === 'Grep' && valueAt(use, 'input.output_mode') === 'content';
  const path = name === 'Read' ? valueAt(use, 'input.file_path') : isSearch ? valueAt(use, 'input.path') : undefined;
  return typeof path === 'string' ? path : undefined;
}

/** JSON with sorted keys, so that equal data are equal text. */
const canonicalise = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    isObject(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  ) ?? '';
