import { mapTexts } from './map-texts.ts';
import { isOrdinaryPath } from './random-text.ts';

/** Masks known secrets, and pieces of them, in any usual encoding. */
export interface KnownSecrets {
  /** The text with every secret, and every piece of 12 characters, as three stars. */
  mask(text: string): string;
  /** The same for bytes in chunks; secrets across chunks are found. */
  stream(): { write(chunk: Uint8Array): Uint8Array; end(): Uint8Array };
  /** The stretches that are masked, in order. */
  find(text: string): readonly string[];
}

/** Shortest part of a secret that is masked: shorter ones reveal little and occur by chance. */
const PIECE = 12;
/** A shorter value would match unrelated text. */
const SHORTEST = 8;
/** A value of words alone is masked from this length on. */
const SHORTEST_WORDS = 16;
/** What is shown in the place of a masked value. */
export const STARS = '***';

/** Makes a masker. Values that could be ordinary text (short, a word, a path, an address) are left out. */
export function createSecretMasker(values: Iterable<string>): KnownSecrets {
  const secrets = [...new Set([...values].flatMap((value) => listLineEnds(value.trim())))].filter(isMaskable);
  const matcher = matcherOf(secrets);
  return {
    mask: (text) => (matcher === undefined ? text : maskedBetween(text, matcher.marks(text), 0, text.length, false)),
    find: (text) => listMarked(text, matcher?.marks(text)),
    stream: () => (matcher === undefined ? UNCHANGED : streamOf(matcher)),
  };
}

/** A value of several lines, with the line ends of every system. */
function listLineEnds(value: string): readonly string[] {
  const text = value.replaceAll('\r\n', '\n');
  return [text, text.replaceAll('\n', '\r\n')];
}

const UNCHANGED = { write: (chunk: Uint8Array) => chunk, end: () => new Uint8Array() };

const isMaskable = (value: string): boolean =>
  value.length >= SHORTEST &&
  !ORDINARY.test(value) &&
  !isOrdinaryPath(value) &&
  !isPlaceholder(value) &&
  isVaried(value) &&
  (value.length >= SHORTEST_WORDS || !isWords(value));

/** Whether a text has four different characters. Most do at once, so that no set is needed. */
function isVaried(text: string): boolean {
  let seen = '';
  for (let at = 0; at < text.length; at += 1) {
    if (seen.includes(text.charAt(at))) continue;
    if (seen.length === 3) return true;
    seen += text.charAt(at);
  }
  return false;
}

/** Only words: rows of letters with separators. */
const isWords = (value: string): boolean =>
  /^[A-Za-z]{1,15}(?:[-_. ][A-Za-z]{1,15})*$/.test(value) && !/[a-z][A-Z]/.test(value);

/** A piece within one word, which other texts contain as well. */
const ONE_WORD = /^[-_. ]?(?:[a-z]+|[A-Z][a-z]+|[A-Z]+)[-_. ]?$/;

/** Counts, addresses of this machine, and paths. */
const ORDINARY =
  /^(?:[\d.,:_-]{1,15}|\w+:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]|0\.0\.0\.0)(?::\d+)?(?:\/[\w./-]*)?|(?:~|\.{1,2})\/.*|\/(?:home|Users|root|usr|etc|var|tmp|opt|run|srv|mnt|dev|proc|nix|private|Library|Volumes|workspace)(?:\/.*)?|[A-Za-z]:\\.*)$/s;

/** A dummy value for a program that demands a key while its service needs none. */
const isPlaceholder = (value: string): boolean => {
  const words = value.toLowerCase().split(/[-_. ]+/);
  return words.some((word) => HOLDERS.has(word)) && words.every((word) => HOLDERS.has(word) || FILLERS.has(word));
};
const HOLDERS = new Set('dummy placeholder changeme change none unused needed required example'.split(' '));
const FILLERS = new Set(['api', 'key', 'apikey', 'token', 'sk', 'no', 'not', 'me', 'this', 'your', 'my', 'here']);

/** The searched secrets: pieces of one length by hash, and the few shorter ones one by one. */
interface Matcher {
  /** The length of the longest searched text. */
  readonly longest: number;
  /** Marks every character that belongs to a secret. */
  marks(text: string): Uint8Array | undefined;
  /** How many characters at the end may begin a secret. */
  openEnd(text: string): number;
}

const BASE = 0x01_00_01_93;
const BITS = 16;

function matcherOf(secrets: readonly string[]): Matcher | undefined {
  if (secrets.length === 0) return undefined;
  const pieces = new Set<string>();
  /** Pieces that an encoding makes longer, by their first characters, of which the rolling hash is made. */
  const longer = new Map<string, string[]>();
  const wholes = new Set<string>();
  const spellings = new Set<string>();
  for (const secret of secrets) {
    const areWords = isWords(secret);
    for (const [spelling, signs] of listSecretSpellings(secret)) {
      spellings.add(spelling);
      if (areWords || signs.length < PIECE) wholes.add(spelling);
      let from = 0;
      let to = signs.slice(0, PIECE - 1).join('').length;
      for (let at = 0; at + PIECE <= signs.length; at += 1) {
        to += signs[at + PIECE - 1]?.length ?? 0;
        const piece = spelling.slice(from, to);
        from += signs[at]?.length ?? 0;
        if (!isVaried(piece) || (areWords && ONE_WORD.test(piece))) continue;
        if (piece.length === PIECE) pieces.add(piece);
        else addLonger(longer, piece);
      }
    }
  }
  const hashes = new Uint8Array(1 << BITS);
  for (const start of [...pieces, ...longer.keys()]) hashes[slotOf(hashOf(start))] = 1;
  const everything = [...spellings].join('\uffff'); // no byte has this character
  let longest = PIECE;
  for (const whole of wholes) longest = Math.max(longest, whole.length);
  for (const known of longer.values()) for (const piece of known) longest = Math.max(longest, piece.length);
  return {
    longest,
    marks(text) {
      let marks: Uint8Array | undefined;
      const mark = (from: number, length: number): void => {
        marks ??= new Uint8Array(text.length);
        marks.fill(1, from, from + length);
      };
      for (const whole of wholes)
        for (let at = text.indexOf(whole); at !== -1; at = text.indexOf(whole, at + 1)) mark(at, whole.length);
      let hash = 0;
      for (let at = 0; at < text.length; at += 1) {
        const gone = at >= PIECE ? Math.imul(text.charCodeAt(at - PIECE), OLDEST) : 0;
        hash = (Math.imul(hash, BASE) + text.charCodeAt(at) - gone) | 0;
        if (at < PIECE - 1 || hashes[slotOf(hash)] === 0) continue;
        const from = at - PIECE + 1;
        const start = text.slice(from, at + 1);
        if (pieces.has(start)) mark(from, PIECE);
        for (const piece of longer.get(start) ?? []) if (text.startsWith(piece, from)) mark(from, piece.length);
      }
      return marks;
    },
    openEnd(text) {
      // Of all prefixes of a secret that can end the text, each shorter one also ends it: stop at the first that does
      // not.
      let open = 0;
      while (open < longest - 1 && open < text.length && everything.includes(text.slice(text.length - open - 1)))
        open += 1;
      return open;
    },
  };
}

function addLonger(longer: Map<string, string[]>, piece: string): void {
  const start = piece.slice(0, PIECE);
  const known = longer.get(start);
  if (known === undefined) longer.set(start, [piece]);
  else if (!known.includes(piece)) known.push(piece);
}

/** The weight of a character that leaves the window. */
const OLDEST = Array.from({ length: PIECE }).reduce<number>((power) => Math.imul(power, BASE), 1);
const slotOf = (hash: number): number => Math.imul(hash, 0x9e_37_79_b1) >>> (32 - BITS);

function hashOf(piece: string): number {
  let hash = 0;
  for (let at = 0; at < piece.length; at += 1) hash = (Math.imul(hash, BASE) + piece.charCodeAt(at)) | 0;
  return hash;
}

/** The stretches of marked characters. */
function listMarked(text: string, marks: Uint8Array | undefined): readonly string[] {
  if (marks === undefined) return [];
  const found: string[] = [];
  let at = marks.indexOf(1);
  while (at !== -1) {
    const end = marks.indexOf(0, at);
    found.push(text.slice(at, end === -1 ? undefined : end));
    at = end === -1 ? -1 : marks.indexOf(1, end);
  }
  return found;
}

/** A part of a text with marked characters as stars; `isIn`: the character before it was marked. */
function maskedBetween(text: string, marks: Uint8Array | undefined, from: number, to: number, isIn: boolean): string {
  if (marks === undefined) return text.slice(from, to);
  let shown = '';
  let at = from;
  let isMarked = isIn;
  while (at < to) {
    const next = marks.indexOf(marks[at] === 1 ? 0 : 1, at);
    const end = next === -1 ? to : Math.min(next, to);
    if (marks[at] === 0) shown += text.slice(at, end);
    else if (!isMarked) shown += STARS;
    isMarked = marks[at] === 1;
    at = end;
  }
  return shown;
}

/** Bytes are handled as characters of one byte; the possible beginning of a secret waits for the next piece. */
function streamOf(matcher: Matcher): ReturnType<KnownSecrets['stream']> {
  let text = '';
  /** This part was returned already, and is kept because a secret may reach into it. */
  let given = 0;
  let isIn = false;
  const give = (more: string, isEnd: boolean): Uint8Array => {
    text += more;
    const open = isEnd ? 0 : matcher.openEnd(text);
    const upTo = Math.max(given, text.length - open);
    const marks = matcher.marks(text);
    const shown = maskedBetween(text, marks, given, upTo, isIn);
    if (upTo > given) isIn = marks?.[upTo - 1] === 1;
    const kept = Math.max(0, upTo - matcher.longest);
    text = text.slice(kept);
    given = upTo - kept;
    return Uint8Array.from(shown, (sign) => sign.charCodeAt(0));
  };
  return {
    write: (chunk) => give(bytesToLatin1(chunk), false),
    end: () => give('', true),
  };
}

let remembered: { readonly values: ReadonlySet<string>; readonly known: KnownSecrets } = {
  values: new Set(),
  known: createSecretMasker([]),
};

/** Adds secrets to mask from now on, in everything that this process stores, shows and passes on. */
export function rememberSecrets(values: Iterable<string>): void {
  const all = new Set([...remembered.values, ...values]);
  if (all.size > remembered.values.size) remembered = { values: all, known: createSecretMasker(all) };
}

/** A masker for the remembered secrets and these. */
export const withRemembered = (values: readonly string[]): KnownSecrets =>
  createSecretMasker([...remembered.values, ...values]);

/** A text without the remembered secrets. */
export const maskKnown = (text: string): string => remembered.known.mask(text);

/** The stretches of a text that `maskKnown` masks. */
export const findKnown = (text: string): readonly string[] => remembered.known.find(text);

/** A value with all its texts and keys masked. */
export const maskKnownIn = <Value>(value: Value): Value => mapTexts(value, maskKnown, maskKnown);

/**
 * The spellings of a secret in a text, plain and in the usual encodings, each with its parts: one for each character of
 * the secret, or for each of hex and base64. Their number is bounded: most are equal for most secrets.
 */
function listSecretSpellings(secret: string): ReadonlyMap<string, readonly string[]> {
  const signs = Array.from(secret);
  const bytes = toBytes(secret);
  const hex = bytes.replaceAll(/[^]/g, (sign) => sign.charCodeAt(0).toString(16).padStart(2, '0'));
  const spellings = new Map<string, readonly string[]>();
  const add = (parts: readonly string[]): void => {
    const text = parts.join('');
    spellings.set(text, parts);
    // A text may also be read as bytes, one character each.
    const asBytes = toBytes(text);
    if (asBytes !== text) spellings.set(asBytes, parts.map(toBytes));
  };
  add(signs);
  for (const toCase of [toLower, toUpper]) add(signs.map((sign) => toPercent(sign, toCase)));
  const special = [...new Set(signs)].filter((sign) => !/\w/.test(sign));
  const seen = new Set<string>();
  for (const encode of special.length === 0 ? [] : ENCODERS) {
    const encoded = new Map(special.map((sign) => [sign, encode(sign)]));
    const all = [...encoded.values()].join('\uffff');
    if (!seen.has(all)) add(signs.map((sign) => encoded.get(sign) ?? sign));
    seen.add(all);
  }
  for (const text of [hex, hex.toUpperCase(), ...[0, 1, 2].flatMap((before) => toBase64(bytes, before))])
    add(text.split(''));
  return spellings;
}

/** Writes one character of a secret that is no letter, digit or underscore. */
type SignEncoder = (sign: string) => string;

/** What is escaped beyond the necessary: nothing, as by Go, Python, both, .NET and Gson. */
const ESCAPED_IN_JSON = [/(?!)/, /[&<>]/, /[^\0-~]/, /[&<>]|[^\0-~]/, /[&<>"'+`]|[^\0-~]/, /[&<>'=]/];

const IN_JSON: readonly SignEncoder[] = ESCAPED_IN_JSON.flatMap((escaped) =>
  ['/', String.raw`\/`].flatMap((slash) =>
    [toLower, toUpper].map((toCase) => (sign: string) => {
      if (sign === '/') return slash;
      if (!escaped.test(sign)) return JSON.stringify(sign).slice(1, -1);
      const units = sign.split('').map((unit) => toCase(unit.charCodeAt(0).toString(16)).padStart(4, '0'));
      return units.map((unit) => `\\u${unit}`).join('');
    }),
  ),
);

const QUOTES = ['"', '&quot;', '&#34;', '&#x22;'];
const APOSTROPHES = ["'", '&apos;', '&#39;', '&#039;', '&#x27;'];
const NAMED = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const DECIMAL = { '&': '&#38;', '<': '&#60;', '>': '&#62;', '"': '&#34;', "'": '&#39;' };
const HEX = { '&': '&#x26;', '<': '&#x3c;', '>': '&#x3e;', '"': '&#x22;', "'": '&#x27;' };

const IN_HTML: readonly SignEncoder[] = [
  DECIMAL,
  HEX,
  { ...HEX, '<': '&#x3C;', '>': '&#x3E;' },
  ...QUOTES.flatMap((quote) => APOSTROPHES.map((apostrophe) => ({ ...NAMED, '"': quote, "'": apostrophe }))),
].map((entities: Readonly<Record<string, string>>) => (sign) => entities[sign] ?? sign);

/** What is kept beside letters and digits: by JavaScript, RFC 3986, forms, Python, PHP, and for whole addresses. */
const KEPT_IN_URLS = [/[\w.!~*'()-]/, /[\w.~-]/, /[\w.*-]/, /[\w.~/-]/, /[\w.-]/, /[\w.!~*'();,/?:@&=+$#-]/];

const IN_URLS: readonly SignEncoder[] = KEPT_IN_URLS.flatMap((kept) =>
  ['%20', '+'].flatMap((space) =>
    [toLower, toUpper].map(
      (toCase) => (sign: string) => (sign === ' ' ? space : kept.test(sign) ? sign : toPercent(sign, toCase)),
    ),
  ),
);

const ENCODERS = [...IN_JSON, ...IN_HTML, ...IN_URLS];

function toPercent(sign: string, toCase: (code: string) => string): string {
  const bytes = toBytes(sign).split('');
  return bytes.map((byte) => `%${toCase(byte.charCodeAt(0).toString(16).padStart(2, '0'))}`).join('');
}
function toLower(text: string): string {
  return text.toLowerCase();
}
function toUpper(text: string): string {
  return text.toUpperCase();
}

/** The part of its base64 that depends only on the secret, for this many bytes before it: 0, 1 or 2 of every three. */
function toBase64(bytes: string, before: number): readonly string[] {
  const from = Math.ceil((before * 8) / 6);
  const to = Math.floor(((before + bytes.length) * 8) / 6);
  const sure = btoa('\0'.repeat(before) + bytes).slice(from, to);
  return [sure, sure.replaceAll('+', '-').replaceAll('/', '_')];
}

const ENCODER = new TextEncoder();
function toBytes(text: string): string {
  return bytesToLatin1(ENCODER.encode(text));
}

/** Bytes as a text with one character each. */
function bytesToLatin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += STRIDE) text += String.fromCharCode(...bytes.subarray(at, at + STRIDE));
  return text;
}

/** A safe number of arguments of a call. */
const STRIDE = 8192;
