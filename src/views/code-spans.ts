interface Part {
  readonly text: string;
  /** Whether it was in backticks, which are not part of it. */
  readonly isCode: boolean;
}

/** Splits a sentence at text in backticks on one line; an unpaired backtick is literal. */
export function splitCodeSpans(sentence: string): readonly Part[] {
  return sentence
    .split(/`([^`\n]+)`/)
    .map((text, at) => ({ text, isCode: at % 2 === 1 }))
    .filter(({ text }) => text !== '');
}
