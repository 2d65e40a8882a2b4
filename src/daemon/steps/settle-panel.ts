import { profileNamed } from '../../config/agent-profiles.ts';
import { settle } from '../../line/panel/settle.ts';
import { standing, summaryOf } from '../../line/panel/summary.ts';
import type { LocalOpinion } from '../../line/stations/local-reviewer.ts';
import type { LineRecord } from '../../record/line-record.ts';
import type { PanelSummary } from '../../record/panel.ts';
import type { Services } from '../wiring/services.ts';
import type { StepOutcome } from '../wiring/step-log.ts';

/** What a panel comes to, as one reviewer would have said it. */
export type PanelOpinion = LocalOpinion & { readonly panel: PanelSummary };

/** One opinion out of all that the reviewers said; without a quorum those without a vote are asked anew, as after a strike. */
export function settlePanel(
  { profiles, settings }: Pick<Services, 'profiles' | 'settings'>,
  { contract: { roles }, panel = [] }: LineRecord,
): { readonly opinion: PanelOpinion } | { readonly undecided: StepOutcome } {
  const members = (roles.reviewers ?? []).map((name) => ({
    name,
    roles: profileNamed(profiles, name).found?.roles ?? [],
  }));
  const settled = settle(members, panel, settings.review);
  const { status, because } = settled.consensus;
  if (status === 'UNDECIDED') {
    const why = `the panel of reviewers decides nothing: ${because}; ${[...settled.silent].map(([name, one]) => `${name}: ${one}`).join('; ')}`;
    return {
      undecided: {
        event: 'review_unreadable',
        reason: why,
        facts: {
          panelAgain: [...settled.silent.keys()],
          strike: { station: 'local-reviewer', kind: 'unreadable', why },
        },
      },
    };
  }
  const findings = standing(settled);
  return {
    opinion: {
      verdict: status === 'FAIL' ? 'FAIL' : 'PASS',
      critical: findings.some(({ security, severity }) => security && severity === 'critical'),
      findings,
      panel: summaryOf(settled),
    },
  };
}
