import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether a secret is the one that is expected; compared by digests, so that the time it takes says nothing. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
