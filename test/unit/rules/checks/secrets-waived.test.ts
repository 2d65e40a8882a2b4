import { describe, expect, it } from 'vitest';
import { checkRule } from '../../../../src/rules/run-rules.ts';
import { secrets } from '../../../../src/rules/checks/secrets.ts';
import { findingsOf } from '../../../../src/rules/enforce/findings-of.ts';
import { aResult } from '../../../support/inspections.ts';
import { CONTEXT, aFile, aRuleWith, aSubject } from '../../../support/rules.ts';

const RULE = aRuleWith({ type: 'secrets' });
/** Invented, and put together so that no scanner takes this file for a leak. */
const [ONE, OTHER] = [['k3Jd', '8sWq0Zx'].join(''), ['Vb7N', 'c4YwPq2'].join('')];
const given = (value: string) => `const a = 1;\nconst password = '${value}';\n`;

/** The fingerprints that a halt over this file would have a human waive. */
async function printsOf(path: string, text: string): Promise<readonly string[]> {
  const layers = await checkRule(RULE, aSubject([aFile(path, text)]), { context: CONTEXT });
  return findingsOf(RULE, aResult({ layers }), { surface: 'line' }).map(({ fingerprint }) => fingerprint);
}

describe('a secret that a human let stand', () => {
  it('is told by the scan before the review, and no critical flaw any more, wherever its line has moved', async () => {
    const waivedSecrets = { rules: [RULE.id], waived: await printsOf('a.ts', given(ONE)) };
    for (const text of [given(ONE), `// moved\n${given(ONE)}`])
      expect(secrets('a.ts', '', text, waivedSecrets)).toMatchObject([
        { severity: 'low', description: expect.stringContaining('which a human waived at a halt') },
      ]);
  });

  it.each([
    ['in another file', 'b.ts', ONE, RULE.id],
    ['in the same line with another value', 'a.ts', OTHER, RULE.id],
    ['when its rule is gone', 'a.ts', ONE, 'R-2'],
  ])('stays critical %s', async (_, path, value, rule) => {
    const waivedSecrets = { rules: [rule], waived: await printsOf('a.ts', given(ONE)) };
    expect(secrets(path, '', given(value), waivedSecrets)).toMatchObject([{ severity: 'critical' }]);
  });
});
