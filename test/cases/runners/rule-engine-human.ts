import { readLocalReview } from '../../../src/line/stations/local-reviewer.ts';
import { haltedBy } from '../../support/halts.ts';
import { forbids, ruleFile } from '../../support/rule-files.ts';
import { writes } from '../../support/scenario.ts';
import { PATH, version } from '../../support/versions.ts';
import type { Facts } from '../run-cases.ts';

/** A human who waives a P0 rule at its halt with this reason. */
export async function overridden({ reason }: Facts): Promise<Facts> {
  const match = { on: 'added_lines', pattern: 'FORBIDDEN' };
  const rule = forbids('ROW', 'FORBIDDEN', { severity: 'CRITICAL', match });
  const { factory } = await haltedBy('rule_violation', {
    files: { '.andon/rules/row.yaml': ruleFile(rule) },
    scenario: { implementer: [writes({ [PATH]: `${version(1)}FORBIDDEN\n` })] },
  });
  const { code } = await factory.andon('resume', 'DOC-001', '--path', '2', '--reason', String(reason));
  return { refused: code === 2 && factory.isHalted() };
}

/** What a reviewer's own words come to. */
export function reviewed({ review }: Facts): Facts {
  const read = readLocalReview(String(review));
  return { verdict: read.ok ? read.value.verdict : 'unreadable' };
}
