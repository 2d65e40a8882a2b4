/** Compares names by their UTF-8 bytes, as git does; only letters beyond U+FFFF differ from JavaScript's order. */
export function compareBytes(one: string, other: string): number {
  if (one === other) return 0;
  const least = Math.min(one.length, other.length);
  for (let at = 0; at < least; at += 1) {
    const left = one.charCodeAt(at); // destructuring an array here would make one per letter
    const right = other.charCodeAt(at);
    if (left !== right) return rank(left) - rank(right);
  }
  return one.length - other.length;
}

/** A surrogate (a letter beyond U+FFFF) sorts after all other letters. */
const rank = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

/** The index of a name in a list in this order, or where it belongs. */
export function findInsertionPoint(things: readonly { readonly path: string }[], path: string): number {
  let [low, high] = [0, things.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareBytes(things[middle]?.path ?? '', path) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
