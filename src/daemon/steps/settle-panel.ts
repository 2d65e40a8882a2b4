import { findProfile } from '../../config/agent-profiles.ts';
import { settle, type PanelResult } from '../../line/panel/settle.ts';
import type { LineRecord } from '../../record/line-record.ts';
import type { Needs } from '../../wiring/services.ts';
import type { StepOutcome } from '../journal/step-journal.ts';
import { findPanel, type PanelStation } from './panel-seat.ts';

/**
 * The outcome of a panel after all answers. Without a quorum, members without a vote are asked again, as after a strike;
 * but a judge's call for a human always counts.
 */
export function settlePanel(
  { profiles, settings }: Needs<'profiles' | 'settings'>,
  record: LineRecord,
  station: PanelStation,
): { readonly settled: PanelResult } | { readonly undecided: StepOutcome } {
  const { panel = [] } = record;
  const members = (findPanel(record, station) ?? []).map((name) => ({
    name,
    roles: findProfile(profiles, name).found?.roles ?? [],
  }));
  const settled = settle(members, panel, settings.review);
  const { status, because } = settled.consensus;
  if (status !== 'UNDECIDED' || panel.some(({ report }) => report?.verdict === 'CRITICAL_HALT')) return { settled };
  const silent = [...settled.silent].map(([name, why]) => `${name}: ${why}`).join('; ');
  const reason = `the panel of ${station === 'judge' ? 'judges' : 'reviewers'} decides nothing: ${because}; ${silent}`;
  const panelAgain = [...settled.silent].map(([reviewer, why]) => ({ reviewer, why }));
  return {
    undecided:
      station === 'judge'
        ? { event: 'report_unreadable', reason, facts: { panelAgain, judgeUnreadable: reason } }
        : {
            event: 'review_unreadable',
            reason,
            facts: { panelAgain, strike: { station, kind: 'unreadable', why: reason } },
          },
  };
}
