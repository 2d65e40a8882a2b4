import { decodeUtf8 } from '../../base/decode-file-text.ts';
import { getLastLine } from '../../base/get-last-line.ts';
import { isObject, parseJson } from '../../base/json-object.ts';
import type { DriverOutput } from '../../project/config/driver-output.ts';
import type { ShowOutput } from '../agent.ts';
import {
  NOTHING_COUNTED,
  toText,
  countEventUsage,
  findFirstValue,
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

/** The state of a run, by the rules of its driver. */
export interface ProgramOutput {
  /** The required event has occurred, or none is required. */
  readonly isDone: boolean;
  /** The program's own words about its failure. */
  readonly failed: string | undefined;
  /** The last messages about retries and lost networks. */
  readonly troubles: readonly string[];
  /** Whether the last message was trouble. */
  readonly isInTrouble: boolean;
  readonly answer: string;
  readonly structured: unknown;
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
  const { format, done, failed: fails, trouble, answer, structured: handsIn, usage, opened } = output;
  const reading = new Map<string, string>();
  const story: { -readonly [Part in keyof ProgramOutput]: ProgramOutput[Part] } = {
    isDone: done === undefined,
    failed: undefined,
    troubles: [],
    isInTrouble: false,
    answer: '',
    structured: undefined,
    counted: NOTHING_COUNTED,
    opened: [],
    unreadable: undefined,
    plain: '',
  };

  const words = (event: unknown, say: string | readonly string[] | undefined): string =>
    (say === undefined ? '' : toText(findFirstValue(event, say) ?? '')).slice(0, LONGEST_WORDS);

  /** A file counts as opened once its tool has ended well. */
  const readOpened = (event: unknown, { where, take, id, ended }: NonNullable<DriverOutput['opened']>): void => {
    if (matchesEvent(event, where)) {
      const path = toText(findFirstValue(event, take) ?? '');
      if (ended === undefined) story.opened = [...new Set([...story.opened, path])].slice(-MOST_OPENED);
      else reading.set(words(event, id), path);
    }
    if (ended === undefined || !matchesEvent(event, ended.where)) return;
    const path = reading.get(words(event, ended.id));
    if (path !== undefined) story.opened = [...new Set([...story.opened, path])].slice(-MOST_OPENED);
  };

  /** Takes an event; false when it shows no progress. */
  const readEvent = (event: unknown): boolean => {
    if (trouble !== undefined && matchesEvent(event, trouble.where)) {
      story.troubles = [...story.troubles, words(event, trouble.say)].slice(-TROUBLES);
      story.isInTrouble = true;
      show?.({ kind: 'step', text: story.troubles.at(-1) ?? '' });
      return false;
    }
    if (fails !== undefined && matchesEvent(event, fails.where)) {
      story.failed = words(event, fails.say);
      show?.({ kind: 'step', text: story.failed });
      return false;
    }
    story.isInTrouble = false;
    if (show !== undefined && format === 'jsonl') for (const piece of readPieces(event, rules)) show(piece);
    if (done !== undefined && matchesEvent(event, done.where)) story.isDone = true;
    if (answer?.restart !== undefined && matchesEvent(event, answer.restart)) story.answer = '';
    if (answer?.take !== undefined && matchesEvent(event, answer.where ?? {})) {
      const found = findFirstValue(event, answer.take);
      if (found !== undefined)
        story.answer = answer.which === 'join' ? `${story.answer}${toText(found)}` : toText(found);
      if (story.answer.length > ANSWER_CAP) story.unreadable = 'its answer is longer than andon reads';
      story.answer = story.answer.slice(0, ANSWER_CAP);
    }
    if (handsIn !== undefined && matchesEvent(event, handsIn.where ?? {}))
      story.structured = findFirstValue(event, handsIn.take) ?? story.structured;
    if (opened !== undefined) readOpened(event, opened);
    if (usage !== undefined && matchesEvent(event, usage.where ?? {})) {
      const count = countEventUsage(event, usage);
      story.counted = usage.how === 'sum' ? addCounts(story.counted, count) : count;
    }
    return true;
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
    story: (): ProgramOutput => ({ ...story }),
  };
}
