/** What parts of a text amount to, one below the other. */
interface TextReading {
  readonly text: string;
  /** Nothing is known of its language, whatever file it was found in. */
  readonly isEncoded: boolean;
  /** The part of the first text that a place was read from. */
  readonly originOf: (place: number) => { readonly start: number; readonly end: number };
}

/** Every other way to read a text that a program or a person would: lines without disguise, and what is encoded. */
export function listReadings(text: string): readonly TextReading[] {
  return [joined(plainLines(text), false), joined(decodedParts(text), true)].filter(({ text: read }) => read !== '');
}

interface Part {
  readonly start: number;
  readonly end: number;
  readonly read: string;
}

function joined(parts: Iterable<Part>, isEncoded: boolean): TextReading {
  const placed: (Part & { readonly at: number })[] = [];
  let text = '';
  for (const part of parts) {
    placed.push({ ...part, at: text.length });
    text += `${part.read}\n\n`;
  }
  return { text, isEncoded, originOf: (place) => placed.findLast(({ at }) => at <= place) ?? { start: 0, end: 0 } };
}

/** Zero-width and joining signs, soft hyphens, signs of direction, variation selectors, tags. */
const INVISIBLE =
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\u{e0000}-\\u{e01ef}';
/** Those signs, escapes of JSON and of addresses, and full-width letters. */
const DISGUISE = new RegExp(
  `[${INVISIBLE}]+|\\\\u00(?<code>[2-7][0-9a-fA-F])|\\\\x(?<byte>[2-7][0-9a-fA-F])|%(?<percent>[2-7][0-9a-fA-F])|(?<wide>[\\uff01-\\uff5e])`,
  'gu',
);

function* plainLines(text: string): Generator<Part> {
  let start = 0;
  for (const line of text.split('\n')) {
    const read = line.replace(DISGUISE, (...match) => plainOf(match.at(-1) as Readonly<Record<string, string>>));
    if (read !== line) yield { start, end: start + line.length, read };
    start += line.length + 1;
  }
}

function plainOf({ code, byte, percent, wide }: Readonly<Record<string, string | undefined>>): string {
  if (wide !== undefined) return String.fromCharCode(wide.charCodeAt(0) - 0xfee0);
  const digits = code ?? byte ?? percent;
  return digits === undefined ? '' : String.fromCharCode(parseInt(digits, 16));
}

/** Shorter ones hold no token and no login. What goes on over several lines is one. */
const ENCODED =
  /(?<![A-Za-z0-9+/_-])(?:(?:[0-9a-fA-F]{2}){20,}(?![A-Za-z0-9_])|[A-Za-z0-9+/_-]{40,}(?:[ \t]{0,4}\r?\n[ \t]{0,20}[A-Za-z0-9+/_-]{40,})*(?:[ \t]{0,4}\r?\n[ \t]{0,20}[A-Za-z0-9+/_-]{2,}(?=={0,2}(?:\s|$)))?={0,2})/g;

/** What long base64 and hexadecimal numbers spell, where they spell a text. */
function* decodedParts(text: string): Generator<Part> {
  for (const { 0: written, index } of text.matchAll(ENCODED)) {
    const whole = spelledBy(written.replace(/\s+/g, ''));
    if (whole !== undefined) yield { start: index, end: index + written.length, read: whole };
    else
      for (const { 0: line, index: at } of /\s/.test(written) ? written.matchAll(/\S{40,}/g) : []) {
        const read = spelledBy(line);
        if (read !== undefined) yield { start: index + at, end: index + at + line.length, read };
      }
  }
}

function spelledBy(written: string): string | undefined {
  const isHex = /^(?:[0-9a-fA-F]{2})+$/.test(written);
  const hex = isHex ? decodeText(Uint8Array.from(written.match(/../g) ?? [], (byte) => parseInt(byte, 16))) : undefined;
  return hex ?? decodeText(Uint8Array.from(bytesOfBase64(written), (byte) => byte.charCodeAt(0)));
}

/** Every character is a byte; empty where it is no base64. The alphabets of both kinds do not mix. */
function bytesOfBase64(written: string): string {
  const bare = written.replace(/=+$/, '');
  const whole = bare.length % 4 === 1 ? bare.slice(0, -1) : bare;
  return /[-_]/.test(whole) && whole.includes('/') ? '' : atob(whole.replaceAll('-', '+').replaceAll('_', '/'));
}

/** Bytes that are mostly a text in UTF-8; of UTF-16 every other byte is 0. */
function decodeText(bytes: Uint8Array): string | undefined {
  const read = bytes.filter((byte) => byte !== 0);
  const control = (some: Uint8Array): number =>
    some.filter((byte) => byte < 9 || (byte > 13 && byte < 32) || byte === 127).length;
  if (read.length < 16 || control(read.subarray(0, 64)) > 0 || control(read) * 50 > read.length) return undefined;
  return read.filter((byte) => byte > 126).length * 2 < read.length ? new TextDecoder().decode(read) : undefined;
}
