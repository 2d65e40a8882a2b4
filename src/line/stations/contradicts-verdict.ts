const WORDS = '(?:PASS(?:ED)?|FAIL(?:ED)?|CONDITIONAL|CRITICAL[_ -]?HALT|NEEDS[_ -]REVIEW)';
const SIGNS = '[\\s"\'`*_|]*';
/** `**Verdict:** FAIL`, `"grade": "CONDITIONAL"`, `verdict is not a pass`, `verdict on this change: fail` */
const MARKED = new RegExp(
  `\\b(?:verdict|grade)\\b(?: (?:on|for|of) [\\w ]{1,40})?${SIGNS}(?:[:=–—-]|(?:is|was|remains|(?:would|must|should) be)\\b)${SIGNS}(?:now |still |therefore |a |an |clearly )*(not\\b[^.\\n]{0,20}PASS|${WORDS})(?![\\w-])`,
  'gi',
);
/** `FAIL. The change removes the check.`, `My verdict FAIL`; in capitals, because gates fail as well. */
const CAPITALS = new RegExp(`(?:^[ \\t*_#>-]*|\\b[Vv]erdict )(${WORDS})(?![\\w-])`, 'gm');
/** `I would not say PASS`, `I cannot PASS this`. */
const REFUSED = /(?:\bnot|n['’]t|\bnever|\bcannot|\brefuse)\s+(?:(?!so |therefore |hence |thus )\w+\s+){0,4}PASS\b/;

/**
 * Whether the text around a report takes back its PASS. Other verdicts are not asked about: a PASS is the one that merges.
 */
export function contradictsVerdict(verdict: string | undefined, around: string): boolean {
  if (verdict?.trim().toUpperCase() !== 'PASS') return false;
  const stated = [MARKED, CAPITALS].flatMap((form) => [...around.matchAll(form)].map(([, word = '']) => word));
  return stated.some((word) => !/^pass/i.test(word)) || REFUSED.test(around);
}
