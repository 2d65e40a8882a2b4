import { utf8In } from '../../base/text-in-bytes.ts';
import type { Usage } from '../../ports/agent.ts';
import { readEvent, usageOf } from './claude-output.ts';
import type { ClaudeEvent, ClaudeResult } from './claude-output.ts';
import { inOneSpelling } from './claude-tools.ts';

/** The longest line that is read; a longer one is no event of any use, and the run is ended. */
const LINE_CAP = 8 * 1024 * 1024;
/** The most that one run may print; far more than any review. */
const STREAM_CAP = 512 * 1024 * 1024;
/** The most of it that may be no events: a program that prints so much else is not talking to andon. */
const NOISE_CAP = 8 * 1024 * 1024;
/** A line longer than this is neither a retry of the API nor a word about asking it, whatever comes after. */
const LONGEST_NON_LIFE = 4096;
/** What only events that are progress say; the keys of an event come in any order. */
const SURE_LIFE = /"type":\s*"(?:assistant|user|result|stream_event|rate_limit_event)"/;
/** Messages and tool uses are identified by id; ids beyond this number are not counted. */
const MOST_IDS = 50_000;
const NEWLINE = 0x0a;

/** What a run has told so far. */
export interface ClaudeStory {
  /** The last result: several can occur, cost and usage by model are cumulative. */
  readonly result: ClaudeResult | undefined;
  /** The model that the run was started with. */
  readonly model: string | undefined;
  /** A usage limit that was hit; `resetsAt` in seconds since 1970. */
  readonly limit: { readonly resetsAt: number | undefined } | undefined;
  /** Set while no model has answered since claude tried the service again. */
  readonly retrying:
    | {
        readonly status: number | undefined;
        readonly error: string;
        /** How much longer the service wants to be left alone. */
        readonly leftMs: number | undefined;
      }
    | undefined;
  /** What the run has used at least. */
  readonly usage: Usage;
  /** The files that its tools have shown it, by the names that the model gave them. */
  readonly opened: readonly string[];
  /** How many answers that differ were handed in and not turned back. */
  readonly handIns: number;
  /** The last line that was no event. */
  readonly plain: string;
  /** Whether all of it was UTF-8. */
  readonly utf8: boolean;
}

/** Follows the output of one run line by line, in memory that does not grow with it. */
export function claudeStream() {
  const story = storyteller();
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
        parts.push(Uint8Array.from(chunk.subarray(from))); // a copy, so that the rest of the chunk can go
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

/** Puts the events of a run together. */
function storyteller() {
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
          results.add(inOneSpelling(result.structured_output));
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
          // Every part of a message repeats its usage, and the later ones know more.
          const { tokensIn = 0, tokensOut = 0 } = messages.get(event.id) ?? {};
          messages.set(event.id, {
            tokensIn: Math.max(tokensIn, event.tokensIn),
            tokensOut: Math.max(tokensOut, event.tokensOut),
          });
        }
        break;
      case 'tools':
        for (const id of event.failed) answers.delete(id); // turned back, so it is no answer
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
  const seen = (): Usage => {
    if (messages.size === 0) return UNKNOWN;
    const all = [...messages.values()];
    const sum = (pick: (one: (typeof all)[number]) => number): number =>
      all.reduce((total, one) => total + pick(one), 0);
    return { tokensIn: sum(({ tokensIn }) => tokensIn), tokensOut: sum(({ tokensOut }) => tokensOut), usd: null };
  };

  return {
    /** Hears one line; false when it tells of no progress. */
    tell(bytes: Uint8Array): boolean {
      const line = utf8In(bytes);
      if (line === undefined) utf8 = false;
      const event = line?.startsWith('{') ? readEvent(line) : undefined;
      if (event) hear(event);
      else noise += bytes.length + 1;
      if (line?.trim() === '') return false;
      if (event === undefined) plain = (line ?? '').slice(0, 1000);
      return event?.kind !== 'retry' && event?.kind !== 'asking';
    },
    /** Bytes of lines that were no events. */
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
 * What a run has used, as its result says it. A result of nothing, after the stream has shown requests, has forgotten
 * what was cut off: then what the stream has shown counts, at an unknown price.
 */
function known(seen: Usage, result: ClaudeResult | undefined): Usage {
  const told = result === undefined ? UNKNOWN : usageOf(result);
  const isForgotten = (told.tokensIn ?? 0) + (told.tokensOut ?? 0) === 0 && (told.usd ?? 0) === 0;
  return result === undefined || (isForgotten && seen.tokensIn !== null) ? seen : told;
}

const UNKNOWN: Usage = { tokensIn: null, tokensOut: null, usd: null };
