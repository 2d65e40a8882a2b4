/** A text that begins in upper case. */
export const toSentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
