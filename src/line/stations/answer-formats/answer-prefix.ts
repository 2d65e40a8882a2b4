/** The characters of a long answer that are parsed first. */
const FIRST_LOOK = 256 * 1024;

/**
 * The start of a long answer in whole lines; undefined where later text may turn it into a thought. A limit that it
 * exceeds, the answer exceeds too.
 */
export function takePrefix(text: string): string | undefined {
  const end = text.length > 2 * FIRST_LOOK ? text.lastIndexOf('\n', FIRST_LOOK) : -1;
  if (end < 1 || text.includes('</think>', end) || /^\s*Thinking\.\.\./.test(text.slice(0, end))) return undefined;
  return text.slice(0, end);
}
