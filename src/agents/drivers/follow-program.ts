import { decodeUtf8 } from '../../base/decode-file-text.ts';
import { getLastLine } from '../../base/get-last-line.ts';
import { isObject, parseJson } from '../../base/json-object.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type {
  DriverOutput,
  FailedRule,
  OpenedRule,
  StructuredRule,
  TroubleRule,
} from '../../project/config/driver-output.ts';
import type { ShowOutput } from '../agent.ts';
import { createRequestCount } from './count-requests.ts';
import {
  NOTHING_COUNTED,
  toText,
  countEventUsage,
  figureAt,
  findFirstValue,
  listAt,
  matchesEvent,
  addCounts,
  type UsageCount,
} from './event-rules.ts';
import { createLineReader, type StreamProgress } from './line-reader.ts';
import { readPieces, showRulesOf, showText } from './read-pieces.ts';

/** Limit of output that is not read line by line. */
const WHOLE_CAP = 8 * 1024 * 1024;
/** Limit of an answer assembled from parts. */
const ANSWER_CAP = 8 * 1024 * 1024;
/** Trouble lines to keep, and the length of each. */
const TROUBLES = 20;
const LONGEST_WORDS = 1000;
/** The most files that are kept as opened: a judge reads a change and some files of its tree. */
const MOST_OPENED = 1000;
/** The most tool uses and answers to distinguish. */
const MOST_IDS = 50_000;
/** Refused tools that are listed by name; the others are only counted. */
const MOST_DENIALS = 20;

/** The state of a run, by the rules of its driver. */
export interface ProgramOutput {
  /** The required event has occurred, or none is required. */
  readonly isDone: boolean;
  /** The program's own words about its failure. */
  readonly failed: string | undefined;
  /** Further fields of that failure, among which a cause is looked for. */
  readonly facts: readonly string[];
  /** The last messages about retries and lost networks. */
  readonly troubles: readonly string[];
  /** Whether the last message was trouble. */
  readonly isInTrouble: boolean;
  readonly answer: string;
  readonly structured: unknown;
  /** The last event that should have held an answer by a schema held none, and its text does not count. */
  readonly lacksStructured: boolean;
  /** The model that answered, if the program tells. */
  readonly model: string | undefined;
  /** Refusals of its own permissions, one phrase each. */
  readonly denials: readonly string[];
  readonly counted: UsageCount;
  /** The files that its tools have read. */
  readonly opened: readonly string[];
  /** Why the output does not match its driver; undefined when it does. */
  readonly unreadable: string | undefined;
  /** The last line outside of events. */
  readonly plain: string;
}

/** Parses the output of a program, in memory independent of the number of events; `show` sees it as it comes. */
export function followProgram(output: DriverOutput, show?: ShowOutput) {
  const events = createEventReader(output, show);
  if (output.format === 'jsonl') {
    const reader = createLineReader((line) => events.readLine(line));
    return {
      /** Takes the next bytes. Trouble and lines outside of events are no signs of life. */
      follow: reader.follow,
      /** Everything received so far. */
      story(): ProgramOutput {
        reader.end();
        return events.story();
      },
    };
  }
  const tee = output.format === 'text' && show !== undefined ? showText(show) : undefined;
  const chunks: Uint8Array[] = [];
  let total = 0;
  return {
    follow(chunk: Uint8Array): StreamProgress {
      tee?.(chunk);
      total += chunk.length;
      if (total > WHOLE_CAP) return 'too much';
      chunks.push(Uint8Array.from(chunk));
      return 'life';
    },
    story(): ProgramOutput {
      events.readAll(Buffer.concat(chunks));
      return events.story();
    },
  };
}

function createEventReader(output: DriverOutput, show: ShowOutput | undefined) {
  const rules = showRulesOf(output);
  const isBroken = createBrokenEventTest(output);
  const { format, parts, done, waits, model, answer, structured: handsIn, usage, denied } = output;
  const [failures, troubles, openings] = [output.failed, output.trouble, output.opened].map((rule) =>
    [rule ?? []].flat(),
  ) as [FailedRule[], TroubleRule[], OpenedRule[]];
  const requests = usage?.requests === undefined ? undefined : createRequestCount(usage.requests);
  const reading = new Map<string, string>();
  const handedIn = new Map<string, string>();
  const results = new Set<string>();
  let hasEvents = false;
  /** Until then the service asks to be left alone, by the clock of this process. */
  let waitsUntil = 0;
  /** The words of troubles that are not over. */
  let told: readonly { readonly rule: TroubleRule; readonly line: string }[] = [];
  const story: { -readonly [Part in keyof ProgramOutput]: ProgramOutput[Part] } = {
    isDone: done === undefined,
    failed: undefined,
    facts: [],
    troubles: [],
    isInTrouble: false,
    answer: '',
    structured: undefined,
    lacksStructured: false,
    model: undefined,
    denials: [],
    counted: NOTHING_COUNTED,
    opened: [],
    unreadable: undefined,
    plain: '',
  };

  const words = (event: unknown, say: string | readonly string[] | undefined): string => {
    const told = [say ?? []].flat().map((path) => {
      const said = findFirstValue(event, path) ?? '';
      return Array.isArray(said) ? said.map(toText).join('; ') : toText(said);
    });
    return (told.find((one) => one !== '') ?? '').slice(0, LONGEST_WORDS);
  };
  const factsOf = (event: unknown, { also = [] }: FailedRule): readonly string[] =>
    also.flatMap((path) => (words(event, path) === '' ? [] : `${path} ${words(event, path)}`));

  const readTrouble = (event: unknown, rule: TroubleRule): void => {
    const figure = (path = ''): number | null => figureAt(event, path);
    const seconds = figure(rule.wait_seconds);
    const waitMs = seconds === null ? figure(rule.wait_ms) : seconds * 1000;
    if (waitMs !== null) waitsUntil = performance.now() + waitMs;
    const line = [...factsOf(event, rule), words(event, rule.say)].filter((one) => one !== '').join(' ');
    const lines = [toResetLine(figure(rule.until)), line].filter((one) => one !== '');
    told = [...told, ...lines.map((one) => ({ rule, line: one }))].slice(-TROUBLES);
    story.isInTrouble = true;
    const says = words(event, rule.say);
    if (says !== '') show?.({ kind: 'step', text: says });
  };

  /** A file counts as opened once its tool has ended well. */
  const readOpened = (event: unknown, { where, take, id, ended }: OpenedRule): void => {
    const open = (path: string): void => {
      story.opened = [...new Set([...story.opened, path])].slice(-MOST_OPENED);
    };
    const path = matchesEvent(event, where) ? findFirstValue(event, take) : undefined;
    if (typeof path === 'string' && ended === undefined) open(path);
    if (typeof path === 'string' && reading.size < MOST_IDS) reading.set(words(event, id), path);
    if (ended === undefined || !matchesEvent(event, ended.where)) return;
    const read = reading.get(words(event, ended.id));
    if (read !== undefined) open(read);
  };

  const readStructured = (event: unknown, { where, take, required, handed_in: tool }: StructuredRule): void => {
    if (matchesEvent(event, where ?? {})) {
      const value = findFirstValue(event, take);
      if (where !== undefined) [story.failed, story.facts] = [undefined, []];
      if (where !== undefined) story.lacksStructured = required === true && value === undefined;
      if (where !== undefined || value !== undefined) story.structured = value;
      if (value !== undefined && results.size < MOST_IDS) results.add(canonicalise(value));
    }
    if (tool === undefined) return;
    if (matchesEvent(event, tool.where) && handedIn.size < MOST_IDS)
      handedIn.set(words(event, tool.id), canonicalise(findFirstValue(event, tool.take)));
    if (matchesEvent(event, tool.refused.where)) handedIn.delete(words(event, tool.refused.id));
  };

  const readUsage = (event: unknown): void => {
    requests?.read(event);
    if (usage === undefined || !matchesEvent(event, usage.where ?? {})) return;
    const count = countEventUsage(event, usage);
    story.counted = usage.how === 'sum' ? addCounts(story.counted, count) : count;
  };

  const readAnswer = (event: unknown): void => {
    if (answer?.restart !== undefined && matchesEvent(event, answer.restart)) story.answer = '';
    if (answer?.take === undefined || !matchesEvent(event, answer.where ?? {})) return;
    const found = findFirstValue(event, answer.take);
    if (found !== undefined) story.answer = answer.which === 'join' ? `${story.answer}${toText(found)}` : toText(found);
    if (story.answer.length > ANSWER_CAP) story.unreadable = 'its answer is longer than andon reads';
    story.answer = story.answer.slice(0, ANSWER_CAP);
  };

  /** Takes an event; false when it shows no progress. */
  const readEvent = (event: unknown): boolean => {
    hasEvents = true;
    if ([waits ?? []].flat().some((where) => matchesEvent(event, where))) return false;
    const trouble = troubles.find(({ where }) => matchesEvent(event, where));
    if (trouble !== undefined) {
      readTrouble(event, trouble);
      return false;
    }
    const failed = failures.find(({ where }) => matchesEvent(event, where));
    readUsage(event);
    if (failed !== undefined) {
      story.failed = words(event, failed.say);
      story.facts = factsOf(event, failed);
      if (story.failed !== '') show?.({ kind: 'step', text: story.failed });
      return false;
    }
    const left = told.filter(({ rule: { recovered: ends } }) => ends === undefined || !matchesEvent(event, ends));
    if (left.length < told.length) waitsUntil = 0;
    told = left;
    story.isInTrouble = told.some(({ rule }) => rule.recovered !== undefined);
    if (show !== undefined && format === 'jsonl') for (const piece of readPieces(event, rules)) show(piece);
    if (done !== undefined && matchesEvent(event, done.where)) story.isDone = true;
    if (model !== undefined && matchesEvent(event, model.where)) story.model = words(event, model.take) || story.model;
    if (denied !== undefined && matchesEvent(event, denied.where)) story.denials = listDenials(event, denied);
    readAnswer(event);
    for (const part of [event, ...(parts === undefined ? [] : listAt(event, parts))]) {
      if (handsIn !== undefined) readStructured(part, handsIn);
      for (const rule of openings) readOpened(part, rule);
    }
    return true;
  };

  const explainUnreadable = (): string | undefined => {
    const answers = Math.max(results.size, new Set(handedIn.values()).size);
    if (answers > 1) return `it handed in ${answers} answers that differ, so none of them counts`;
    return format === 'jsonl' && !hasEvents && story.plain !== '' ? 'what it printed is no event' : undefined;
  };

  return {
    readLine(bytes: Uint8Array): 'life' | 'no life' | 'noise' {
      const line = decodeUtf8(bytes);
      if (line === undefined) story.unreadable ??= 'what it printed is not valid UTF-8';
      const event = line === undefined ? undefined : parseJson(line);
      // A driver whose calls were changed by the user may print its events as one list.
      if (isObject(event) || Array.isArray(event))
        return [event].flat().map(readEvent).includes(true) ? 'life' : 'no life';
      if (line?.trim() === '') return 'no life';
      if (line !== undefined && isBroken(line)) story.unreadable ??= 'a line of what it printed is a broken event';
      story.plain = line?.slice(0, LONGEST_WORDS) ?? story.plain;
      if (line !== undefined) show?.({ kind: 'step', text: story.plain });
      return 'noise';
    },
    readAll(bytes: Uint8Array): void {
      const all = decodeUtf8(bytes);
      if (all === undefined) {
        story.unreadable = 'what it printed is not valid UTF-8';
        return;
      }
      if (format === 'text') {
        story.answer = all;
        return;
      }
      if (all.trim() === '') return;
      const value = parseJson(all);
      const events = format === 'json-array' ? value : isObject(value) && [value];
      if (Array.isArray(events)) for (const event of events) readEvent(event);
      else {
        story.plain = getLastLine(all, LONGEST_WORDS);
        story.unreadable = `what it printed is no ${format === 'json' ? 'JSON object' : 'JSON array'}`;
      }
    },
    story(): ProgramOutput {
      const lines = told.map(({ line }) => line);
      const wait = Math.floor((waitsUntil - performance.now()) / 1000);
      return {
        ...story,
        troubles: wait > 0 ? [`retry after ${wait} s`, ...lines] : lines,
        counted: requests?.complete(story.counted) ?? story.counted,
        unreadable: story.unreadable ?? explainUnreadable(),
      };
    },
  };
}

/**
 * Whether a line that is no JSON holds a part of an event: it begins like one, or has the words by which the driver knows
 * one, as where another process printed into the line. What is missing may be a part of the answer.
 */
function createBrokenEventTest({ done, failed, answer, structured }: DriverOutput): (line: string) => boolean {
  const fields = [done, answer, structured, ...[failed ?? []].flat()].flatMap((rule) =>
    Object.entries(rule?.where ?? {}),
  );
  const marks = fields.flatMap(([path, wanted]) =>
    path === 'type' ? [wanted].flat().map((one) => `"type":${JSON.stringify(one)}`) : [],
  );
  return (line) => /^\s*\{\s*"/.test(line) || marks.some((mark) => line.replaceAll(/\s/g, '').includes(mark));
}

/** When a trouble ends, as words; a date that no calendar has is no time. */
function toResetLine(seconds: number | null): string {
  const end = new Date((seconds ?? Number.NaN) * 1000);
  return Number.isFinite(end.getTime()) ? `resets at ${end.toISOString()}` : '';
}

/** Refused uses of tools, one phrase each: the tool and its target. */
function listDenials(event: unknown, { each, say, on }: NonNullable<DriverOutput['denied']>): readonly string[] {
  const denials = listAt(event, each);
  const lines = denials
    .slice(0, MOST_DENIALS)
    .map((one) => toTerminalLine(`${toText(findFirstValue(one, say))} ${toText(findFirstValue(one, on) ?? '')}`, 200));
  return denials.length > MOST_DENIALS ? [...lines, `and ${denials.length - MOST_DENIALS} more`] : lines;
}

/** JSON with sorted keys, so that equal data are equal text. */
const canonicalise = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    isObject(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  ) ?? '';
