/** The first version in a line, such as 0.169.0 in `codex-cli 0.169.0`; undefined when there is none. */
export const versionIn = (line: string): string | undefined => /\d+(?:\.\d+){1,3}/.exec(line)?.[0];

/** Whether a version comes before another; parts that are left out are 0. */
export function isOlder(version: string, than: string): boolean {
  const [ours, theirs] = [version, than].map((one) => one.split('.').map(Number)) as [number[], number[]];
  for (let at = 0; at < Math.max(ours.length, theirs.length); at += 1) {
    const [one = 0, other = 0] = [ours[at], theirs[at]];
    if (one !== other) return one < other;
  }
  return false;
}
