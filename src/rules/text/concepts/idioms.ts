/** Bits of code and command lines in a plan, and the words that they stand for. */
export const IDIOMS: readonly (readonly [RegExp, string])[] = [
  [/(?<=[\w/.-]):latest\b|(?<=\s):latest\b/gi, ' latest image tag'],
  [/<any>|,\s?any>|<any,|\bany\[\]|(?<=[\w)?]):\s?any\b(?!\s+(?:of|other|user|one))/g, ' any type '],
  [/catch\s?(?:\([^)]{0,40}\))?\s?\{\s?\}/gi, ' empty catch '],
  [/\b[a-z]\w{2,30}Sync\b(?:\(\))?/g, ' synchronous call '],
  [/--no-([a-z]{2,20})\b/g, ' no$1 '],
  [/\bselect\s+\*/gi, ' select star '],
  [/(?<!\w)\.(?:skip|only)\b\(?/gi, ' skip test '],
  [/\bhttp:\/\//gi, ' plain http '],
  [/["'`](?:sk|pk|rk|ghp|gho|ghs|glpat|xox[abprs]|AKIA|ASIA|AIza|npm|hf|eyJ)[\w.-]{6,200}["'`]/g, ' hardcode '],
  [/(?<=\b(?:key|token|password|secret|passwd)\s{0,3}[:=]\s{0,3})["'`][^\s"'`$<{]{6,200}["'`]/gi, ' hardcode '],
  [/\b(?:git\s+)?push\s+(?:\S{1,40}\s+){0,3}(?:--force(?:-with-lease)?|-f)\b/gi, ' force push '],
];
