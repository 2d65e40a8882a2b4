/** A short, stable hash of a text (FNV-1a, twice with different seeds); not for security. */
export function fingerprint(text: string): string {
  let [high, low] = [0x811c9dc5, 0x01000193];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x85ebca6b);
  }
  return ((high >>> 0) * 0x100000 + ((low >>> 0) & 0xfffff)).toString(36);
}
