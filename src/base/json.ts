import { Scanner, Stopped } from './json-scanner.ts';
import type { JsonDocument, JsonFault } from './json-scanner.ts';
import { failure, success, type Outcome } from './outcome.ts';

export { MAX_JSON_DEPTH } from './json-scanner.ts';
export type { JsonDocument, JsonFault } from './json-scanner.ts';

/** The most UTF-8 bytes a JSON text may have. */
export const MAX_JSON_BYTES = 1_048_576;

/**
 * Reads strict JSON in one pass, in linear time: stricter than JSON.parse (no duplicate or reserved keys, at most
 * 1 MB, 64 deep, finite numbers), never more lenient but for a leading byte order mark.
 */
export function readJson(text: string): Outcome<JsonDocument, JsonFault> {
  if (isTooBig(text)) {
    const found = `more than ${MAX_JSON_BYTES} bytes`;
    return failure({ kind: 'too-big', path: '$', line: undefined, found, expected: 'at most 1 MB of JSON' });
  }
  try {
    return success(new Scanner(text).document());
  } catch (stopped) {
    if (stopped instanceof Stopped) return failure(stopped.fault);
    throw stopped;
  }
}

function isTooBig(text: string): boolean {
  if (text.length > MAX_JSON_BYTES) return true;
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isHalfOfPair = code >= 0xd800 && code <= 0xdfff;
    if (code >= 0x80) bytes += code >= 0x800 && !isHalfOfPair ? 2 : 1;
  }
  return bytes > MAX_JSON_BYTES;
}
