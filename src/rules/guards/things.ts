/** Whether a word names a file, a folder or a page, with or without a line. */
export function isPath(word: string): boolean {
  const text = word.replace(/:\d+(?:[-:]\d+)*$/, '').replace(/#L\d+(?:-L?\d+)?$/, '');
  if (text.length > LONGEST_NAME || !/[./]/.test(text)) return false;
  if (/^https?:\/\/./.test(text)) return true;
  if (!text.includes('/')) return isFileName(text) || (/^\.[a-z][\w-]*(?:\.[a-z]+)*$/i.test(text) && text.length > 3);
  const names = text.replace(/^\.{1,2}\//, '').split('/');
  const isPlain = names.every((name, at) => /^[\w@.*+[\]-]+$/u.test(name) || (name === '' && at === names.length - 1));
  if (!isPlain || names.every((name) => /^\d*$/.test(name))) return false;
  const last = names.at(-1) ?? '';
  return /^\.{1,2}\//.test(text) || last === '' || names.length > 2 || last.includes('.') || FOLDERS.test(text);
}

const LONGEST_NAME = 300;
const FOLDERS =
  /^(?:src|tests?|lib|docs?|packages|apps?|bin|scripts|cmd|pkg|internal|web|api|config|examples|assets|public|server|client|spec|tools|shipped)\//;

/** A name with an extension that is neither a version nor a product such as `node.js`. */
const isFileName = (text: string): boolean =>
  /^[\w@+-][\w@.+-]*\.[A-Za-z][A-Za-z0-9]{0,7}$/.test(text) &&
  EXTENSIONS.test(text) &&
  !/^(?:node|next|nuxt|vue|express|three|d3|react|nest|ember|backbone|chart|socket)\.(?:js|io)$/i.test(text);

const EXTENSIONS =
  /\.(?:[cm]?[jt]sx?|json[l5]?|ya?ml|toml|ini|cfg|conf|env|mdx?|txt|rst|adoc|html?|s?css|sass|less|vue|svelte|astro|pyi?|ipynb|rb|go|rs|java|kts?|scala|swift|c|h|cc|cpp|hpp|cs|fs|php|pl|sh|bash|zsh|ps1|bat|sql|graphql|proto|xml|svg|png|jpe?g|gif|webp|ico|csv|tsv|lock|log|diff|patch|gradle|tf|hcl|exs?|erl|hs|lua|r|jl|dart|zig|nim|clj|elm|mli?|tex|wasm|mk|cmake|properties|plist|snap)$/i;

/** Commit hashes of a text: hexadecimal, with a digit and a letter. */
export const hashesIn = (text: string): readonly string[] =>
  text.match(/(?<![\w./-])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}(?![\w/-])/g) ?? [];

/** Something that can be looked up or counted: code, a path, an identifier, a flag, a figure that is no score. */
export const hasThing = (text: string): boolean => THING.test(text.replace(SCORE, ' '));

/** Marks out of five, ten or a hundred, as they are given for praise. */
export const SCORE = /(?<![\w.])(?:10|5|100)\s?(?:\/|out of|점|分|%)\s?(?:10|5|100)?|10점|百分/gu;
const NAME = String.raw`(?<!\w)[\w.@-]*[a-z]\w*\/[\w./@-]+|\b[\w-]+\.(?:[cm]?[tj]sx?|json|ya?ml|md|py|go|rs|java|kt|rb|sh|sql|html|css|c|h|cpp|toml|log|csv|txt)\b|\b[a-z]+[A-Z]\w*|\w+_\w+|\w+\(\)`;
const THING = new RegExp(String.raw`\uE000|${NAME}|(?<!\w)--?[a-z][\w-]+|\d`, 'u');
/** A name of the code, or a figure with a unit of what is measured or counted in code. */
export const MEASURED = new RegExp(
  String.raw`${NAME}|(?<![\w./:-])\d[\d,.]*\s?(?:ms|s|secs?|seconds?|min(?:utes?)?|hours?|kb|mb|gb|px|%|x|rows?|lines?|files?|requests?|cases?|examples?|assertions?|times|runs?|calls?|callers?|inputs?|items?|records?|tables?|users?|images?|endpoints?|modules?|packages?|개|건|번|회|초|분|줄|행|곳|장|가지|个|次|行|条|秒|分钟|小时|处|张|项|份|万|倍|本)(?![a-z])`,
  'u',
);
/** A path, an identifier or code, figures aside. */
export const NAMED = /\uE000|\w[/_]\w|\w\.\w|[a-z][A-Z]/;

/** Whether two names are those of one file, where one of them may be only its end. */
export const isSame = (one: string, other: string): boolean => {
  const [long, short] = one.length >= other.length ? [one, other] : [other, one];
  const bare = short.replace(/^\.\//, '');
  return long === bare || long.endsWith(`/${bare}`);
};
