import { encode } from 'uqr';
import { describe, expect, it } from 'vitest';
import { canBeReached, drawQrCode, traceQrCode } from '../../../../src/app/web/qr-code.ts';

const LINK = `https://board.example.org/in?token=${'aB3_'.repeat(10)}xyz`;
const DARK: Readonly<Record<string, readonly [boolean, boolean]>> = {
  ' ': [true, true],
  '▀': [false, true],
  '▄': [true, false],
  '█': [false, false],
};

describe('a QR code', () => {
  const { size, data } = encode(LINK, { border: 2 });
  const modules = data.map((row) => row.map((isDark) => (isDark ? '#' : '.')).join(''));

  it('has the same modules in a picture and in a terminal', () => {
    const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => '.'));
    const { path, size: drawn } = traceQrCode(LINK);
    for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
      rows[Number(y)]?.fill('#', Number(x), Number(x) + Number(width));
    expect(drawn).toBe(size);
    expect(rows.map((row) => row.join(''))).toEqual(modules);
    const lines = drawQrCode(LINK).flatMap((line) => {
      const pairs = Array.from(line, (character) => DARK[character] ?? []);
      return [0, 1].map((half) => pairs.map((pair) => (pair[half] === true ? '#' : '.')).join(''));
    });
    expect(lines.slice(0, size)).toEqual(modules);
  });

  it('is for an address that another machine can reach', () => {
    for (const host of ['127.0.0.1:7390', 'localhost:7390', '[::1]:7390', '127.0.0.2'])
      expect(canBeReached(`http://${host}/in?token=x`), host).toBe(false);
    for (const host of ['192.168.1.20:7390', 'board.example.org', '[fd00::1]:7390'])
      expect(canBeReached(`http://${host}/in?token=x`), host).toBe(true);
  });
});
