import { mapTexts } from '../../base/map-texts.ts';
import { maskKnown, STARS } from '../../base/known-secrets.ts';
import { isPassphrase } from './assignments.ts';
import { findSecrets } from './find-secrets.ts';
import { maskForeignPasswords } from './foreign-names.ts';

/**
 * A text as it may be printed, logged or kept: what is or could be a secret is three stars. Rather too much than too
 * little: whatever is given to a name that says secret is hidden, also where it would be no finding.
 */
export const maskSecrets = (text: string): string => maskForeignPasswords(hide(text, [...LOOSE, ...CERTAIN]), STARS);

/**
 * The same for what people and models still have to work with, such as the output of a gate or a diff: only what is a
 * secret by its form or its place, so that `Unexpected token: )` stays what it is.
 */
export const withoutSecrets = (text: string): string => hide(text, CERTAIN);

/** Secrets whose values are known go first: what is left is known by its form alone. */
function hide(written: string, patterns: Patterns): string {
  const text = maskKnown(written);
  let shown = '';
  let at = 0;
  for (const { start, end } of findSecrets('', text)) {
    shown += `${text.slice(at, start)}${STARS}`;
    at = end;
  }
  return patterns.reduce(
    (text, [pattern, into]) => (typeof into === 'string' ? text.replace(pattern, into) : text.replace(pattern, into)),
    shown + text.slice(at),
  );
}

type Replacer = (all: string, before: string, value: string, ...more: string[]) => string;
type Patterns = readonly (readonly [RegExp, string | Replacer])[];

/** What a header sets or sends as cookies. */
const COOKIES = /\bcookie["']?\s{0,4}[:=]\s{0,4}["']?[^\r\n"']{4,8000}/gi;
const NAME =
  '(?:pass(?:w(?:or)?d|phrase|wort)?|pwd|secret|token|api[_.-]?key|access[_.-]?key|private[_.-]?key|credentials?|authorization)';
/** What is read from somewhere else is no secret itself. */
const READ =
  '(?!\\*{3}|process\\.env|os\\.(?:environ|getenv)|(?:await |new )?[\\w$.]+\\(|\\$\\{|\\{\\{|(?:self|this|config|settings|options|env)\\.)';
/** Names that say where something is, of what kind or how much, and counted tokens. */
const HARMLESS_NAME =
  /tokeni[sz]|(?:ur[il]|endpoint|path|file(?:name)?|name|type|count|limit|length|policy|field|label|hint|placeholder)$/i;
const COUNTED = /tokens$|(?:max|min|num|total)[_.-]?token$/i;
/** Words of a schema, a form or a setting in the place of a value. */
const HARMLESS_VALUE =
  /^(?:true|false|null|nil|none|undefined|yes|no|on|off|required|optional|enabled|disabled|missing|invalid|expired|unset|empty|string|str|text|number|int|integer|bool|boolean|bytes|any|unknown|object|include|omit|same-origin)$/i;

/** Hides the value of a name, unless the two together say that it is no secret. */
const hideValue = (all: string, before: string, value: string, after: string): string => {
  const name = /[\w.-]+/.exec(before)?.[0] ?? '';
  if (HARMLESS_VALUE.test(value) || (COUNTED.test(name) && /^\d[\d,._]{0,12}[km]?$/i.test(value))) return all;
  return HARMLESS_NAME.test(name) ? `${before}${value.replace(BARE, bareValue)}${after}` : `${before}${STARS}${after}`;
};

const bareValue: Replacer = (all, before, value) => hideValue(all, before, value, '');
const BARE = new RegExp(
  `(\\b[\\w.-]{0,40}${NAME}[\\w.-]{0,20}["'\`]?\\s{0,4}(?:=>|[:=]{1,3})\\s{0,4})${READ}(?!["'\`]|bearer |basic |token |digest )([^\\s"'\`,;(){}[\\]<>]{3,2000})`,
  'gi',
);
const LOOSE: Patterns = [
  [
    new RegExp(
      `(\\b[\\w.-]{0,40}${NAME}[\\w.-]{0,20}["'\`]?\\s{0,4}(?:=>|[:=]{1,3})\\s{0,4}(["'\`]))(?!\\*{3})((?:(?!\\2)[^\\r\\n]){1,2000})(\\2|$)`,
      'gim',
    ),
    (all, before, _, value = '', after = '') => hideValue(all, before, value, after),
  ],
  [
    new RegExp(`(<([\\w:.-]{0,40}${NAME}[\\w.-]{0,20})(?:\\s[^<>]{0,200})?>)(?!\\*{3})([^<>]{3,2000})(?=</\\2>)`, 'gi'),
    (all, before, _, value = '') => hideValue(all, before, value, ''),
  ],
  [
    /(\bauthorization["']?\s{0,4}[:=]\s{0,4}["']?(?:bearer|basic|token)\s{1,4})(?!\*{3})[\w+/=.~-]{3,4000}/gi,
    `$1${STARS}`,
  ],
  // A word that goes on with a sentence (`basic authentication`) is no token.
  [
    /\b([Bb]earer|BEARER|[Bb]asic|BASIC|[Tt]oken|TOKEN)(\s{1,4})(?!\*{3}|[A-Za-z]?[a-z]+(?:-[a-z]+)*[.]?(?=["'`\s,;]|$))[A-Za-z0-9+/=_.~-]{6,4000}(?=["'`\s,;]|$)/g,
    `$1$2${STARS}`,
  ],
  [/(["']_?auth["']\s{0,4}[:=]\s{0,4}["'])(?!\*{3})[A-Za-z0-9+/]{4,2000}={1,2}(?=["'])/g, `$1${STARS}`],
  [
    /(\bpassphrase\s{0,4}[:=]\s{0,4})(?!\*{3})([^\s"'`][^\r\n"'`]{2,200})/gi,
    (all, before, value) => (isPassphrase(value) ? `${before}${STARS}` : all),
  ],
  [COOKIES, (all) => all.replace(/((?:sess|sid|auth|csrf|jwt)\w{0,20}=)(?!\*{3})[^\s;,"']{4,4000}/gi, `$1${STARS}`)],
  [BARE, bareValue],
];
const CERTAIN: Patterns = [
  [
    COOKIES,
    (all) =>
      all.replace(
        /((?<![\w-])(?!(?:path|domain|expires|max-age|samesite|priority)=)[\w.-]{1,100}=)(?=[^\s;,"']{0,200}\d)(?=[^\s;,"']{0,200}[a-z])[^\s;,"']{12,4000}/gi,
        `$1${STARS}`,
      ),
  ],
  [/(\bdigest\s[^\r\n]{0,1000}?\bresponse=["']?)(?!\*{3})[0-9a-f]{32,128}/gi, `$1${STARS}`],
  // Everything between the two lines is the key, however short or elided.
  [
    /(-----BEGIN[ A-Z0-9_-]{0,40}PRIVATE KEY(?: BLOCK)?-----)(?:(?!-----BEGIN)[^]){1,20000}?(-----END[ A-Z0-9_-]{0,40}PRIVATE KEY(?: BLOCK)?-----)/g,
    `$1${STARS}$2`,
  ],
  [/\b(bearer)(\s{1,4})(?=[^\s]{0,400}\d)[A-Za-z0-9+/=_.~-]{12,4000}/gi, `$1$2${STARS}`],
  [/(\/\/[^\s:/@]{0,100}:)(?!\*{3})[^\s/@]{1,200}(@)/g, `$1${STARS}$2`],
  [/\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{12,}/g, STARS],
  [/\b(?:gh[pousr]_|github_pat_|glpat-|sk-|xox[a-z]-|AIza|npm_|hf_)[A-Za-z0-9_-]{12,}/g, STARS],
];

/** Every text of a value without secrets. */
export const maskText = <Value>(value: Value): Value => mapTexts(value, withoutSecrets);
