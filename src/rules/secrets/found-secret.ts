export interface FoundSecret {
  readonly start: number;
  readonly end: number;
  /** What it is, never the secret itself. */
  readonly what: string;
}

/** What a password or key is called that only its name tells. */
export const LITERAL_SECRET = 'a literal password or key';

/** Every match of a pattern, and what its group `value` holds where it has one. */
export function* secretSpans(
  pattern: RegExp,
  text: string,
): Generator<{ readonly start: number; readonly value: string; readonly match: RegExpExecArray }> {
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const value = match.groups?.['value'] ?? match[0];
    if (match[0] === '') pattern.lastIndex += 1;
    yield { start: match.index + Math.max(0, match[0].lastIndexOf(value)), value, match };
  }
}
