/** A larger image is not shown. */
export const MOST_IMAGE_BYTES = 4_000_000;

/** The content type of an image that a browser may show, by its first bytes and never by its name. */
export function typeOfImage(bytes: Uint8Array): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 16));
  return KINDS.find(([, form]) => form.test(start))?.[0];
}

const KINDS: readonly (readonly [type: string, start: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBPVP8[ LX]/],
  ['image/jpeg', /^\xff\xd8\xff/],
];
