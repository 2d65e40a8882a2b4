import { isObject } from '../base/json-object.ts';
import { failure, success, type Outcome } from '../base/outcome.ts';
import { readJson } from '../base/read-json.ts';

/** An agent's answer: its text, and its structured form where its program returns one. */
export interface SpokenAnswer {
  readonly text: string;
  readonly structured?: unknown;
}

/**
 * The only value of a shape in an answer, named `what`; a structured answer takes precedence. A key of it in the text
 * around it belongs to a second answer, perhaps one with a mistake in its JSON, so none counts. `isContradicted` may
 * find in that text that the answer says something else as well.
 */
export function readOnlyObject<Shape>(
  answer: SpokenAnswer,
  what: string,
  read: (value: unknown) => { readonly success: boolean; readonly data?: Shape },
  isContradicted: (value: Shape, around: string) => boolean = () => false,
): Outcome<Shape, string> {
  const { text, objects } = locateObjects(answer);
  const fitting = objects.flatMap(({ value, from, to }) => {
    const { data } = read(value);
    const [before, after] = [text.slice(0, from), text.slice(to)];
    return data === undefined ? [] : [{ value, data, after, around: `${before}\n${after}` }];
  });
  const [first, ...more] = fitting;
  if (isOpenThought(text)) return failure('its thought has no end');
  if (first === undefined)
    return failure(objects.length === 0 && text.trim() === '' ? 'it printed nothing' : `no JSON object with a ${what}`);
  if (more.length > 0) return failure(`more than one ${what}`);
  if (endsThought(first.after)) return failure(`its ${what} is in a thought`);
  if (hasKeyOf(first.value, first.around)) return failure(`a key of its ${what} is in the text beside it`);
  return isContradicted(first.data, first.around) ? failure(`its text contradicts its ${what}`) : success(first.data);
}

/** The objects of an answer: the structured one, else those in its text. */
export const listAnswerObjects = (answer: SpokenAnswer): readonly unknown[] =>
  locateObjects(answer).objects.map(({ value }) => value);

/** Where the objects of an answer are in its text without thoughts; a structured answer has no text. */
function locateObjects({ text, structured }: SpokenAnswer) {
  if (structured !== undefined) return { text: '', objects: [{ value: structured, from: 0, to: 0 }] };
  const answer = withoutThoughts(text);
  return { text: answer, objects: locateJsonObjects(answer) };
}

const hasKeyOf = (value: unknown, around: string): boolean =>
  isObject(value) && (around.match(KEY) ?? []).some((key) => Object.hasOwn(value, key.replace(/^\W+|\W+$/g, '')));

/** `{"verdict":`, `, 'verdict' :`, `{verdict:`; a key of JSON with some mistake. */
const KEY = /(?:[{,]\s{0,20}["'“‘]|\{\s{0,20})[\w-]{1,60}["'”’]?\s{0,20}:/g;

/** The most braces tried as the start of an object: prose has few, and each try may read to the end. */
const MAX_TRIES = 50;

/**
 * The top-level objects of strict JSON in a text and their places, in order. Fences and braces that begin no
 * object are skipped. `MAX_TRIES` keeps it linear.
 */
function locateJsonObjects(text: string) {
  const objects: { readonly value: unknown; readonly from: number; readonly to: number }[] = [];
  let at = text.indexOf('{');
  let tries = 0;
  while (at !== -1 && tries < MAX_TRIES) {
    tries += 1;
    const end = closingBrace(text, at);
    const read = end === -1 ? undefined : readJson(text.slice(at, end + 1));
    const isRead = read?.ok === true;
    if (isRead) objects.push({ value: read.value.value, from: at, to: end + 1 });
    at = text.indexOf('{', isRead ? end + 1 : at + 1);
  }
  return objects;
}

/**
 * An answer without the thoughts that it begins with. Only the first end of each counts, and only there: a later one, or
 * one without a beginning, may be quoted from the change, whose author could hide a verdict with it.
 */
function withoutThoughts(text: string): string {
  let rest = text;
  for (;;) {
    const thought = THOUGHTS.find(({ opens }) => opens.test(rest));
    const end = thought === undefined ? -1 : rest.indexOf(thought.ends);
    if (thought === undefined || end === -1) return rest;
    rest = rest.slice(end + thought.ends.length);
  }
}

/** A thought that a template opened: its end alone is printed. */
const endsThought = (text: string): boolean => THOUGHTS.some(({ ends }) => text.includes(ends));

const isOpenThought = (text: string): boolean => THOUGHTS.some(({ opens }) => opens.test(text));

/** As models write them, and as ollama prints them. */
const THOUGHTS = [
  { opens: /^\s*<think>/, ends: '</think>' },
  { opens: /^\s*Thinking\.\.\./, ends: '...done thinking.' },
];

/** The matching brace of the one at `start`, strings respected; -1 without one. */
function closingBrace(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{') depth += 1;
    else if (char === '}') {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return -1;
}
