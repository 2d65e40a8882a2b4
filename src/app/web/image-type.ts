/** A larger image is not shown, */
export const MOST_IMAGE_BYTES = 4_000_000;
/** nor one of more pixels: a browser needs four bytes for each, however small the file is. */
const MOST_PIXELS = 25_000_000;

type Size = readonly [width: number, height: number];

/** The content type of an image that a browser may show, by its first bytes and never by its name. */
export function typeOfImage(bytes: Uint8Array): string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const { type, start, size } of KINDS) {
    if (!start.test(String.fromCharCode(...bytes.subarray(0, 16)))) continue;
    const [width, height] = bytes.length < 30 ? [0, 0] : size(view);
    return width > 0 && height > 0 && width * height <= MOST_PIXELS ? type : undefined;
  }
  return undefined;
}

const KINDS: readonly { readonly type: string; readonly start: RegExp; readonly size: (view: DataView) => Size }[] = [
  {
    type: 'image/png',
    start: /^\x89PNG\r\n\x1a\n/,
    size: (view) => [view.getUint32(16), view.getUint32(20)],
  },
  {
    type: 'image/gif',
    start: /^GIF8[79]a/,
    size: (view) => [view.getUint16(6, true), view.getUint16(8, true)],
  },
  { type: 'image/webp', start: /^RIFF[^]{4}WEBPVP8[ LX]/, size: sizeOfWebp },
  { type: 'image/jpeg', start: /^\xff\xd8\xff/, size: sizeOfJpeg },
];

/** Lossy, lossless and extended files have it in different places. */
function sizeOfWebp(view: DataView): Size {
  const form = String.fromCharCode(view.getUint8(15));
  if (form === ' ') return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
  if (form === 'L') {
    const bits = view.getUint32(21, true);
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
  }
  return [(view.getUint32(24, true) & 0xffffff) + 1, (view.getUint32(26, true) >>> 8) + 1];
}

/** It is in the segment that starts a frame; the segments before it are skipped. */
function sizeOfJpeg(view: DataView): Size {
  for (let at = 2; at + 9 < view.byteLength && view.getUint8(at) === 0xff; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)];
  }
  return [0, 0];
}
