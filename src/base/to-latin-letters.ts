/** A text for names of ASCII letters: without the marks on its letters, and with `ß`, `ø` and the like spelled out. */
export const toLatinLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/\P{ASCII}/gu, (letter) => SPELLED[letter] ?? letter);

const SPELLED: Readonly<Record<string, string>> = Object.fromEntries(
  'ßss ẞSS æae ÆAE œoe ŒOE øo ØO łl ŁL đd ĐD ðd ÐD þth ÞTH ıi ħh ĦH ŧt ŦT ŋng ŊNG'
    .split(' ')
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);
