import { forOneLine } from './plain-text.ts';

/** A text as one word of a command that is pasted; undefined where it holds what no terminal shows as it is, or what a log takes for an order. */
export function shellWord(text: string): string | undefined {
  if (text === '' || forOneLine(text) !== text || text.includes('##[')) return undefined;
  return PLAIN.test(text) ? text : quoted(text);
}

/** Nothing in it means anything to a shell. */
const PLAIN = /^[\w@%+:,./][\w@%+:,./=-]*$/;

/** A text as one word of a shell, whatever it holds. */
export const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
