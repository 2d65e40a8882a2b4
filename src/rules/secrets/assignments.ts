import type { FoundSecret } from './found-secret.ts';
import { entropy, isPlaceholder } from './placeholders.ts';
import { quotesOf } from './quotes.ts';
import { OPERATOR } from './shapes.ts';

/** Literals that are given to a name which says that they are secret; `path` tells how its language writes texts. */
export function assignedSecrets(path: string, text: string): readonly FoundSecret[] {
  const quotes = quotesOf(path);
  const found: FoundSecret[] = [];
  let done = 0;
  for (const { index } of text.matchAll(WORD)) {
    if (index < done) continue;
    const [from, to] = [nameStart(text, index), nameEnd(text, index)];
    done = to;
    const name = text.slice(from, to);
    if (!SECRET_NAME.test(name) || isHarmlessName(name) || text.charAt(from - 1) === '/') continue;
    for (const { value, quote, start, isHanded } of literalsAt(text, from, to)) {
      if (isHanded && (REPORTS.test(name) || /\s/.test(value))) continue;
      const isWritten =
        quote === ''
          ? quotes.bare && BEFORE_BARE.test(text.charAt(from - 1)) && !isExpression(value)
          : quotes.quoted.includes(quote);
      const isCommand = quote === '`' && /\s/.test(value);
      if (isWritten && !isCommand && looksSecret(value, name))
        found.push({ start, end: start + value.length, what: WHAT });
    }
  }
  return found;
}

const STRONG =
  'passw(?:or)?d|passwort|passphrase|pwd|api[_.-]?key|secret|private[_.-]?key|access[_.-]?key|(?:encryption|signing|master|account|auth|subscription|storage|service)[_.-]?key|(?<![A-Za-z])pass(?![A-Za-z])|[a-z]Pass(?![a-z])';
const WORD =
  /pass|pwd|secret|token|credential|creds|auth|(?:api|private|access|encryption|signing|master|account|subscription|storage|service)[_.-]?key/gi;
const SECRET_NAME = new RegExp(`${STRONG}|token|credential|creds|auth`, 'i');
/** What a test calls, or its message, when it went well; what any call is handed with blanks in it is a sentence, too. */
const REPORTS = /(?:^|\.)pass$/i;

interface Literal {
  readonly value: string;
  readonly start: number;
  /** The sign it stands in; empty when it stands in none. */
  readonly quote: string;
  /** It is what the name is called with. */
  readonly isHanded: boolean;
}

/** What is given to, compared with or handed to the name that stands from `from` to `to`. */
function literalsAt(text: string, from: number, to: number): readonly Literal[] {
  const found: Literal[] = [];
  for (const pattern of [GIVEN, ESCAPED, NEXT_TO, BARE]) {
    pattern.lastIndex = to;
    const match = pattern.exec(text);
    if (match !== null) {
      const value = match.groups?.['value'] ?? '';
      if (
        match.groups?.['comma'] !== undefined &&
        !isRandom(value, 16, 3.2) &&
        !SETS.test(text.slice(Math.max(0, from - 24), from))
      )
        break;
      found.push({
        value,
        start: match.index + match[0].lastIndexOf(value),
        quote: match.groups?.['quote'] ?? '',
        isHanded: match.groups?.['call'] !== undefined,
      });
      break;
    }
  }
  if (/[!=]=\s{0,4}$/.test(text.slice(from - 6, from))) {
    const before = text.slice(Math.max(0, from - LONGEST), from);
    const match = COMPARED.exec(before);
    if (match !== null) {
      const value = match.groups?.['value'] ?? '';
      const start = from - before.length + match.index + 1;
      found.push({ value, start, quote: match.groups?.['quote'] ?? '', isHanded: false });
    }
  }
  return found;
}

function nameStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < 40 && NAME_SIGN.test(text.charAt(start - 1))) start -= 1;
  return start;
}

function nameEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && end - at < 50 && NAME_SIGN.test(text.charAt(end))) end += 1;
  return end;
}

/** What hands a name and its value to a list of settings. */
const SETS = /(?:define|set\w{0,12}|put|env|add)\s?\(\s{0,4}["']$/i;
const NAME_SIGN = /[\w.-]/;
const LONGEST = 420;
const LITERAL = '(?<quote>["\'`])(?<value>(?:(?!\\k<quote>)[^\\r\\n\\\\]|\\\\.){6,400})\\k<quote>';
const GIVEN = new RegExp(
  `["'\`]?\\]?(?:\\[\\w*\\])?(?:\\s?:?\\s?[A-Za-z]{1,12})?\\s{0,8}${OPERATOR.replace(',|', '')}\\s{0,8}\\(?[@brfu]{0,2}${LITERAL}`,
  'y',
);
/** Inside another text, where quotes are escaped. */
const ESCAPED = /\\?["']?\s{0,4}(?:=>|:?=|:)\s{0,4}\\(?<quote>["'])(?<value>[^"'\\\r\n]{6,400})(?=\\)/y;
const NEXT_TO = new RegExp(
  `(?:(?<comma>["'\`]?,\\s{0,4})|\\s?!==?\\s{0,4}|(?<call>\\()|\\s{1,4}(?![\`]))${LITERAL}`,
  'y',
);
const BARE =
  /["']?\s{0,4}(?:(?:=>|[?:]{0,3}=|:)[ \t]{0,4}|>\s{0,24})(?<value>[^\s"'`<]{6,400})(?=["'`,;]{0,3}(?:\s|$|<))/y;
const BEFORE_BARE = /^$|[\s"'{,;&?<-]/;
const COMPARED = /(?<quote>["'`])(?<value>[^"'`\r\n]{6,400})\k<quote>\s{0,4}[!=]={1,2}\s{0,4}$/;

/** How such a find is called. */
export const WHAT = 'a literal password or key';

/** Names that hold such a word but mean something else, or whose value is public. */
const isHarmlessName = (name: string): boolean =>
  /\.(?:[cm]?[jt]sx?|py|go|json|ya?ml|md|rb|java|php|c|h|cpp|rs|html|css|txt|sh|toml)$|public|pub[_.-]?key|hash|digest|checksum|fingerprint|tokeni[sz]|tokens?[_.-]?(?:type|count|limit|url|uri|endpoint|name|path|file|ttl|expir|length|field|header|id$)|max[_.-]?token|num[_.-]?token|(?:secret|key|password|pass|credentials?)[_.-]?(?:name|path|file|ref|url|uri|field|label|hint|placeholder|policy|length|type|version|error|message|regex|pattern|title|text|input|selector|class|column|arn|prefix|manager|store|provider|id$|ids$)|author|authori[tz]|oauth[_.-]?(?:url|scope)|(?:csrf|xsrf)[_.-]?(?:name|header|cookie)|bypass|compass|passive|passage|passenger|passport|encompass|surpass|keyword|monkey|turkey|idempotency/i.test(
    name,
  );

function looksSecret(written: string, name: string): boolean {
  const value = written.replace(/\\(["'`\\])/g, '$1');
  if (isPlaceholder(value)) return false;
  if (/\s/.test(value))
    return REPORTS.test(name) ? FOUR_TIMES_FOUR.test(value) : PASSWORDS.test(name) && isPassphrase(value);
  if (LINKS.test(value) || DATES.test(value) || value.toLowerCase() === name.toLowerCase()) return false;
  const isStrong = STRONG_NAME.test(name) && !/tokens?$/i.test(name);
  if (!isStrong) return isRandom(value, 16, 3.2);
  if (WORDS.test(value))
    return (
      value.length >= 20 && /[a-z]/.test(value) && /[A-Z]/.test(value) && entropy(value) >= 4 && !CAMEL.test(value)
    );
  return value.length >= 8 && entropy(value) >= 2.2;
}

/** How Google writes a password for one program, which mailers are given as `pass`. */
const FOUR_TIMES_FOUR = /^(?:[a-z]{4} ){3}[a-z]{4}$/;
const PASSWORDS = /pass|pwd|secret|api[_.-]?key/i;
const STRONG_NAME = new RegExp(STRONG, 'i');
/** Letters alone, with signs that join names: a word, a path, an identifier. */
const WORDS = /^[\p{L}_.:/\\-]+$/u;
const CAMEL = /^(?:[A-Z]?[a-z]{3,}[_.-]?)+$/;
const LINKS =
  /^(?:[a-z][a-z0-9+.-]{1,12}:\/\/|\.{0,2}\/[\w.-]|[A-Za-z]:\\|arn:|urn:|mailto:|#[0-9a-f]{3,8}$|@[\w-]+\/|--?[a-z])/i;
const DATES = /^(?:\d{4}-\d\d-\d\d|v?\d+(?:\.\d+){1,3}$|\d{1,7}$)/;

/** Chance, not language: letters and digits, no path and no name. */
function isRandom(value: string, shortest: number, bits: number): boolean {
  if (value.length < shortest || value.length > 300 || !/^[\w.=+/~-]+$/.test(value) || !/[A-Za-z]/.test(value))
    return false;
  if (entropy(value) < bits || NAMED_WITH_NUMBER.test(value)) return false;
  return /\d/.test(value) || isScrambled(value);
}

/** Letters alone whose case changes as often as by chance. */
function isScrambled(value: string): boolean {
  const changes = value.match(/(?<=[a-z])[A-Z]|(?<=[A-Z])[a-z]/g)?.length ?? 0;
  return value.length >= 20 && changes / value.length > 0.4;
}

const NAMED_WITH_NUMBER = /^(?:[A-Za-z]+[-_.:/])*[A-Za-z]+[-_.]?\d{0,4}$/;

/** Several words that are no sentence to be read by somebody. */
const isPassphrase = (value: string): boolean =>
  /^\p{Ll}[\p{L}\p{N} ,.'!-]+$/u.test(value) &&
  value.length <= 80 &&
  !/[.?!:]$/.test(value) &&
  !/\b(?:your?|enter|please|must|invalid|required?|forgot|reset|confirm|new|current|incorrect|wrong|missing|change|show|hide|cannot|failed|error|token|pass(?:word|phrase)|secret|key|not|no|should|is|are|be|has|the|for|from|this|that|when|if|use|used|to|of|in)\b/i.test(
    value,
  );

/** A variable, a call or a member: what stands without quotes in settings that are really a program. */
const isExpression = (value: string): boolean =>
  /^[A-Za-z_$]+\d{0,3}(?:\.[A-Za-z_$]+\d{0,3})+(?:\(.*)?$/.test(value) ||
  /^[\w$.]+\(|^[\w$]+\[|^(?:new|await|function|async|return)\b|^\{|^\[|=>|\?\.|&&|\|\||^[A-Z_]+$|\(\)/.test(value);
