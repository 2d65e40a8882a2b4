import { readReview } from '../../../src/line/panel/create-question.ts';
import { computeConsensus, type Vote } from '../../../src/line/panel/consensus.ts';
import { aFactory } from '../../support/factory.ts';
import { haltedBy } from '../../support/halts.ts';
import { forbids, ruleFile } from '../../support/rule-files.ts';
import { writes } from '../../support/scenario.ts';
import { PATH, version } from '../../support/versions.ts';
import { isFacts, type Facts } from '../run-cases.ts';

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

/** What humans may want that andon has no command for: whoever asks is refused, and there are no roles. */
export const NOBODY_MAY: readonly unknown[] = ['force_approve', 'skip_review', 'delete_audit_line'];

/** Such a wish, as the command and as the way out of a halt that it would be. */
export async function wished({ action }: Facts): Promise<Facts> {
  const factory = await aFactory();
  const word = String(action).replaceAll('_', '-');
  const asked = [await factory.andon(word, 'DOC-001'), await factory.andon('resume', 'DOC-001', `--${word}`)];
  return { refused: asked.every(({ code }) => code === 2) };
}

/** What a reviewer's own words come to. */
export function reviewed({ review }: Facts): Facts {
  const read = readReview({ text: String(review) });
  return { verdict: read.ok ? read.value.verdict : 'unreadable' };
}

/** What the reviews of phases come to together. */
export function together({ phases }: Facts): Facts {
  const votes = Object.entries(isFacts(phases) ? phases : {}).map(([agent, said]): Vote => ({
    agent,
    roles: [],
    said: SAID.get(said) ?? 'NO_VOTE',
  }));
  return { ready_to_commit: computeConsensus(votes).status === 'PASS' };
}

const SAID: ReadonlyMap<unknown, Vote['said']> = new Map([
  ['APPROVED', 'PASS'],
  ['PASS', 'PASS'],
  ['REJECTED', 'VIOLATED'],
  ['FAIL', 'VIOLATED'],
]);
