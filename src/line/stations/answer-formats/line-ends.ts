import { diffArrays } from 'diff';

/** More differences than this are no edit of the old lines. */
const MOST_DIFFERENCES = 4000;

export const stripCarriageReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line);

/**
 * Restores line ends in a file that mixes `\n` and `\r\n`: unchanged lines keep their own, new ones take the majority.
 * Lines are without `\n`; a Windows end is a trailing `\r`.
 */
export function keepLineEnds(fresh: readonly string[], old: readonly string[], isWindows: boolean): readonly string[] {
  let at = 0;
  return differences(old.map(stripCarriageReturn), fresh).flatMap(({ value, added, removed }) => {
    if (added) return isWindows ? value.map((line) => `${line}\r`) : value;
    const from = at;
    at += value.length;
    return removed ? [] : old.slice(from, at);
  });
}

interface Difference {
  readonly value: readonly string[];
  readonly added: boolean;
  readonly removed: boolean;
}

/** Equal lines at both ends match; the middle uses the least difference. */
function differences(old: readonly string[], fresh: readonly string[]): readonly Difference[] {
  const shorter = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < shorter && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const [gone, come] = [old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail)];
  const between: readonly Difference[] = diffArrays(gone, come, { maxEditLength: MOST_DIFFERENCES }) ?? [
    { value: gone, added: false, removed: true },
    { value: come, added: true, removed: false },
  ];
  const same = (value: readonly string[]): Difference => ({ value, added: false, removed: false });
  return [same(old.slice(0, head)), ...between, same(old.slice(old.length - tail))];
}
