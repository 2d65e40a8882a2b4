import { LITERAL_SECRET, type FoundSecret } from './found-secret.ts';
import { namesPassword } from './foreign-names.ts';
import {
  entropy,
  isPlaceholderValue,
  getQuoteRules,
  isPassword,
  isPasswordLike,
  isRandomValue,
  isUuid,
  isTranslation,
} from './values.ts';
import { OPERATOR } from './shapes.ts';

/** Literals that are given to a name which says that they are secret; `path` tells how its language writes texts. */
export function findAssignedSecrets(path: string, text: string): readonly FoundSecret[] {
  const quotes = getQuoteRules(path);
  const found: FoundSecret[] = [];
  let done = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (index < done) continue;
    const [from, to] = [nameStart(text, index), nameEnd(text, index + word.length)];
    done = to;
    const name = text.slice(from, to);
    if (!SECRET_NAME.test(name) || isHarmlessName(name) || text.charAt(from - 1) === '/') continue;
    if (text.slice(from - 2, from) === '${') continue;
    for (const literal of literalsAt(text, from, to)) {
      const { value, start } = literal;
      if (!isLiteral(literal, name, quotes, text.charAt(from - 1))) continue;
      if (!isTranslation(path, value)) found.push({ start, end: start + value.length, what: LITERAL_SECRET });
    }
  }
  return found;
}

function isLiteral(
  { value, quote, form }: Literal,
  name: string,
  quotes: ReturnType<typeof getQuoteRules>,
  before: string,
): boolean {
  switch (form) {
    case 'spoken':
      if (/^[-=]|[;,=]|^[0-9a-f]{40}$/.test(value) || isUuid(value) || isPlaceholderValue(value)) return false;
      return before !== '(' && ENDS_SECRET.test(name) && (isPasswordLike(value) || isRandomValue(value, 20, 3.5));
    case 'tight':
      return isPasswordLike(value) || (isRandomValue(value, 16, 3.2) && looksSecret(value, name));
    case 'option':
      return isPassword(value) && looksSecret(value, name);
    case 'block':
      return looksSecret(value, name);
    case 'listed':
      return isRandomValue(value, 16, 3.2) ? looksSecret(value, name) : isPasswordLike(value);
    case 'handed':
      if (REPORTS.test(name) || /\s/.test(value)) return false;
      break;
    case 'given':
  }
  const isWritten =
    quote === '' ? quotes.bare && BEFORE_BARE.test(before) && !isExpression(value) : quotes.quoted.includes(quote);
  return isWritten && !(quote === '`' && /\s/.test(value)) && looksSecret(value, name);
}

const STRONG =
  'passw(?:or)?d|passwort|passphrase|pwd|api[ _.-]?key|secret|private[ _.-]?key|access[ _.-]?key|(?:encryption|signing|master|account|auth|subscription|storage|service)[_.-]?key|(?<![A-Za-z])pass(?![A-Za-z])|[a-z]Pass(?![a-z])|(?<![A-Za-z])(?:bind|root|ldap|admin|db|user|my|sql)?pw(?![A-Za-z])';
const WORD =
  /pass|pwd|(?<![A-Za-z])(?:bind|root|ldap|admin|db|user|my|sql)?pw(?![A-Za-z])|secret|token|credential|creds|auth|(?:api|private|access|encryption|signing|master|account|subscription|storage|service)[ _.-]?key/gi;
const SECRET_NAME = new RegExp(`${STRONG}|token|credential|creds|auth`, 'i');
/** What a test calls, or its message, when it went well; what any call is handed with blanks in it is a sentence, too. */
const REPORTS = /(?:^|\.)pass$/i;

interface Literal {
  readonly value: string;
  readonly start: number;
  /** The enclosing sign; empty without one. */
  readonly quote: string;
  /**
   * How it belongs to the name: `handed` to what it calls, `listed` behind it, `tight` behind its `=` within a text, an
   * `option` of a command, the value in the `block` that it heads, or `spoken` of in a sentence.
   */
  readonly form: 'given' | 'handed' | 'listed' | 'tight' | 'option' | 'block' | 'spoken';
}

/** The value assigned to, compared with or passed to the name between `from` and `to`. */
function literalsAt(text: string, from: number, to: number): readonly Literal[] {
  const found: Literal[] = [];
  const isOption = text.charAt(from) === '-' && OPTION_NAME.test(text.slice(from, to));
  const patterns = isOption ? [OPTION, ...PATTERNS] : PATTERNS;
  for (const pattern of patterns) {
    pattern.lastIndex = to;
    const match = pattern.exec(text);
    if (match === null) continue;
    const value = trimmed(match.groups?.['value'] ?? '', FORMS.get(pattern));
    const isListed = match.groups?.['comma'] !== undefined && !SETS.test(text.slice(Math.max(0, from - 24), from));
    found.push({
      value,
      start: match.index + match[0].lastIndexOf(value),
      quote: match.groups?.['quote'] ?? '',
      form: isListed ? 'listed' : match.groups?.['call'] === undefined ? (FORMS.get(pattern) ?? 'given') : 'handed',
    });
    if (pattern !== BARE) break;
  }
  if (/[!=]=\s{0,4}$/.test(text.slice(from - 6, from))) {
    const before = text.slice(Math.max(0, from - LONGEST), from);
    const match = COMPARED.exec(before);
    if (match !== null) {
      const value = match.groups?.['value'] ?? '';
      const start = from - before.length + match.index + 1;
      found.push({ value, start, quote: match.groups?.['quote'] ?? '', form: 'given' });
    }
  }
  return found;
}

/** A sentence goes on behind it. */
const trimmed = (value: string, form: Literal['form'] | undefined): string =>
  form === 'spoken' || form === 'option' ? value.replace(/[.,;:)\]}]+$/, '') : value;

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
  `["'\`]?\\]?(?:\\[\\w*\\])?(?:\\s?:?\\s?(?:as\\s|As\\s)?&?[A-Za-z][\\w<>&]{0,16}\\??)?\\s{0,8}${OPERATOR.replace(',|', '')}\\s{0,8}\\(?(?:(?:String::from|SecretStr|SecretString|SecureString|Secret|Buffer\\.from|bytes|new String)\\(\\s{0,4})?[@bfnruLNR]{0,2}${LITERAL}`,
  'y',
);
/** Inside another text, where quotes are escaped. */
const ESCAPED = /\\?["']?\s{0,4}(?:=>|:?=|:)\s{0,4}\\(?<quote>["'])(?<value>[^"'\\\r\n]{6,400})(?=\\)/y;
const NEXT_TO = new RegExp(
  `(?:(?<comma>["'\`]?,(?:\\s{0,4}|[ \\t]{5,16}))|\\s?!==?\\s{0,4}|(?<call>\\()|\\s{1,4}(?![\`]))${LITERAL}`,
  'y',
);
const BARE =
  /["']?\s{0,4}(?:(?:=>|[?:]{0,3}=|:)[ \t]{0,4}|>\s{0,24})(?<value>[^\s"'`<]{6,400})(?=["'`,;]{0,3}(?:\s|$|<))/y;
const ENDS_SECRET =
  /(?:^|[^A-Za-z])(?:pass(?:word|wd|phrase|code|wort)?|pwd|(?:client|api|app)?[ _-]?secret|token|(?:api|secret|private|access)[ _.-]?key|credentials?)s?$/i;
const OPTION_NAME = /(?:passw(?:or)?d|pass|pwd|pw|passphrase|token|secret|key|credentials?|auth)$/i;
/** Inside a text: `password=x` of a connection, `?token=x` of an address. */
const TIGHT = /=(?<value>[^\s"'`<>;,&(){}[\]|\\=][^\s"'`<>;,&(){}[\]|\\]{7,299})/y;
const OPTION = /(?:[ \t]{1,4}["']?|=["']?|["'],\s{1,8}["'])(?<value>[^\s"'`<|;,-][^\s"'`<|;,]{5,399})/y;
/** The head of a settings block, in which the value has its own name. */
const BLOCK =
  /["']?\s{0,4}[:=]?\s{0,4}(?:\{\s{0,40}|\n\s{1,40})(?:["']?[A-Za-z]{1,20}["']?\s{0,12}[:=]\s{0,4}(?:"[^"\n]{0,200}"|[^\s,{}"']{1,80}),?\s{1,40}){0,5}["']?(?:[Dd]efault|[Vv]alue|defaultValue)["']?\s{0,12}[:=]\s{0,4}["']?(?<value>[^\s"'`,]{6,300})/y;
/** In a sentence: "the password is …", "API key …". */
const SPOKEN =
  /[*_`"']{0,3}(?:[ \t](?:is|was|to|of|for \w{1,20}|ist|lautet))?[ \t]?:?[*_]{0,2}[ \t]{1,2}["'`*_(]{0,3}(?<value>[^\s"'`*<>()|]{8,200})/y;
const PATTERNS: readonly RegExp[] = [GIVEN, ESCAPED, NEXT_TO, BARE, TIGHT, BLOCK, SPOKEN];
const FORMS: ReadonlyMap<RegExp, Literal['form']> = new Map([
  [TIGHT, 'tight'],
  [OPTION, 'option'],
  [BLOCK, 'block'],
  [SPOKEN, 'spoken'],
]);
const BEFORE_BARE = /^$|[\s"'{,;&?<-]/;
const COMPARED = /(?<quote>["'`])(?<value>[^"'`\r\n]{6,400})\k<quote>\s{0,4}[!=]={1,2}\s{0,4}$/;

/** Names that hold such a word but mean something else, or whose value is public. */
export const isHarmlessName = (name: string): boolean =>
  /\.(?:[cm]?[jt]sx?|py|go|json|ya?ml|md|rb|java|php|c|h|cpp|rs|html|css|txt|sh|toml)$|public|pub[_.-]?key|hash|digest|checksum|fingerprint|tokeni[sz]|tokens?[_.-]?(?:type|count|limit|url|uri|endpoint|name|path|file|ttl|expir|length|field|header|id$)|max[_.-]?token|num[_.-]?token|(?:secret|key|password|pass|credentials?)[_.-]?(?:name|path|file|ref|url|uri|field|label|hint|placeholder|policy|length|type|version|error|message|regex|pattern|title|text|input|selector|class|column|arn|prefix|manager|store|provider|header|rules?|strength|reset|too|id$|ids$)|(?:token|session|cookie|local)[_.-]?storage[_.-]?key|author|authori[tz]|oauth[_.-]?(?:url|scope)|(?:csrf|xsrf)[_.-]?(?:name|header|cookie)|bypass|compass|passive|passage|passenger|passport|encompass|surpass|keyword|monkey|turkey|idempotency/i.test(
    name,
  );

function looksSecret(written: string, name: string): boolean {
  const value = written.replace(/\\(["'`\\])/g, '$1');
  if (isPlaceholderValue(value)) return false;
  if (/\s/.test(value))
    return REPORTS.test(name)
      ? FOUR_TIMES_FOUR.test(value)
      : PASSWORDS.test(name) && isPassphrase(value) && !namesPassword(value);
  if (LINKS.test(value) || DATES.test(value) || value.toLowerCase() === name.toLowerCase()) return false;
  const isStrong = STRONG_NAME.test(name) && !/tokens?$/i.test(name);
  if (!isStrong) return isRandomValue(value, 16, 3.2);
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

/** Several words that are not a sentence. */
export const isPassphrase = (value: string): boolean =>
  /^\p{Ll}[\p{L}\p{N} ,.'!-]+$/u.test(value) &&
  value.length <= 80 &&
  !/[.?!:]$/.test(value) &&
  !/\b(?:your?|enter|please|must|invalid|required?|forgot|reset|confirm|new|current|incorrect|wrong|missing|change|show|hide|cannot|failed|error|token|pass(?:word|phrase)|secret|key|not|no|should|is|are|be|has|the|for|from|this|that|when|if|use|used|to|of|in)\b/i.test(
    value,
  );

/** A variable, a call or a member: unquoted values in settings that are really a program. */
const isExpression = (value: string): boolean =>
  /^[A-Za-z_$]+\d{0,3}(?:\.[A-Za-z_$]+\d{0,3})+(?:\(.*)?$/.test(value) ||
  /^[\w$.]+\(|^[\w$]+\[|^(?:new|await|function|async|return)\b|^\{|^\[|=>|\?\.|&&|\|\||^[A-Z_]+$|\(\)/.test(value);
