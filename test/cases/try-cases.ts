import { describe, test } from 'vitest';
import { ELSEWHERE, RUNNERS } from './runners/index.ts';
import { casesFolder, differences, readCases, ruledAsOurs } from './run-cases.ts';

const ONLY = (process.env['ANDON_CASES_ONLY'] ?? '').split(',').filter((feature) => feature !== '');
/** So many files share the features, so that several workers try them side by side. */
const SHARES = 4;
/** Features of whose rows each starts a whole line; `npm test` tries so many of each, the thorough tests the others. */
const WHOLE_LINES = [
  'breakers',
  'contract',
  'draft-gate',
  'git-flow',
  'halt',
  'model-output',
  'rule-engine',
  'transition-log',
  'two-strike',
];
const ROWS_OF_WHOLE_LINES = 1;
/** Rows that start vitest. */
const SLOW_ROWS = ['cost-budget-tests-isolated'];

/** Tries the features whose turn it is: of every `SHARES`, the one at this place. */
export function tryCases(share: number): void {
  const folder = casesFolder(process.env);
  const files = ruledAsOurs(readCases(folder, ONLY), readCases(import.meta.dirname));
  const lines = folder === import.meta.dirname ? WHOLE_LINES : []; // of cases from elsewhere every row was asked for
  const mine = files.filter((_, at) => at % SHARES === share);
  if (mine.length === 0) test.skip('nothing of what was asked for is in this share');
  for (const { feature, rows } of mine) {
    const runner = RUNNERS[feature];

    describe(feature, () => {
      for (const [at, { expected, supersededBy, ...given }] of rows.entries()) {
        const isSlow = SLOW_ROWS.includes(given.id) || (lines.includes(feature) && at >= ROWS_OF_WHOLE_LINES);
        const tags = isSlow ? 'thorough' : [];
        test(given.id, { tags }, async ({ skip }) => {
          const elsewhere = ELSEWHERE[feature]?.(given);
          const reason = supersededBy ?? elsewhere;
          if (reason !== undefined) return skip(reason);
          if (runner === undefined) return skip('no runner yet');
          const found = differences(expected, await runner(given));
          if (found.length > 0) throw new Error(found.join('\n'));
        });
      }
    });
  }
}
