/** The last non-blank line of a text, trimmed and cut to this length; '' without one. */
export const getLastLine = (text: string, most?: number): string =>
  text.trim().split('\n').at(-1)?.trim().slice(0, most) ?? '';
