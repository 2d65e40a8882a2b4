import { forOneLine } from './plain-text.ts';

/** A text as one word of a shell command; undefined where it holds control characters or log commands. */
export function shellWord(text: string): string | undefined {
  if (text === '' || forOneLine(text) !== text || text.includes('##[')) return undefined;
  return PLAIN.test(text) ? text : quoted(text);
}

/** Nothing in it means anything to a shell. */
const PLAIN = /^[\w@%+:,./][\w@%+:,./=-]*$/;

/** A text as one word of a shell, whatever it holds. */
export const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
