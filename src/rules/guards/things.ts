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
