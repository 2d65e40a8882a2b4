import { decodeUtf8 } from '../../base/decode-file-text.ts';
import { parseJson } from '../../base/json-object.ts';
import type { ShowRule } from '../../config/driver-output.ts';
import type { AgentUsage, ShowOutput } from '../../ports/agent.ts';
import { readEvent, readClaudeUsage, type ClaudeEvent, type ClaudeResult } from './claude-output.ts';
import { canonicalise } from './claude-tools.ts';
import { readPieces } from './read-pieces.ts';

/** The longest line that is read; a longer one ends the run. */
const LINE_CAP = 8 * 1024 * 1024;
/** Limit of output of a run; far more than any review. */
const STREAM_CAP = 512 * 1024 * 1024;
/** Limit of output outside of events: a program that prints more does not follow the protocol. */
const NOISE_CAP = 8 * 1024 * 1024;
/** A longer line is neither a retry nor a request to the API. */
const LONGEST_NON_LIFE = 4096;
/** Only progress events hold these; the keys of an event come in any order. */
const SURE_LIFE = /"type":\s*"(?:assistant|user|result|stream_event|rate_limit_event)"/;
/** Messages and tool uses are identified by id; ids beyond this number are not counted. */
const MOST_IDS = 50_000;
const NEWLINE = 0x0a;
/** A longer event holds a file or a picture, which is not shown. */
const LONGEST_SHOWN = 64 * 1024;
/** What people see of its events: texts by their pieces, tools by the message that names their input. */
const CLAUDE_SHOWS: readonly ShowRule[] = [
  { where: { type: 'stream_event' }, text_delta: 'event.delta.text', thought_delta: 'event.delta.thinking' },
  { where: { type: 'assistant' }, each: 'message.content', tool: 'name', input: 'input' },
  { where: { type: 'system', subtype: 'api_retry' }, verb: 'asks again:', step: 'error' },
];

/** The state of a run so far. */
export interface ClaudeStory {
  /** The last result: several can occur, cost and usage by model are cumulative. */
  readonly result: ClaudeResult | undefined;
  readonly model: string | undefined;
  /** A reached usage limit; `resetsAt` in seconds since 1970. */
  readonly limit: { readonly resetsAt: number | undefined } | undefined;
  /** Set from a retry until a model answers. */
  readonly retrying:
    | {
        readonly status: number | undefined;
        readonly error: string;
        /** How much longer to wait for the service. */
        readonly leftMs: number | undefined;
      }
    | undefined;
  /** The least usage of the run. */
  readonly usage: AgentUsage;
  /** The files that its tools showed, by the names that the model used. */
  readonly opened: readonly string[];
  /** Number of different answers that were submitted and not rejected. */
  readonly handIns: number;
  /** The last line outside of events. */
  readonly plain: string;
  /** Whether all of it was UTF-8. */
  readonly utf8: boolean;
}

/** Parses the output of a run line by line, in bounded memory; `show` sees it as it comes. */
export function followClaudeStream(show?: ShowOutput) {
  const story = storyteller(show);
  let parts: Uint8Array[] = [];
  let [length, total] = [0, 0];
  let known = false; // whether the line under way is known to be progress

  const endLine = (): boolean => {
    const line = Buffer.concat(parts);
    [parts, length, known] = [[], 0, false];
    return story.tell(line);
  };
  return {
    /** Takes the next bytes. Asking the service again is no life, however its line is cut; any other line is. */
    follow(chunk: Uint8Array): 'life' | 'no life' | 'too much' {
      total += chunk.length;
      let life = false;
      let from = 0;
      for (let to = chunk.indexOf(NEWLINE); to !== -1; to = chunk.indexOf(NEWLINE, from)) {
        parts.push(chunk.subarray(from, to));
        life = endLine() || life;
        from = to + 1;
      }
      if (from < chunk.length) {
        parts.push(Uint8Array.from(chunk.subarray(from))); // a copy, so that the chunk can be freed
        length += chunk.length - from;
        known ||= length > LONGEST_NON_LIFE || SURE_LIFE.test(Buffer.concat(parts).toString('latin1'));
        life ||= known;
      }
      if (length > LINE_CAP || total > STREAM_CAP || story.noise() > NOISE_CAP) {
        parts = [];
        return 'too much';
      }
      return life ? 'life' : 'no life';
    },
    /** Everything received so far; a last line without its end counts as a line. */
    story(): ClaudeStory {
      if (parts.length > 0) endLine();
      return story.so();
    },
  };
}

/** Folds the events of a run into its story. */
function storyteller(show: ShowOutput | undefined) {
  let { result, model, limit, retrying }: Partial<ClaudeStory> = {};
  let [plain, noise, utf8, heardAt, latest] = ['', 0, true, 0, ''];
  const messages = new Map<string, { readonly tokensIn: number; readonly tokensOut: number }>();
  const answers = new Map<string, string>();
  const looks = new Map<string, string>();
  const opened = new Set<string>();
  const results = new Set<string>();

  const hear = (event: ClaudeEvent): void => {
    switch (event.kind) {
      case 'result':
        ({ result } = event);
        if (result.structured_output !== undefined && results.size < MOST_IDS)
          results.add(canonicalise(result.structured_output));
        break;
      case 'start':
        ({ model } = event);
        break;
      case 'limit':
        limit = event.status === 'rejected' ? { resetsAt: event.resetsAt } : undefined;
        break;
      case 'retry':
        retrying = { status: event.status, error: event.error, leftMs: event.waitMs };
        heardAt = performance.now();
        break;
      case 'written': {
        const known = messages.get(latest);
        if (known !== undefined)
          messages.set(latest, { ...known, tokensOut: Math.max(known.tokensOut, event.tokensOut) });
        break;
      }
      case 'message':
        retrying = undefined;
        for (const { id, answer } of event.answers) if (answers.size < MOST_IDS) answers.set(id, answer);
        for (const { id, path } of event.looks) if (looks.size < MOST_IDS) looks.set(id, path);
        latest = event.id;
        if (messages.has(event.id) || messages.size < MOST_IDS) {
          // Every part of a message repeats its usage; later ones are more complete.
          const { tokensIn = 0, tokensOut = 0 } = messages.get(event.id) ?? {};
          messages.set(event.id, {
            tokensIn: Math.max(tokensIn, event.tokensIn),
            tokensOut: Math.max(tokensOut, event.tokensOut),
          });
        }
        break;
      case 'tools':
        for (const id of event.failed) answers.delete(id); // rejected, so it is no answer
        for (const id of event.succeeded) {
          const path = looks.get(id);
          if (path !== undefined) opened.add(path);
        }
        break;
      case 'asking':
      case 'other':
        break;
    }
  };

  const left = (ms: number | undefined): number | undefined =>
    ms === undefined ? undefined : Math.max(0, ms - (performance.now() - heardAt));
  const seen = (): AgentUsage => {
    if (messages.size === 0) return UNKNOWN;
    const all = [...messages.values()];
    const sum = (pick: (one: (typeof all)[number]) => number): number =>
      all.reduce((total, one) => total + pick(one), 0);
    return { tokensIn: sum(({ tokensIn }) => tokensIn), tokensOut: sum(({ tokensOut }) => tokensOut), usd: null };
  };

  return {
    /** Takes one line; false when it shows no progress. */
    tell(bytes: Uint8Array): boolean {
      const line = decodeUtf8(bytes);
      if (line === undefined) utf8 = false;
      const event = line?.startsWith('{') ? readEvent(line) : undefined;
      if (event) hear(event);
      else noise += bytes.length + 1;
      if (event !== undefined && show !== undefined && bytes.length < LONGEST_SHOWN)
        for (const piece of readPieces(parseJson(line ?? ''), CLAUDE_SHOWS)) show(piece);
      if (line?.trim() === '') return false;
      if (event === undefined) plain = (line ?? '').slice(0, 1000);
      return event?.kind !== 'retry' && event?.kind !== 'asking';
    },
    /** Bytes of lines outside of events. */
    noise: () => noise,
    so: (): ClaudeStory => ({
      result,
      model,
      limit,
      retrying: retrying && { ...retrying, leftMs: left(retrying.leftMs) },
      opened: [...opened],
      handIns: Math.max(new Set(answers.values()).size, results.size),
      plain,
      utf8,
      usage: known(seen(), result),
    }),
  };
}

/**
 * The usage of a run by its result. A result of zero after requests has lost the usage of a cut-off message; then the
 * stream's figures count, at an unknown price.
 */
function known(seen: AgentUsage, result: ClaudeResult | undefined): AgentUsage {
  const told = result === undefined ? UNKNOWN : readClaudeUsage(result);
  const isForgotten = (told.tokensIn ?? 0) + (told.tokensOut ?? 0) === 0 && (told.usd ?? 0) === 0;
  return result === undefined || (isForgotten && seen.tokensIn !== null) ? seen : told;
}

const UNKNOWN: AgentUsage = { tokensIn: null, tokensOut: null, usd: null };
