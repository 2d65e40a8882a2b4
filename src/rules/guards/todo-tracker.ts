import type { ReviewRecords } from './review-records.ts';
import type { MessageSettings } from '../../project/config/message-settings.ts';
import { isStopWord, readWords, stemOf, termsOf } from '../text/words.ts';
import { alternativesOf, hasWord } from './message-words.ts';
import { checklistOf, type TodoItem } from './checklist.ts';
import { isSame, mentionedFiles } from './named-files.ts';
import { clausesOf, isQuestion, readProse } from './prose.ts';

type DoneFacts = Pick<ReviewRecords, 'changed' | 'runs'>;

/** One item and what shows that it is done; `evidence` counts before `words`. */
export interface TodoProgress {
  readonly text: string;
  readonly state: 'evidence' | 'words' | 'pending';
}

export interface TodoCheck {
  readonly complete: boolean;
  readonly items: readonly TodoProgress[];
  readonly pending: readonly string[];
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
  settings: MessageSettings['todo_tracker'],
  facts?: DoneFacts,
): TodoCheck {
  if (!settings.enabled) return NOTHING;
  const sentences = readProse(message.replaceAll('`', ' ')).sentences.map(({ text }) => text);
  const markers = [...new Set(sentences.flatMap(markersIn))];
  const items = expectedOutcome === undefined ? [] : checklistOf(expectedOutcome).map(readItem);
  const read = items.length === 0 ? [] : withLabels(sentences).flatMap(clausesOf).slice(0, MOST_CLAUSES);
  const clauses = read.map(({ text }) => readClause(text));
  const excepted = items.length === 0 ? [] : sentences.flatMap(exceptedIn);
  const isExcepted = (item: ReadItem): boolean => !item.isTicked && excepted.some((clause) => speaksOf(item, clause));
  const states = items.map((item) => ({
    text: item.text,
    state: isExcepted(item) ? ('pending' as const) : stateOf(item, clauses, markers.length > 0, facts),
  }));
  const pending = states.filter(({ state }) => state === 'pending').map(({ text }) => text);
  const admitted = items.filter((item) => isExcepted(item) || clauses.some((clause) => admits(item, clause)));
  return {
    complete: items.length === 0 ? markers.length > 0 : pending.length === 0,
    items: states,
    pending,
    admitted: admitted.map(({ text }) => text),
    markers,
    reminder: settings.reminder_on_incomplete ? reminderOf(pending) : '',
  };
}

const MOST_CLAUSES = 5000;

export const reminderOf = (pending: readonly string[]): string =>
  pending.length === 0 ? '' : `[SYSTEM] Remaining: ${pending.length} items. Next: ${pending[0] ?? ''}`;

const MARKER = new RegExp(
  alternativesOf('done_marker')
    .map((row) => (/^\w/.test(row) ? `(?<![\\w-])(?:${row})(?![\\w-])` : row))
    .join('|'),
  'gu',
);

const isOpen = (text: string): boolean => hasWord(text, 'open') || /n['’]t(?!\w)/iu.test(text);

const markersIn = (sentence: string): readonly string[] =>
  isQuestion(sentence)
    ? []
    : clausesOf(sentence).flatMap(({ text }) =>
        isOpen(text) ? [] : [...text.matchAll(MARKER)].map(([found]) => found),
      );

interface ReadClause {
  readonly text: string;
  readonly terms: ReadonlySet<string>;
  readonly files: readonly string[];
  /** The items that it names by their number. */
  readonly numbers: ReadonlySet<number>;
}

interface ReadItem extends TodoItem {
  /** From 1. */
  readonly place: number;
  readonly files: readonly string[];
  readonly terms: readonly string[];
}

const readItem = (item: TodoItem, at: number): ReadItem => ({
  ...item,
  place: at + 1,
  files: mentionedFiles(item.text),
  terms: termsIn(item.text),
});

/** `Item 1 done`, `step 2`, `2번 완료`. */
const numbersIn = (text: string): ReadonlySet<number> =>
  new Set([...text.matchAll(NUMBERED)].flatMap(([, one, other, third]) => Number(one ?? other ?? third)));

const NUMBERED =
  /(?<!\w)(?:item|task|step|point|todo|number)\s?#?(\d{1,3})(?![\w.]\d)|(?<![\d.])(\d{1,3})번(?!째)|第(\d{1,3})[项条步个]/giu;

/** The stems of the words of a text that tell something; pairs of Chinese characters. */
const termsIn = (text: string): readonly string[] =>
  readWords(text)
    .filter((word) => !isStopWord(word.text))
    .flatMap(termsOf);

const readClause = (text: string): ReadClause => ({
  text,
  terms: new Set(termsIn(text)),
  files: mentionedFiles(text),
  numbers: numbersIn(text),
});

function stateOf(
  item: ReadItem,
  clauses: readonly ReadClause[],
  hasMarker: boolean,
  facts: DoneFacts | undefined,
): TodoProgress['state'] {
  if (item.isTicked) return 'words';
  const about = clauses.filter((clause) => speaksOf(item, clause));
  if (
    about
      .map(({ text }) => withoutOwn(item, text))
      .some((said) => isOpen(said) || UNDONE.test(said) || OPEN_MARK.test(said))
  )
    return 'pending';
  if (facts !== undefined && isShown(item, facts)) return 'evidence';
  return about.some(({ text }) => hasMarker || TICKED.test(text) || hasWord(text, 'finished')) ? 'words' : 'pending';
}

/** `[x]`, `✅`. */
const TICKED = /^\W*\[[xX✓✔]\]|[✅☑✔✓]/u;
/** `[ ]`, `❌`, `| open |`, `failed` as a predicate: not that of `failed logins`. */
const UNDONE =
  /^\W*\[ ?\](?!\()|[❌✗✘✖☐⬜🔲🚫⛔]|(?<![\w-])(?<!\b(?:0|no|zero) )(?:fail(?:s|ed|ure)?|open|broken|rejected|cancelled|canceled|aborted|abandoned|dropped|red|unsolved|undone|postponed|unstarted|no go|errored|wip)(?=\s*(?:$|[|.,;:!)\]])|\s+(?:after|again|as|at|because|by|due|in|on|since|to|when|with)\b)|실패|취소|중단|失败|取消|放弃/iu;

/** What a clause says of an item: the words that the item has itself are `_`, each as often as it has them. */
function withoutOwn({ text: item }: ReadItem, clause: string): string {
  const own = (item.match(SPOKEN) ?? []).map((word) => stemOf(word.toLowerCase()));
  return clause.replace(SPOKEN, (word) => {
    const at = own.indexOf(stemOf(word.toLowerCase()));
    if (at !== -1) own.splice(at, 1);
    return at === -1 ? word : '_';
  });
}

const SPOKEN = /[\p{L}\d]+(?:['’]t)?/gu;

/** Whether a clause admits that an item is not done: by a mark, a label, or words of its author about all of it. */
function admits(item: ReadItem, clause: ReadClause): boolean {
  if (!speaksOf(item, clause)) return false;
  const said = withoutOwn(item, clause.text);
  if (OPEN_MARK.test(said) || OPEN_LABEL.test(said) || hasWord(said, 'unfinished')) return true;
  return NOT_DONE.test(said) && shareOf(item, clause) > MOSTLY;
}

const OPEN_MARK = /^\W*\[ ?\](?!\()|^\W*[❌✗✘✖☐⬜🔲🚫⛔]|[❌✗✘✖☐⬜🔲🚫⛔]\W*$/u;
const OPEN_LABEL =
  /^\W*(?:todo|to do|open|remaining(?: work)?|not (?:yet )?done|still (?:open|to do|missing)|left(?: to do)?|missing|skipped|unfinished|남은 작업|미완료|未完成|待办)\W*[:：]/iu;
/** `I have not bumped the version`, `it does not work yet`. */
const NOT_DONE =
  /\b(?:I|we)(?:['’]ve)?\s(?:have |had |did |could |can |was |were )?(?:(?:have|had|did|could|ca)n['’]t|not|cannot|unable to|failed to)(?: yet)?(?: been able to| get to| manage to)? _|(?:\bnot|n['’]t) (?:\w+ ){0,4}yet\b/i;

/** A label on a line of its own belongs to each row of the list below it. */
function withLabels(sentences: readonly string[]): readonly string[] {
  let label = '';
  return sentences.map((sentence) => {
    const row = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(\S.*)$/su.exec(sentence)?.[1];
    if (row === undefined) label = OPEN_LABEL.test(sentence) && /[:：]\W*$/.test(sentence) ? sentence.trim() : '';
    return row === undefined || label === '' ? sentence : `${label} ${row}`;
  });
}

/** `Everything is done except the docs`, `all but the docs are done`: the docs are not. */
const EXCEPTED =
  /(?<!\w)(?:everything|done|completed?|finished|all (?:items|tasks|points))(?!\w)(?:(?!(?<!\w)(?:no|not|nothing|none|without|pass(?:es|ed)?)(?!\w)).)*?(?<!\w)(?:except(?: for)?|apart from|aside from|save for|but for)(?!\w)([^,;]*)|(?<!\w)all but(?!\w)([^,;]*)/iu;

function exceptedIn(sentence: string): readonly ReadClause[] {
  const found = EXCEPTED.exec(sentence);
  return found === null ? [] : [readClause(found[1] ?? found[2] ?? '')];
}

/** The share of an item's terms that a clause about it names. */
const MOSTLY = 0.5;

function speaksOf({ files, terms, place }: ReadItem, clause: ReadClause): boolean {
  if (clause.numbers.has(place)) return true;
  if (files.length > 0) return files.every((file) => clause.files.some((one) => isSame(one, file)));
  return shareOf({ terms }, clause) >= MOSTLY;
}

const shareOf = ({ terms }: Pick<ReadItem, 'terms'>, clause: ReadClause): number =>
  terms.length === 0 ? 0 : terms.filter((term) => clause.terms.has(term)).length / terms.length;

/** The change touches every file that an item names, or a command that it names was green. */
function isShown({ text, files }: ReadItem, { changed, runs }: DoneFacts): boolean {
  const command = /^(?:run|execute|실행)\s+`?([^`.,]{2,80})`?/iu.exec(text)?.[1]?.trim().toLowerCase();
  if (command !== undefined) return runs.some((run) => run.isGreen && run.command.toLowerCase().includes(command));
  return files.length > 0 && files.every((file) => changed.some((one) => isSame(one, file)));
}
