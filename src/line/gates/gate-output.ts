/** How much of a gate's output is kept as evidence: beginning, end, and what tells of failures between them. */
export const KEPT_CHARACTERS = 6000;
/** Characters at each end of it in which the failing lines are looked for. */
const LOOKED_AT = 256 * 1024;
/** The last lines of a setup command that failed. */
const KEPT_LINES = 60;

/** Only both ends of an endless output are read: splitting two megabytes into lines takes a hundred. */
export const getEnds = (output: string): string =>
  output.length <= 2 * LOOKED_AT ? output : `${output.slice(0, LOOKED_AT)}\n…\n${output.slice(-LOOKED_AT)}`;

export function getTail(output: string): string {
  return output.trimEnd().slice(-KEPT_CHARACTERS).split('\n').slice(-KEPT_LINES).join('\n');
}
