import { encode, renderUnicodeCompact } from 'uqr';
import { isLoopback } from '../../base/is-loopback.ts';
import type { QrCodePicture } from './api-types.ts';

/** A scanner needs this many white modules around the code. */
const BORDER = 2;

/** Whether another machine can reach this address. */
export const canBeReached = (url: string): boolean => !isLoopback(new URL(url).hostname);

/** A QR code as lines for a terminal: light modules are drawn, so it is read on a dark background. */
export const drawQrCode = (text: string): readonly string[] =>
  renderUnicodeCompact(text, { border: BORDER }).split('\n');

/** A QR code as the path of an SVG picture; each run of dark modules is a rectangle. */
export function traceQrCode(text: string): QrCodePicture {
  const { size, data } = encode(text, { border: BORDER });
  const runs = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => {
      if (!isDark || row[x - 1] === true) return [];
      const end = row.indexOf(false, x);
      const width = (end === -1 ? size : end) - x;
      return [`M${x} ${y}h${width}v1h-${width}z`];
    }),
  );
  return { size, path: runs.join('') };
}
