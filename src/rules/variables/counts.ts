/** How much there is of something in a text, by the name of its variable. */
export const COUNTS: Readonly<Record<string, (text: string) => number>> = {
  char_count: (text) => text.length - (text.match(/[\ud800-\udbff](?=[\udc00-\udfff])/g) ?? []).length,
  word_count: (text) =>
    matches(text, /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu),
  sentence_count: (text) => text.split(/(?<=[.!?])\s|[。！？\n]/u).filter((part) => /[\p{L}\p{N}]/u.test(part)).length,
  line_count: (text) => (text === '' ? 0 : text.replace(/\n$/, '').split('\n').length),
  question_count: (text) => matches(text, /[?？]+/g),
  exclamation_count: (text) => matches(text, /[!！]/g),
  link_count: (text) => matches(text, /https?:\/\/\S/gi),
  list_item_count: (text) => matches(text, /^[ \t]{0,12}(?:[-*•+]|\d{1,3}[.)])[ \t]+\S/gm),
};

const matches = (text: string, pattern: RegExp): number => (text.match(pattern) ?? []).length;
