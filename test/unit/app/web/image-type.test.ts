import { describe, expect, it } from 'vitest';
import { typeOfImage } from '../../../../src/app/web/image-type.ts';

const typeOf = (start: string): string | undefined => typeOfImage(Uint8Array.from(start, (char) => char.charCodeAt(0)));

describe('the type of an image', () => {
  it.each([
    ['image/png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
    ['image/gif', 'GIF89a\x03\0\x02\0'],
    ['image/webp', 'RIFF\0\0\0\0WEBPVP8X'],
    ['image/webp', 'RIFF\0\0\0\0WEBPVP8L'],
    ['image/webp', 'RIFF\0\0\0\0WEBPVP8 '],
    ['image/jpeg', '\xff\xd8\xff\xe0'],
  ])('is %s by its first bytes', (type, start) => {
    expect(typeOf(start)).toBe(type);
  });

  it.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['HTML behind the start of a GIF', 'GIF<script>alert(1)</script>'],
    ['nothing', ''],
  ])('is unknown for %s', (_, start) => {
    expect(typeOf(start)).toBeUndefined();
  });
});
