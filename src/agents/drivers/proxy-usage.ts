import { parseJson } from '../../base/json-object.ts';
import {
  NOTHING_COUNTED,
  addCounts,
  addKnown,
  figureAt,
  findFirstValue,
  getOwnValue,
  type UsageCount,
} from './event-rules.ts';
import { createLineReader } from './line-reader.ts';

/** The longest answer in one piece that is searched for usage. */
const LONGEST = 8 * 1024 * 1024;
/** A line without it holds no usage and is not parsed. */
const TELLS = '"usage';

/**
 * Reads the usage from an answer in passing: from events (`data:` lines) or one JSON text, in the formats of OpenAI,
 * Anthropic and Google. Of events it buffers one line at most.
 */
export function followUsage(contentType: string) {
  const isByLine = contentType.includes('event-stream') || contentType.includes('ndjson');
  const parts: Uint8Array[] = [];
  let length = 0;
  let counted = NOTHING_COUNTED;
  const readChunk = (bytes: Buffer): 'no life' => {
    const text = bytes.toString('utf8');
    if (text.includes(TELLS)) for (const one of valuesIn(text)) counted = addCounts(counted, countedBy(one), larger);
    return 'no life';
  };
  const lines = createLineReader(readChunk);
  return {
    take(chunk: Uint8Array): void {
      length += chunk.length;
      if (isByLine) lines.follow(chunk);
      else if (length <= LONGEST) parts.push(Uint8Array.from(chunk));
    },
    /** The usage after the answer; missing figures are unknown. */
    counted(): UsageCount {
      if (isByLine) lines.end();
      else readChunk(Buffer.concat(parts));
      return counted;
    },
  };
}

function valuesIn(text: string): readonly unknown[] {
  const value = parseJson(text.trimStart().replace(/^data:/, ''));
  return Array.isArray(value) ? value : [value];
}

function countedBy(event: unknown): UsageCount {
  const google = getOwnValue(event, 'usageMetadata');
  if (google !== undefined)
    return {
      tokensIn: figureAt(google, 'promptTokenCount'),
      cached: figureAt(google, 'cachedContentTokenCount'),
      tokensOut: sum(figureAt(google, 'candidatesTokenCount'), figureAt(google, 'thoughtsTokenCount')),
      usd: null,
    };
  const usage = findFirstValue(event, ['usage', 'response.usage', 'message.usage']);
  if (usage === undefined) return NOTHING_COUNTED;
  const read = figureAt(usage, 'cache_read_input_tokens');
  const written = figureAt(usage, 'cache_creation_input_tokens');
  const details = findFirstValue(usage, ['input_tokens_details', 'prompt_tokens_details']);
  return {
    // Anthropic counts cached input apart, the others as part of the input.
    tokensIn: sum(figureAt(usage, 'input_tokens') ?? figureAt(usage, 'prompt_tokens'), read, written),
    cached: read ?? figureAt(details, 'cached_tokens'),
    tokensOut: figureAt(usage, 'output_tokens') ?? figureAt(usage, 'completion_tokens'),
    usd: null,
  };
}

/** Each event holds totals so far, or some of them: the largest figure of each kind counts. */
const larger = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);

const sum = (...figures: readonly (number | null)[]): number | null => figures.reduce(addKnown, null);
