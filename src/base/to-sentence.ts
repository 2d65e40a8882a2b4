/** A text that begins in upper case. */
export const toSentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

/** The same within a sentence; the word "I" stays. */
export const toLowerFirst = (text: string): string =>
  /^I\b/.test(text) ? text : `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
