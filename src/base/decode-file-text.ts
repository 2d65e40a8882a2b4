/** The readable text of a file. */
interface ReadText {
  readonly text: string;
  /** It is no text: these are its readable pieces, one a line. */
  readonly isPieces: boolean;
}

/**
 * Reads any file, so that no encoding evades a rule: UTF-8, UTF-16 with or without a mark, text with zero bytes, and of
 * anything else the readable pieces.
 */
export function decodeFileText(bytes: Uint8Array): ReadText {
  const wide = encodingOf(bytes);
  if (wide !== undefined) return { text: withoutZeros(new TextDecoder(wide).decode(bytes)), isPieces: false };
  const text = new TextDecoder('utf-8').decode(bytes);
  if (!text.includes('\0')) return { text, isPieces: false };
  return isMostlyText(text)
    ? { text: withoutZeros(text), isPieces: false }
    : { text: pieces(bytes, text), isPieces: true };
}

/** A zero byte neither ends a line nor joins words. */
const withoutZeros = (text: string): string => text.replaceAll('\0', ' ');

/** UTF-16 by its mark, or by zeros in every second byte of its beginning. */
function encodingOf(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe && !(third === 0 && fourth === 0)) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const head = bytes.subarray(0, HEAD);
  if (head.length < 4 || head.length % 2 !== 0) return undefined;
  const zeros = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros.map((count) => (count * 2) / head.length);
  if (odd > MANY && even < FEW) return 'utf-16le';
  return even > MANY && odd < FEW ? 'utf-16be' : undefined;
}

const HEAD = 8000;
const MANY = 0.7;
const FEW = 0.02;

function isMostlyText(text: string): boolean {
  const strange = text.match(STRANGE)?.length ?? 0;
  return strange <= text.length * 0.1;
}

const STRANGE = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u007f-\u009f\ufffd]/g;

/** As `strings` prints a program: readable pieces of a minimum length, in one or two bytes a character. */
function pieces(bytes: Uint8Array, text: string): string {
  const raw = new TextDecoder('latin1').decode(bytes);
  const narrow = text.match(/[^\p{C}\p{Zl}\p{Zp}\ufffd]{6,}/gu) ?? [];
  const wide = raw.match(/(?:[\x20-\x7e\t]\0){6,}|(?:\0[\x20-\x7e\t]){6,}/g) ?? [];
  return [...narrow, ...wide.map((piece) => piece.replaceAll('\0', ''))].join('\n');
}

/** Bytes as text where all of them are UTF-8, without a leading mark; undefined otherwise. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return STRICT.decode(bytes);
  } catch {
    return undefined;
  }
}

const STRICT = new TextDecoder('utf-8', { fatal: true });
