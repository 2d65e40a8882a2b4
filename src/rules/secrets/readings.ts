import type { FoundSecret } from './found-secret.ts';

/** A text that another one amounts to, and where its characters came from. */
export interface TextReading {
  readonly text: string;
  /** Nothing is known of its language, whatever file it was found in. */
  readonly isSettings: boolean;
  /** Maps a position to the first text. */
  readonly originOf: (span: FoundSecret) => FoundSecret;
}

/** Every other way to read a text that a program or a person would: without invisible signs and escapes, and decoded. */
export function listReadings(text: string): readonly TextReading[] {
  const plain = withoutDisguise(text);
  const decoded = decodedParts(text);
  return [plain, decoded].filter((reading) => reading !== undefined);
}

/** Zero-width and joining signs, soft hyphens, signs of direction, variation selectors, tags. */
const INVISIBLE =
  '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\u{e0000}-\\u{e01ef}';
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>', nbsp: ' ' };
/** Full-width letters are read as their narrow ones, so that these hide nothing either. */
const DISGUISE = new RegExp(
  `(?<none>[${INVISIBLE}]+)|\\\\u\\{?(?<code>0{0,4}(?:00[2-7][0-9a-fA-F]|[2-7][0-9a-fA-F](?=\\})|200[b-f]|00ad|feff))\\}?|\\\\x(?<byte>[2-7][0-9a-fA-F])|%(?<percent>[2-7][0-9a-fA-F])|&(?:#(?<decimal>\\d{2,3})|#x(?<hex>[2-7][0-9a-fA-F])|(?<entity>amp|quot|apos|lt|gt));|(?<wide>[\\uff01-\\uff5e])`,
  'gu',
);

function withoutDisguise(text: string): TextReading | undefined {
  const cuts: Cut[] = [];
  let read = '';
  let from = 0;
  for (const match of text.matchAll(DISGUISE)) {
    read += text.slice(from, match.index) + plainOf(match.groups ?? {});
    from = match.index + match[0].length;
    cuts.push({ read: read.length, origin: from });
  }
  if (cuts.length === 0) return undefined;
  return {
    text: read + text.slice(from),
    isSettings: false,
    originOf: (span) => ({ ...span, ...placeOf(cuts, span) }),
  };
}

/** From here on places differ by as much. */
interface Cut {
  readonly read: number;
  readonly origin: number;
}

function placeOf(cuts: readonly Cut[], { start, end }: FoundSecret): { readonly start: number; readonly end: number } {
  const at = (place: number): number => {
    const cut = cuts[countUpTo(cuts, place, ({ read }) => read) - 1];
    return cut === undefined ? place : cut.origin + place - cut.read;
  };
  return { start: at(start), end: Math.max(at(end - 1) + 1, at(start) + 1) };
}

function plainOf(groups: Readonly<Record<string, string | undefined>>): string {
  const { code, byte, percent, decimal, hex, entity, wide } = groups;
  if (entity !== undefined) return ENTITIES[entity] ?? '';
  if (wide !== undefined) return String.fromCharCode(wide.charCodeAt(0) - 0xfee0);
  const digits = code ?? byte ?? percent ?? hex;
  if (digits === undefined && decimal === undefined) return '';
  const number = digits === undefined ? Number(decimal) : parseInt(digits, 16);
  return number < 0x20 || number > 0x7e ? '' : String.fromCharCode(number);
}

/** Shorter ones hold no token and no login. What goes on over several lines is one. */
const ENCODED =
  /(?<![A-Za-z0-9+/_-])(?:(?:[0-9a-fA-F]{2}){20,}(?![A-Za-z0-9_])|[A-Za-z0-9+/_-]{40,}(?:[ \t]{0,4}\r?\n[ \t]{0,20}[A-Za-z0-9+/_-]{40,})*(?:[ \t]{0,4}\r?\n[ \t]{0,20}[A-Za-z0-9+/_-]{2,}(?=={0,2}(?:\s|$)))?={0,2})/g;
const BETWEEN = '\n\n';

/** What long base64 and hexadecimal numbers spell, one below the other; undefined when none spells a text. */
function decodedParts(text: string): TextReading | undefined {
  const parts: { readonly at: number; readonly start: number; readonly end: number }[] = [];
  let read = '';
  const add = (written: string, start: number): boolean => {
    const spelled = spelledBy(written.replace(/\s+/g, ''));
    if (spelled === undefined) return false;
    parts.push({ at: read.length, start, end: start + written.length });
    read += spelled + BETWEEN;
    return true;
  };
  for (const { 0: written, index } of text.matchAll(ENCODED)) {
    if (add(written, index) || !/\s/.test(written)) continue;
    for (const { 0: line, index: at } of written.matchAll(/\S{40,}/g)) add(line, index + at);
  }
  if (parts.length === 0) return undefined;
  return {
    text: read,
    isSettings: true,
    originOf: (span) => {
      const { start, end } = parts[countUpTo(parts, span.start, ({ at }) => at) - 1] ?? { start: 0, end: 0 };
      return { start, end, what: `${span.what}, encoded` };
    },
  };
}

/** How many of a list in order are at a place or before it. */
function countUpTo<Item>(list: readonly Item[], place: number, placeOf: (item: Item) => number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = list[middle];
    if (item !== undefined && placeOf(item) <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}

function spelledBy(written: string): string | undefined {
  const isHex = /^(?:[0-9a-fA-F]{2})+$/.test(written);
  const spelled = isHex ? asText(written.replace(/../g, (byte) => String.fromCharCode(parseInt(byte, 16)))) : undefined;
  return spelled ?? asText(bytesOfBase64(written));
}

/** Every character is a byte; empty where it is no base64. The alphabets of both kinds do not mix. */
function bytesOfBase64(written: string): string {
  const bare = written.replace(/=+$/, '');
  const whole = bare.length % 4 === 1 ? bare.slice(0, -1) : bare;
  if (/[-_]/.test(whole) && whole.includes('/')) return '';
  return atob(whole.replaceAll('-', '+').replaceAll('_', '/'));
}

/** Bytes that are mostly a text in UTF-8; of UTF-16 every other byte is 0. */
function asText(bytes: string): string | undefined {
  const read = bytes.replaceAll('\0', '');
  // eslint-disable-next-line no-control-regex
  if (read.length < 16 || /[\u0001-\u0008\u000e-\u001f\u007f]/.test(read.slice(0, 64))) return undefined;
  // eslint-disable-next-line no-control-regex
  const strange = read.match(/[\u0001-\u0008\u000e-\u001f\u007f]/g)?.length ?? 0;
  if (strange * 50 > read.length || !isMostlyAscii(read)) return undefined;
  return new TextDecoder().decode(Uint8Array.from(read, (byte) => byte.charCodeAt(0)));
}

const isMostlyAscii = (text: string): boolean => (text.match(/[^ -~\s]/g)?.length ?? 0) * 2 < text.length;
