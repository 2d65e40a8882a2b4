/** Characters of a long answer that are looked at before the rest of it. */
const FIRST_LOOK = 256 * 1024;

/**
 * The beginning of a long answer, in whole lines; undefined where what comes later may make a thought of it. What it
 * holds too much of, the answer holds too much of.
 */
export function beginningOf(text: string): string | undefined {
  const end = text.length > 2 * FIRST_LOOK ? text.lastIndexOf('\n', FIRST_LOOK) : -1;
  if (end < 1 || text.includes('</think>', end) || /^\s*Thinking\.\.\./.test(text.slice(0, end))) return undefined;
  return text.slice(0, end);
}
