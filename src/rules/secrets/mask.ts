import { mapTexts } from '../../base/map-texts.ts';
import { maskKnown } from '../../base/known-secrets.ts';
import { findSecrets } from './find-secrets.ts';

/**
 * A text as it may be printed, logged or kept: what is or could be a secret is three stars. Rather too much than too
 * little: whatever is given to a name that says secret is hidden, also where it would be no finding.
 */
export const maskSecrets = (text: string): string => hide(text, [...LOOSE, ...CERTAIN]);

/**
 * The same for what people and models still have to work with, such as the output of a gate or a diff: only what is a
 * secret by its form or its place, so that `Unexpected token: )` stays what it is.
 */
export const withoutSecrets = (text: string): string => hide(text, CERTAIN);

/** Secrets whose values are known go first: what is left is known by its form alone. */
function hide(given: string, patterns: readonly (readonly [RegExp, string])[]): string {
  const text = maskKnown(given);
  let shown = '';
  let at = 0;
  for (const { start, end } of findSecrets('', text)) {
    shown += `${text.slice(at, start)}${STARS}`;
    at = end;
  }
  return patterns.reduce((text, [pattern, into]) => text.replace(pattern, into), shown + text.slice(at));
}

const STARS = '***';
const NAME =
  '(?:pass(?:w(?:or)?d|phrase|wort)?|pwd|secret|token|api[_.-]?key|access[_.-]?key|private[_.-]?key|credentials?|authorization)';
/** What is read from somewhere else is no secret itself. */
const READ =
  '(?!\\*{3}|process\\.env|os\\.(?:environ|getenv)|(?:await |new )?[\\w$.]+\\(|\\$\\{|\\{\\{|(?:self|this|config|settings|options|env)\\.)';
const LOOSE: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(
      `(\\b[\\w.-]{0,40}${NAME}[\\w.-]{0,20}["'\`]?\\s{0,4}(?:=>|[:=]{1,3})\\s{0,4})(["'\`])(?!\\*{3})(?:(?!\\2)[^\\r\\n]){1,2000}(\\2|$)`,
      'gim',
    ),
    `$1$2${STARS}$3`,
  ],
  [/\b(bearer|basic|token)(\s{1,4})(?!\*{3})[A-Za-z0-9+/=_.~-]{6,4000}(?=["'`\s,;]|$)/gi, `$1$2${STARS}`],
  [
    new RegExp(
      `(\\b[\\w.-]{0,40}${NAME}[\\w.-]{0,20}["'\`]?\\s{0,4}(?:=>|[:=]{1,3})\\s{0,4})${READ}(?!["'\`]|bearer |basic |token )[^\\s"'\`,;(){}[\\]<>]{3,2000}`,
      'gi',
    ),
    `$1${STARS}`,
  ],
];
const CERTAIN: readonly (readonly [RegExp, string])[] = [
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
