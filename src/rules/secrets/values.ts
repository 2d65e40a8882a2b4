/** Chance, not language: letters and digits, no path and no name. */
export function isRandomValue(value: string, shortest: number, bits: number): boolean {
  if (value.length < shortest || value.length > 300 || !/^[\w.=+/~-]+$/.test(value) || !/[A-Za-z]/.test(value))
    return false;
  if (entropy(value) < bits || NAMED_WITH_NUMBER.test(value) || isProgramName(value)) return false;
  return /\d/.test(value) || isScrambled(value);
}

/** A name of a program: words in one case or in humps, with numbers between them, also members of one another. */
function isProgramName(value: string): boolean {
  if (/^(?:[a-z][\w-]*|\d+)(?:\/(?:[a-z][a-z_-]*|\d+)){2,}$/.test(value)) return true;
  if (!/^[A-Za-z_$][\w$-]*(?:[.:/][A-Za-z_$][\w$-]*)*$/.test(value)) return false;
  if (/^[A-Z][A-Z0-9]*(?:_+[A-Z0-9]+)+$/.test(value)) return true;
  if (!/[A-Z_.]/.test(value)) return false;
  const letters = value.replace(/[^A-Za-z]/g, '').length;
  const inWords = value.match(/[A-Z]?[a-z]{3,}|(?<=[_.]|^)(?:[a-z]{2,}|[A-Z]{2,})(?=[_.]|$)/g)?.join('').length ?? 0;
  return inWords / letters >= 0.5;
}

/** Letters alone whose case changes as often as by chance. */
function isScrambled(value: string): boolean {
  const changes = value.match(/(?<=[a-z])[A-Z]|(?<=[A-Z])[a-z]/g)?.length ?? 0;
  return value.length >= 20 && changes / value.length > 0.4;
}

/**
 * What people and generators make up as a password, where its place alone proves little: printable characters with a
 * letter, a digit and a sign that names and versions do not have, or chance in three classes.
 */
export function isPasswordLike(value: string): boolean {
  if (value.length < 8 || value.length > 128 || !/^[!-~]+$/.test(value) || isPlaceholderValue(value)) return false;
  if (!/[A-Za-z].*[A-Za-z].*[A-Za-z]/.test(value) || !/\d/.test(value) || CODE.test(value)) return false;
  return SIGN.test(value.slice(1)) || (isRandomValue(value, 12, 3) && isMixed(value));
}

/** Something in a place that only a password has: neither a placeholder nor read from elsewhere. */
export function isPassword(value: string): boolean {
  if (value.length < 5 || value.length > 400 || isPlaceholderValue(value)) return false;
  if (ELSEWHERE.test(value) || /^\d+(?:ms|[smhdwy]|[kmg]?i?b)?$/i.test(value)) return false;
  if (/^[!-~]+$/.test(value) && /^[A-Za-z]+$/.test(value)) return isScrambled(value);
  return /[\p{L}]/u.test(value) && (/\d/.test(value) || /[!@#^*?+=~&%]/.test(value));
}

/** Capital and small letters and digits change places as often as by chance. */
function isMixed(value: string): boolean {
  if (!/[a-z]/.test(value) || !/[A-Z]/.test(value)) return false;
  let changes = 0;
  for (let at = 1; at < value.length; at += 1) if (classOf(value, at) !== classOf(value, at - 1)) changes += 1;
  return changes / value.length >= 0.35;
}

function classOf(text: string, at: number): number {
  const letter = text.charAt(at);
  if (letter >= '0' && letter <= '9') return 0;
  if (letter >= 'a' && letter <= 'z') return 1;
  return letter >= 'A' && letter <= 'Z' ? 2 : 3;
}

/** What a name of a file, a package or a function with a number looks like. */
const NAMED_WITH_NUMBER = /^(?:[A-Za-z]+[-_.:/])*[A-Za-z]+[-_.]?\d{0,4}$/;
/** Signs of a program: calls, members, templates, paths, addresses, escapes, patterns. */
const CODE =
  /[(){}[\]<>"'`;\\|]|\$\w|=>|->|::|&&|\?\.|\+\+|^[/.~#&?=*+-]|:\/\/|\w\.\w+\.\w|[=?&]$|\/.*\/|=.+&|^[\w.-]+@[\w-]+\.\w+$|%[sdv]|^[\w-]+[=:]|[\w-]=\w|^sha\d{3}-|\*[/*]|%[0-9A-F]{2}/i;
const SIGN = /[!@#$%^&*?~]/;
const ELSEWHERE =
  /^[-$/~<{(%[]|\/secrets\/|^\.{1,2}\/|\$\{|\$\(|\{\{|<%|^[A-Za-z]:\\|^@|^["'`]|^\w+\(|:\/\/|\.(?:json|ya?ml|txt|sql|sh|md|conf|p12|pem|key|crt|tar|gz|zip)$/;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** A name for a thing that is drawn by chance but secret to no one. */
export const isUuid = (value: string): boolean => UUID.test(value);

/** Which signs make a text in the language of a file, and whether texts stand there without any. */
export function getQuoteRules(path: string): { readonly quoted: string; readonly bare: boolean } {
  const ending = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (/^(?:[ch]|cc|[ch]pp|cs|java|mm?|rs|kts?|scala|swift)$/.test(ending)) return { quoted: '"', bare: false };
  if (ending === 'go') return { quoted: '"`', bare: false };
  const isProgram = /^(?:[cm]?[jt]sx?|py|rb|php|pl|lua|vue|dart|exs?|json)$/.test(ending);
  return { quoted: '"\'`', bare: !isProgram };
}

/** A text of a translation file: only text unfit for a form is a secret there. */
export const isTranslation = (path: string, value: string): boolean =>
  (FOLDERS.test(path) || FILES.test(path)) && !isPasswordLike(value) && !isRandomValue(value, 16, 3.2);

const FOLDERS =
  /(?:^|\/)(?:locales?|i18n|l10n|g11n|lang|langs|languages|translations?|intl|nls|po|[\w-]+\.lproj|values-[a-z]{2}[\w-]*)\//i;
/** A file for one language (`de.json`, `messages_pt_BR.properties`), or in a form that only translations have. */
const FILES =
  /(?:^|\/|[\w-]+[._-])[a-z]{2}(?:[-_][A-Za-z]{2,4})?\.(?:json5?|ya?ml|properties|ts|js|php|toml|ini|resx|ftl)$|\.(?:po|pot|xlf|xliff|strings|arb|resx|ftl|tmx)$/;

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
