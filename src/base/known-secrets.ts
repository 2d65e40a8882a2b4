import { mapTexts } from './map-texts.ts';
import { isOrdinaryPath } from './random-text.ts';

/** Masks known secrets, and pieces of them, in any usual encoding. */
export interface KnownSecrets {
  /** The text with every secret, and every piece of 12 characters, as three stars. */
  mask(text: string): string;
  /** The same for bytes in chunks; secrets across chunks are found. */
  stream(): { write(chunk: Uint8Array): Uint8Array; end(): Uint8Array };
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
  const secrets = [...new Set([...values].map((value) => value.trim()))].filter(isMaskable);
  const matcher = matcherOf(secrets);
  return {
    mask: (text) => (matcher === undefined ? text : maskedBetween(text, matcher.marks(text), 0, text.length, false)),
    stream: () => (matcher === undefined ? UNCHANGED : streamOf(matcher)),
  };
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
  const wholes = new Set<string>();
  for (const secret of secrets) {
    const areWords = isWords(secret);
    for (const spelling of listSecretSpellings(secret)) {
      if (areWords || spelling.length < PIECE) wholes.add(spelling);
      for (let at = 0; at + PIECE <= spelling.length; at += 1) {
        const piece = spelling.slice(at, at + PIECE);
        if (isVaried(piece) && !(areWords && ONE_WORD.test(piece))) pieces.add(piece);
      }
    }
  }
  const hashes = new Uint8Array(1 << BITS);
  for (const piece of pieces) hashes[slotOf(hashOf(piece))] = 1;
  const everything = secrets.flatMap((secret) => [...listSecretSpellings(secret)]).join('\uffff'); // no byte has this character
  const longest = Math.max(PIECE, ...[...wholes].map(({ length }) => length));
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
        if (pieces.has(text.slice(at - PIECE + 1, at + 1))) mark(at - PIECE + 1, PIECE);
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

/** The weight of a character that leaves the window. */
const OLDEST = Array.from({ length: PIECE }).reduce<number>((power) => Math.imul(power, BASE), 1);
const slotOf = (hash: number): number => Math.imul(hash, 0x9e_37_79_b1) >>> (32 - BITS);

function hashOf(piece: string): number {
  let hash = 0;
  for (let at = 0; at < piece.length; at += 1) hash = (Math.imul(hash, BASE) + piece.charCodeAt(at)) | 0;
  return hash;
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

/** A value with all its texts and keys masked. */
export const maskKnownIn = <Value>(value: Value): Value => mapTexts(value, maskKnown, maskKnown);

/** The spellings of a secret in a text: plain, and in the usual encodings. */
function listSecretSpellings(secret: string): ReadonlySet<string> {
  const bytes = toBytes(secret);
  const hex = bytes.replaceAll(/[^]/g, (sign) => sign.charCodeAt(0).toString(16).padStart(2, '0'));
  const percent = encodeURIComponent(secret);
  const inJson = JSON.stringify(secret).slice(1, -1);
  const spellings = new Set([
    secret,
    inJson,
    inJson.replaceAll('/', String.raw`\/`),
    toHtml(secret),
    percent,
    percent.replaceAll(/%../g, (code) => code.toLowerCase()),
    percent.replaceAll('%20', '+'),
    hex.replaceAll(/../g, '%$&'),
    hex.toUpperCase().replaceAll(/../g, '%$&'),
    hex,
    hex.toUpperCase(),
    ...[0, 1, 2].flatMap((before) => toBase64(bytes, before)),
  ]);
  // A text may also be read as bytes, one character each.
  return new Set([...spellings].flatMap((one) => [one, toBytes(one)]));
}

const toHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The part of its base64 that depends only on the secret, for this many bytes before it: 0, 1 or 2 of every three. */
function toBase64(bytes: string, before: number): readonly string[] {
  const from = Math.ceil((before * 8) / 6);
  const to = Math.floor(((before + bytes.length) * 8) / 6);
  const sure = btoa('\0'.repeat(before) + bytes).slice(from, to);
  return [sure, sure.replaceAll('+', '-').replaceAll('/', '_')];
}

const ENCODER = new TextEncoder();
const toBytes = (text: string): string => bytesToLatin1(ENCODER.encode(text));

/** Bytes as a text with one character each. */
function bytesToLatin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += STRIDE) text += String.fromCharCode(...bytes.subarray(at, at + STRIDE));
  return text;
}

/** A safe number of arguments of a call. */
const STRIDE = 8192;
