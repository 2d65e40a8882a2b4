/** The last line of a text that is not blank, trimmed and at most this long; '' where there is none. */
export const getLastLine = (text: string, most?: number): string =>
  text.trim().split('\n').at(-1)?.trim().slice(0, most) ?? '';
