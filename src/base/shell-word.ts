import { toSingleLine } from './plain-text.ts';

/** A text as one word of a shell command; undefined where it holds control characters or log commands. */
export function toShellWord(text: string): string | undefined {
  if (text === '' || toSingleLine(text) !== text || text.includes('##[')) return undefined;
  return PLAIN.test(text) ? text : quoteForShell(text);
}

/** Without meaning to a shell. */
const PLAIN = /^[\w@%+:,./][\w@%+:,./=-]*$/;

/** Any text as one word of a shell. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
