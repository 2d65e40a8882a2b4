/** A part of a sentence. */
interface Part {
  readonly text: string;
  /** It stood in backticks, which are not part of it. */
  readonly isCode: boolean;
}

/** Takes a sentence apart at what stands in backticks on one line; a backtick without another one is a character like any. */
export function codeSpansIn(sentence: string): readonly Part[] {
  return sentence
    .split(/`([^`\n]+)`/)
    .map((text, at) => ({ text, isCode: at % 2 === 1 }))
    .filter(({ text }) => text !== '');
}
