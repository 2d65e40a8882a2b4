/** Whether a text looks random: a long mixture of cases and digits, or a long hexadecimal number. */
export const looksRandom = (text: string): boolean =>
  (/^[\w+=:-]{16,}$/.test(text) && /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text)) ||
  /^[\da-f]{32,}$/i.test(text) ||
  (/^[a-z\d]{24,}$/.test(text) && /\d.*\d/.test(text));

/** Whether a text is an absolute path of ordinary names. A base64 key may begin with a slash too. */
export function isOrdinaryPath(text: string): boolean {
  if (!/^\/[^/]/.test(text) || text.split('/').some((part) => looksRandom(part))) return false;
  const words = text.match(WORDS) ?? [];
  return words.join('').length >= words.length * LETTERS_OF_WORD;
}

/** Words of any script: `Some`, `some`, `SOME`. */
const WORDS = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{Lo}+/gu;
/** Words in names have at least this many letters on average; in random text the case changes sooner. */
const LETTERS_OF_WORD = 3;

/** Whether a text is only words, joined as names in programs are: `created_at`, `userId`, `config/deploy.pem`. */
export const isIdentifier = (text: string): boolean => IDENTIFIER.test(text);

const IDENTIFIER = (() => {
  const word = '(?:[a-z]{1,15}(?:[A-Z][a-z]{1,15})*|(?:[A-Z][a-z]{1,15})+|[A-Z]{1,15})';
  return new RegExp(String.raw`^${word}(?:[-_./]${word})*$`);
})();
