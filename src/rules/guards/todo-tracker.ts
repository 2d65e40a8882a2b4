import type { MessageSettings } from '../../rule-model/message-settings.ts';
import { checklistOf } from './checklist.ts';
import type { TodoItem } from './checklist.ts';
import { alternativesOf, hasWord } from './message-words.ts';
import { namedFiles } from './named-files.ts';
import { clausesOf, isQuestion, readProse } from './prose.ts';

/** The facts about a task that andon knows itself. */
export interface DoneFacts {
  /** Files that the change touches. */
  readonly changed: readonly string[];
  readonly runs: readonly { readonly command: string; readonly isGreen: boolean }[];
}

/** One item and what shows that it is done; `evidence` counts before `words`. */
export interface TodoProgress {
  readonly text: string;
  readonly state: 'evidence' | 'words' | 'pending';
}

/** The tracker's result for one message about one checklist. */
export interface TodoCheck {
  readonly complete: boolean;
  readonly items: readonly TodoProgress[];
  readonly pending: readonly string[];
  /** Items that the message itself says are not done. */
  readonly admitted: readonly string[];
  /** The completion markers of the message, as written. */
  readonly markers: readonly string[];
  /** Empty where nothing is left or no reminder is wanted. */
  readonly reminder: string;
}

const NOTHING: TodoCheck = { complete: true, items: [], pending: [], admitted: [], markers: [], reminder: '' };

/** Decides which items of a checklist a message and the facts show to be done; a bare DONE finishes no item. */
export function trackTodos(
  message: string,
  expectedOutcome: string | undefined,
  settings: MessageSettings['todoTracker'],
  facts?: DoneFacts,
): TodoCheck {
  if (!settings.enabled) return NOTHING;
  const sentences = readProse(message.replaceAll('`', ' ')).sentences.map(({ text }) => text);
  const markers = [...new Set(sentences.flatMap(markersIn))];
  const items = expectedOutcome === undefined ? [] : checklistOf(expectedOutcome).map(readItem);
  const read = items.length === 0 ? [] : sentences.flatMap((sentence) => clausesOf(sentence)).slice(0, MOST_CLAUSES);
  const clauses = read.map(({ text }) => ({ text, stems: new Set(stemsIn(text)), files: namedFiles(text) }));
  const states = items.map((item) => ({ text: item.text, state: stateOf(item, clauses, markers.length > 0, facts) }));
  const pending = states.filter(({ state }) => state === 'pending').map(({ text }) => text);
  const admitted = items.filter((item) =>
    clauses.some((clause) => speaksOf(item, clause) && hasWord(clause.text, 'unfinished')),
  );
  return {
    complete: items.length === 0 ? markers.length > 0 : pending.length === 0,
    items: states,
    pending,
    admitted: admitted.map(({ text }) => text),
    markers,
    reminder: settings.reminderOnIncomplete ? reminderOf(pending) : '',
  };
}

const MOST_CLAUSES = 5000;

/** The reminder of pending items, in the words of the original design. */
export const reminderOf = (pending: readonly string[]): string =>
  pending.length === 0 ? '' : `[SYSTEM] Remaining: ${pending.length} items. Next: ${pending[0] ?? ''}`;

const MARKERS = alternativesOf('done_marker')
  .flatMap((row) => row.split('|'))
  .toSorted((one, other) => other.length - one.length)
  .map((marker) => ({
    marker,
    pattern: new RegExp(/^\w/.test(marker) ? `(?<![\\w-])${marker}(?![\\w-])` : marker, 'u'),
  }));

const isOpen = (text: string): boolean => hasWord(text, 'open') || /n['’]t(?!\w)/iu.test(text);

function markersIn(sentence: string): readonly string[] {
  if (isQuestion(sentence)) return [];
  return clausesOf(sentence).flatMap(({ text }) => {
    let rest = text;
    return MARKERS.filter(({ marker, pattern }) => {
      const isFound = pattern.test(rest) && !isOpen(text);
      if (isFound) rest = rest.split(marker).join(' ');
      return isFound;
    }).map(({ marker }) => marker);
  });
}

interface ReadClause {
  readonly text: string;
  readonly stems: ReadonlySet<string>;
  readonly files: readonly string[];
}

interface ReadItem extends TodoItem {
  readonly files: readonly string[];
  /** The stem of the order with which it begins. */
  readonly verb: string | undefined;
  /** The stems of its other words. */
  readonly terms: readonly string[];
}

function readItem(item: TodoItem): ReadItem {
  const verb = VERBS.has(stemOf(/^[\p{L}]+/u.exec(item.text)?.[0] ?? '')) ? stemsIn(item.text)[0] : undefined;
  const all = stemsIn(item.text);
  return {
    ...item,
    files: namedFiles(item.text),
    verb,
    terms: verb !== undefined && all.length > 1 ? all.slice(1) : all,
  };
}

/** The stems of the words of a text that tell something; Chinese by its characters. */
const stemsIn = (text: string): readonly string[] =>
  (text.match(/\p{Script=Hangul}+|\p{Script=Han}|(?:(?!\p{Script=Hangul}|\p{Script=Han})[\p{L}\p{N}_])+/gu) ?? [])
    .map(stemOf)
    .filter((stem) => !GRAMMAR.test(stem));

const GRAMMAR =
  /^(?:an?|the|of|to|in|on|at|by|for|and|or|is|are|was|were|be|been|it|its|this|that|these|i|we|you|my|our|your|with|from|as|has|have|had|do|did|so|all|into|there|[了的地得是在和与])?$/;

/** English inflections and Korean particles cut off. */
function stemOf(word: string): string {
  const lower = word.toLowerCase();
  if (/^\p{Script=Hangul}/u.test(lower))
    return lower.length > 2
      ? lower.replace(/(?:을|를|이|가|은|는|에|의|로|으로|와|과|도|만|에서|까지|했습니다|했다|하기|합니다)$/u, '')
      : lower;
  const known = IRREGULAR[lower] ?? lower;
  const cut = known.replace(/(?:ies|ied)$/, 'y').replace(/(?<=[a-z]{3})(?:ing|ed|es|s|e)$/, '');
  return cut.replace(/([b-df-hj-np-tv-z])\1$/, '$1');
}

const IRREGULAR: Readonly<Record<string, string>> = {
  wrote: 'write',
  written: 'write',
  ran: 'run',
  built: 'build',
  made: 'make',
  kept: 'keep',
  sent: 'send',
  shown: 'show',
  rewrote: 'rewrite',
  rewritten: 'rewrite',
  drew: 'draw',
};

const VERBS = new Set(
  'create write add update fix build make remove delete rename move refactor deploy verify test document change extend configure install merge ship publish resolve introduce replace convert migrate split extract cover apply run implement export register wire enable adjust improve benchmark measure check confirm correct clean release review commit push close drop validate port upgrade bump set ensure provide support handle return show print read store send use draft design prepare generate keep allow increase reduce rewrite investigate'
    .split(' ')
    .map(stemOf),
);

function stateOf(
  item: ReadItem,
  clauses: readonly ReadClause[],
  hasMarker: boolean,
  facts: DoneFacts | undefined,
): TodoProgress['state'] {
  if (item.isTicked) return 'words';
  const about = clauses.filter((clause) => speaksOf(item, clause));
  if (about.some(({ text }) => isOpen(text))) return 'pending';
  if (facts !== undefined && isShown(item, facts)) return 'evidence';
  return about.some((clause) => isSaidDone(item, clause, hasMarker)) ? 'words' : 'pending';
}

/** The share of an item's terms that a clause about it names. */
const MOSTLY = 0.6;

function speaksOf({ files, terms }: ReadItem, clause: ReadClause): boolean {
  if (files.length > 0)
    return files.every((file) =>
      clause.files.some((one) => one === file || one.endsWith(`/${file}`) || file.endsWith(`/${one}`)),
    );
  return terms.length > 0 && terms.filter((term) => clause.stems.has(term)).length / terms.length >= MOSTLY;
}

const isSaidDone = ({ verb }: ReadItem, { text, stems }: ReadClause, hasMarker: boolean): boolean =>
  (verb !== undefined && stems.has(verb) && !/\bto\s+\w+/.test(text)) ||
  hasWord(text, 'finished') ||
  (verb === undefined && hasMarker);

/** The change touches every file that an item names, or a command that it names was green. */
function isShown({ text, files }: ReadItem, { changed, runs }: DoneFacts): boolean {
  const command = /^(?:run|execute|실행)\s+`?([^`.,]{2,80})`?/iu.exec(text)?.[1]?.trim().toLowerCase();
  if (command !== undefined) return runs.some((run) => run.isGreen && run.command.toLowerCase().includes(command));
  return (
    files.length > 0 &&
    files.every((file) => changed.some((one) => one === file.replace(/^\.\//, '') || one.endsWith(`/${file}`)))
  );
}
