import { describe, expect, it } from 'vitest';
import { typeOfImage } from '../../../../src/app/web/image-type.ts';

const bytesOf = (start: string, ...rest: readonly number[]): Uint8Array =>
  Uint8Array.from([
    ...Array.from(start, (char) => char.charCodeAt(0)),
    ...rest,
    ...Array.from({ length: 40 }, () => 0),
  ]);

const png = (width: number, height: number): Uint8Array => {
  const bytes = bytesOf('\x89PNG\r\n\x1a\n');
  new DataView(bytes.buffer).setUint32(16, width);
  new DataView(bytes.buffer).setUint32(20, height);
  return bytes;
};

describe('the type of an image', () => {
  it.each([
    ['image/png', png(3, 2)],
    ['image/gif', bytesOf('GIF89a', 3, 0, 2, 0)],
    ['image/webp', bytesOf('RIFF\0\0\0\0WEBPVP8X', 10, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 1, 0, 0)],
    ['image/webp', bytesOf('RIFF\0\0\0\0WEBPVP8L', 10, 0, 0, 0, 0x2f, 2, 0x40, 0, 0)],
    ['image/webp', bytesOf('RIFF\0\0\0\0WEBPVP8 ', 10, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 3, 0, 2, 0)],
    ['image/jpeg', bytesOf('\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08\0\x02\0\x03')],
  ])('is %s by its first bytes', (type, bytes) => {
    expect(typeOfImage(bytes)).toBe(type);
  });

  it.each([
    ['an SVG', bytesOf('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['HTML behind the start of a GIF', bytesOf('GIF<script>alert(1)</script>')],
    ['nothing', new Uint8Array()],
    ['a start alone', bytesOf('\x89PNG\r\n\x1a\n').subarray(0, 12)],
    ['a JPEG that ends before its size', bytesOf('\xff\xd8\xff\xe0\xff\xff')],
    ['a PNG of more pixels than a browser should hold', png(60_000, 60_000)],
  ])('is unknown for %s', (_, bytes) => {
    expect(typeOfImage(bytes)).toBeUndefined();
  });
});
