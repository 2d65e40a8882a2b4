import { describe, test } from 'vitest';
import { casesFolder, differences, readCases } from './run-cases.ts';
import { ELSEWHERE, RUNNERS } from './runners/index.ts';

const ONLY = (process.env['ANDON_CASES_ONLY'] ?? '').split(',').filter((feature) => feature !== '');

for (const { feature, rows } of readCases(casesFolder(process.env), ONLY)) {
  const runner = RUNNERS[feature];

  describe(feature, () => {
    for (const { expected, supersededBy, ...given } of rows) {
      test(given.id, async ({ skip }) => {
        if (runner === undefined) return skip('no runner yet');
        if (supersededBy !== undefined) return skip(supersededBy);
        const elsewhere = ELSEWHERE[feature]?.(given);
        if (elsewhere !== undefined) return skip(elsewhere);
        const found = differences(expected, await runner(given));
        if (found.length > 0) throw new Error(found.join('\n'));
      });
    }
  });
}
