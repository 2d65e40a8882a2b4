/** `My verdict is FAIL.`, `"verdict": "FAIL"`, `**Grade:** CONDITIONAL` */
const STATED =
  /\b(?:verdict|grade)\b[\W_]{0,8}(?:(?:is|was|remains|(?:would|must|should) be)\b[\W_]{0,8})?(pass|fail|conditional|critical[_ -]halt)/gi;
/** `I would not say PASS`, `I cannot PASS this`; in capitals, because tests pass as well. */
const REFUSED = /(?:\bnot|n['’]t|\bnever|\bcannot|\brefuse)\s+(?:\w+\s+){0,4}PASS\b/;

/**
 * Whether the text around a report takes back its PASS. Other verdicts are not asked about: a PASS is the one that merges.
 */
export function contradictsVerdict(verdict: string | undefined, around: string): boolean {
  if (verdict?.trim().toUpperCase() !== 'PASS') return false;
  const stated = [...around.matchAll(STATED)].map(([, word = '']) => word.toLowerCase());
  return stated.some((word) => word !== 'pass') || REFUSED.test(around);
}
