import type { Path } from '../record/trip.ts';
import { OUTSIDE_JUDGE, type Breaker } from './breaker.ts';

/** Unreadable or unproven reports before a person is asked. */
const MAX_UNREADABLE = 3;

/** A judge without a valid, proven report cannot pass a change. */
export const unreadableReport: Breaker = {
  question: 'Did the judge give no valid and proven report three times, or pass a change that is known to be bad?',
  check(record) {
    const { canary, judgeUnreadable: why } = record.lastFacts;
    if (canary !== undefined)
      return {
        // A judge that passes a known-bad change proves nothing about any task.
        reach: 'line',
        reason: `the judge${canary.reviewer === undefined ? '' : ` ${canary.reviewer}`} passed a change that is known to be bad (${canary.flaw}), so its word about yours proves nothing; yours was not judged`,
        sides: [
          { who: 'judge', says: canary.verdict },
          { who: 'andon', says: `the change was made by andon to have ${canary.flaw}` },
        ],
        paths: [
          {
            title: 'Try the judge again',
            does: 'The judge gets another known-bad change, and yours only when it does not pass that one. Give it a better model first.',
            effect: { to: 'pending_judge_review' },
          },
          letHumanJudge({}),
        ],
      };
    if (why === undefined || record.unreadableReports < MAX_UNREADABLE + record.grants.reportTries) return undefined;
    return {
      reason: `${record.unreadableReports} reports could not be accepted, the last: ${why}`,
      sides: [{ who: 'andon, about the last report', says: why }],
      paths: [
        {
          title: 'Ask the judge again',
          does: 'The judge gets one more try.',
          effect: { to: 'pending_judge_review', reportTries: 1 },
        },
        letHumanJudge({ reportTries: 1 }),
      ],
    };
  },
};

const letHumanJudge = (more: { readonly reportTries?: number }): Path => ({
  title: 'Let a human judge',
  does: OUTSIDE_JUDGE,
  effect: { to: 'pending_judge_review', ...more, judgeOutside: true },
});
