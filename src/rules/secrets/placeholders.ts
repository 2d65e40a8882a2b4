/** Whether a value is a placeholder: a variable, a template, a row of stars, or words that say so. */
export function isPlaceholderValue(value: string): boolean {
  const bare = value.trim();
  if (bare === '' || !/[\p{L}\p{N}]/u.test(bare)) return true;
  if (WHOLE.test(bare) || SAID.test(bare) || TEMPLATE.test(bare)) return true;
  return isRun(bare);
}

/** Bits per character: how much of chance there is in a text. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  let length = 0;
  for (const letter of text) {
    counts.set(letter, (counts.get(letter) ?? 0) + 1);
    length += 1;
  }
  let bits = 0;
  for (const count of counts.values()) bits -= (count / length) * Math.log2(count / length);
  return bits;
}

/** One letter again and again, or the keys of a keyboard in a row. */
function isRun(value: string): boolean {
  const letters = value.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  if (/(.)\1{5}/.test(value) && new Set(letters).size <= 4) return true;
  return letters.length >= 6 && RUNS.some((run) => run.includes(letters));
}

const RUNS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890123456789',
  '98765432109876543210',
  'qwertyuiopasdfghjklzxcvbnm',
];
const WHOLE =
  /^(?:\$[A-Za-z_][\w.]*|\$\(.*\)?|\$\d|%[\w.-]+%|%[sdv]|@[\w.-]+@|#\{.*\}|<.*>|\[.*\]|\(.*\)|null|nil|none|undefined|true|false|\.{3,}|[x*.#_-]+|\\?["'`]+|env[:.(].*|process\.env.*|os\.(?:environ|getenv).*|vault:.*|secret(?:ref|s?manager)?:.*|file:.*|\/(?:run|etc|var|secrets|mnt|opt)\/.*)$/i;
const SAID =
  /example|placeholder|change[-_ ]?(?:me|it|this)|dummy|fake|sample|redacted|replace[-_ ]?(?:me|this|with)|insert[-_ ]|(?:^|[-_ <[{])(?:your|my)[-_ ](?!.*\d)|todo|not[-_ ]?(?:a[-_ ])?(?:real|secret)|censored|x{5,}|\*{3,}|\.{3,}$|^(?:pass(?:word|wd|phrase)?|secret|token|user(?:name)?|api[-_]?key|key|value|string|test(?:ing)?|admin|root|changeit|default|foo|bar|baz|none|empty)\d{0,3}$/i;
const TEMPLATE =
  /\$\{[\w.\s()'"|:?=,$[\]-]*\}|\{\{[-\s\w.$|'"()]*\}\}|<%|%>|\$\{\{|\$\([\w .-]+\)|<[A-Za-z][\w .:-]*>|#\{[\w.@]+\}|^\{[\w.]+\}$/;
