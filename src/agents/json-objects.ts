import { parseJsonObject } from '../base/json-object.ts';
import { failure, success, type Outcome } from '../base/outcome.ts';

/** An agent's answer: its text, and its structured form where its program returns one. */
export interface SpokenAnswer {
  readonly text: string;
  readonly structured?: unknown;
}

/** The only value of a shape in an answer, named `what`; a structured answer takes precedence. */
export function readOnlyObject<Shape>(
  { text, structured }: SpokenAnswer,
  what: string,
  read: (value: unknown) => { readonly success: boolean; readonly data?: Shape },
): Outcome<Shape, string> {
  const values = listAnswerObjects({ text, structured });
  const [first, ...more] = values.map(read).flatMap(({ data }) => (data === undefined ? [] : [data]));
  if (first === undefined)
    return failure(values.length === 0 && text.trim() === '' ? 'it printed nothing' : `no JSON object with a ${what}`);
  return more.length > 0 ? failure(`more than one ${what}`) : success(first);
}

/** The objects of an answer: the structured one, else those in its text. */
export const listAnswerObjects = ({ text, structured }: SpokenAnswer): readonly unknown[] =>
  structured === undefined ? findJsonObjects(text) : [structured];

/** The most braces tried as the start of an object: prose has few, and each try may read to the end. */
const MAX_TRIES = 50;

/**
 * The top-level JSON objects in a model's answer, in order. Thoughts, fences and other braces are skipped. Linear: a
 * failed brace is not retried inside another object.
 */
export function findJsonObjects(text: string): readonly unknown[] {
  const answer = withoutThoughts(text);
  const objects: unknown[] = [];
  let at = answer.indexOf('{');
  let tries = 0;
  while (at !== -1 && tries < MAX_TRIES) {
    tries += 1;
    const end = closingBrace(answer, at);
    const value = end === -1 ? undefined : parseJsonObject(answer.slice(at, end + 1), []);
    if (value !== undefined) objects.push(value);
    at = answer.indexOf('{', value === undefined ? at + 1 : end + 1);
  }
  return objects;
}

function withoutThoughts(text: string): string {
  const done = text.lastIndexOf('...done thinking.');
  const afterDone = done === -1 ? text : text.slice(done + '...done thinking.'.length);
  const end = afterDone.lastIndexOf('</think>');
  return end === -1 ? afterDone : afterDone.slice(end + '</think>'.length);
}

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
