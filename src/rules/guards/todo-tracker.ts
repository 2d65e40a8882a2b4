import type { MessageSettings } from '../../rule-model/message-settings.ts';
import { stemOf, readWords, STOP_WORDS } from '../text/words.ts';
import { TODO_WORDS, checklistOf } from './checklist.ts';
import type { TodoItem } from './checklist.ts';
import { clausesOf } from './clauses.ts';
import { namedFiles } from './named-files.ts';
import { anywhere, english, holds } from './patterns.ts';
import { readProse } from './prose.ts';

/** What is known of a task without asking whoever works on it. */
export interface DoneFacts {
  /** Files that the change really touches. */
  readonly changed: readonly string[];
  /** Commands that ran, and whether they were green. */
  readonly runs: readonly { readonly command: string; readonly isGreen: boolean }[];
}

/** One item and how its end is known; `evidence` counts before `words`. */
export interface TodoState {
  readonly text: string;
  readonly state: 'evidence' | 'words' | 'pending';
}

/** What the tracker says of one message about one checklist. */
export interface TodoCheck {
  readonly complete: boolean;
  readonly items: readonly TodoState[];
  readonly pending: readonly string[];
  /** Items of which the message itself says that they are not done. */
  readonly admitted: readonly string[];
  /** The words by which the message says that it is done, as they stand in it. */
  readonly markers: readonly string[];
  /** What is told at the turn's end; empty where nothing is left, or nobody is to be reminded. */
  readonly reminder: string;
}

const NOTHING: TodoCheck = { complete: true, items: [], pending: [], admitted: [], markers: [], reminder: '' };

/** Which items of a delegation's checklist a message and the facts show to be done; a bare DONE finishes no item. */
export function trackTodos(
  message: string,
  expectedOutcome: string | undefined,
  settings: MessageSettings['todoTracker'],
  facts?: DoneFacts,
): TodoCheck {
  if (!settings.enabled) return NOTHING;
  const prose = readProse(message.replaceAll('`', ' '));
  const sentences = prose.sentences.map(({ text }) => text);
  const markers = [...new Set(sentences.flatMap(markersIn))];
  const items = expectedOutcome === undefined ? [] : checklistOf(expectedOutcome).map(readItem);
  const read = items.length === 0 ? [] : sentences.flatMap((sentence) => clausesOf(sentence)).slice(0, MOST_CLAUSES);
  const clauses = read.map(({ text }) => readClause(text));
  const states = items.map((item) => ({ text: item.text, state: stateOf(item, clauses, markers.length > 0, facts) }));
  const pending = states.filter(({ state }) => state === 'pending').map(({ text }) => text);
  const admitted = items.filter((item) =>
    clauses.some((clause) => speaksOf(item, clause) && holds(clause.text, ...ADMITS)),
  );
  const complete = items.length === 0 ? markers.length > 0 : pending.length === 0;
  return {
    complete,
    items: states,
    pending,
    admitted: admitted.map(({ text }) => text),
    markers,
    reminder: settings.reminderOnIncomplete ? reminderOf(pending) : '',
  };
}

/** Of a report so many statements are read. */
const MOST_CLAUSES = 5000;

/** What is told of items that are left, as the seed of this layer words it. */
export const reminderOf = (pending: readonly string[]): string =>
  pending.length === 0 ? '' : `[SYSTEM] Remaining: ${pending.length} items. Next: ${pending[0] ?? ''}`;

const OPEN = [english(TODO_WORDS.english.open), anywhere([...TODO_WORDS.korean.open, ...TODO_WORDS.chinese.open])];
/** What says outright that something is not done; `not` alone may be about anything. */
const ADMITS = [
  english(TODO_WORDS.english.admits),
  anywhere([...TODO_WORDS.korean.admits, ...TODO_WORDS.chinese.admits]),
];
const SHORT = /n['’]t(?!\w)/iu;
const DONE = [english(TODO_WORDS.english.done), anywhere([...TODO_WORDS.korean.done, ...TODO_WORDS.chinese.done])];
const MARKERS = TODO_WORDS.markers
  .toSorted((one, other) => other.length - one.length)
  .map((marker) => ({
    marker,
    pattern: new RegExp(/^\w/.test(marker) ? `(?<![\\w-])${marker}(?![\\w-])` : marker, 'u'),
  }));
/** A quick look whether there is any at all. */
const ANY_MARKER = new RegExp(TODO_WORDS.markers.join('|'), 'u');

const isOpen = (text: string): boolean => holds(text, ...OPEN) || SHORT.test(text);

function markersIn(sentence: string): readonly string[] {
  if (!ANY_MARKER.test(sentence) || /[?？]\s*$/.test(sentence)) return [];
  return clausesOf(sentence).flatMap(({ text }) => {
    if (!ANY_MARKER.test(text) || isOpen(text)) return [];
    const found: string[] = [];
    let rest = text;
    for (const { marker, pattern } of MARKERS) {
      if (!pattern.test(rest)) continue;
      found.push(marker);
      rest = rest.split(marker).join(' ');
    }
    return found;
  });
}

interface ReadClause {
  readonly text: string;
  readonly stems: ReadonlySet<string>;
  readonly files: readonly string[];
}

const readClause = (text: string): ReadClause => ({
  text,
  stems: new Set(termsIn(text)),
  files: /[./]/.test(text) ? namedFiles(text) : [],
});

/** An item with what it speaks of, worked out once. */
interface ReadItem extends TodoItem {
  readonly files: readonly string[];
  /** The stem of the verb with which it begins; undefined where it is no order. */
  readonly verb: string | undefined;
  /** What it is about, without that verb. */
  readonly terms: readonly string[];
}

function readItem(item: TodoItem): ReadItem {
  const first = stemOf(/^[\p{L}]+/u.exec(item.text)?.[0].toLowerCase() ?? '');
  const verb = VERBS.has(first) ? first : undefined;
  const all = termsIn(item.text);
  const terms = verb !== undefined && all.length > 1 ? all.slice(1) : all;
  return { ...item, files: namedFiles(item.text), verb, terms };
}

/** The stems of what a text speaks of; Chinese by its characters, because words are not parted there. */
const termsIn = (text: string): readonly string[] =>
  readWords(text)
    .filter(({ text: word }) => !STOP_WORDS.has(word))
    .flatMap(({ text: word, stem }) => (/^\p{Script=Han}/u.test(word) ? Array.from(word) : [stem]));

function stateOf(
  item: ReadItem,
  clauses: readonly ReadClause[],
  hasMarker: boolean,
  facts: DoneFacts | undefined,
): TodoState['state'] {
  if (item.isTicked) return 'words';
  const about = clauses.filter((clause) => speaksOf(item, clause));
  if (about.some(({ text }) => isOpen(text))) return 'pending';
  if (facts !== undefined && isShown(item, facts)) return 'evidence';
  return about.some((clause) => isSaidDone(item, clause, hasMarker)) ? 'words' : 'pending';
}

/** So much of what an item is about must be named by whoever speaks of it. */
const MOSTLY = 0.6;

function speaksOf({ files, terms }: ReadItem, clause: ReadClause): boolean {
  if (files.length > 0)
    return files.every((file) =>
      clause.files.some((one) => one === file || one.endsWith(`/${file}`) || file.endsWith(`/${one}`)),
    );
  if (terms.length === 0) return false;
  return terms.filter((term) => clause.stems.has(term)).length / terms.length >= MOSTLY;
}

const VERBS = new Set(
  'create write add update fix build make remove delete rename move refactor deploy verify test document change extend configure install merge ship publish resolve introduce replace convert migrate split extract cover apply run implement export register wire enable adjust improve benchmark measure check confirm correct clean release review commit push close drop validate port upgrade bump set ensure provide support handle return show print read store send use draft design prepare generate keep allow increase reduce rewrite investigate'
    .split(' ')
    .map(stemOf),
);

function isSaidDone({ verb }: ReadItem, { text, stems }: ReadClause, hasMarker: boolean): boolean {
  if (verb !== undefined && stems.has(verb) && !/\bto\s+\w+/.test(text)) return true;
  return holds(text, ...DONE) || (verb === undefined && hasMarker);
}

/** The change touches every file that an item names, or a command that it names was green. */
function isShown({ text, files }: ReadItem, { changed, runs }: DoneFacts): boolean {
  const command = /^(?:run|execute|실행)\s+`?([^`.,]{2,80})`?/iu.exec(text)?.[1]?.trim().toLowerCase();
  if (command !== undefined) return runs.some((run) => run.isGreen && run.command.toLowerCase().includes(command));
  return (
    files.length > 0 &&
    files.every((file) => changed.some((one) => one === file.replace(/^\.\//, '') || one.endsWith(`/${file}`)))
  );
}
