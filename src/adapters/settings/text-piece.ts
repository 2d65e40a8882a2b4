import type { TextPiece } from '../../ports/work-folders.ts';

/** The longest that a character of UTF-8 is, in bytes. */
const LONGEST = 4;

/** What of some bytes of a text is whole characters; a character that is cut at the end belongs to the next piece. */
export function wholeCharacters(
  { bytes, total }: { readonly bytes: Uint8Array; readonly total: number },
  asked: number,
): TextPiece {
  const from = Math.min(asked, total);
  const end = from + bytes.length < total ? bytes.length - cutAtEnd(bytes) : bytes.length;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, end));
  return { text, from, to: from + end, total };
}

/** How many bytes at the end begin a character that does not end there; none where the bytes are no UTF-8. */
function cutAtEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(LONGEST, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < lengthOf(byte) ? back : 0;
  }
  return 0;
}

const lengthOf = (lead: number): number => (lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2);
