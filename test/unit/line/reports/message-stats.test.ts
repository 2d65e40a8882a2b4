import { describe, expect, it } from 'vitest';
import { countTalk } from '../../../../src/line/reports/message-stats.ts';
import { called, moved } from '../../../support/records.ts';

const ruling = (message: string) => ({
  moment: 'review' as const,
  phase: 'REVIEW' as const,
  score: 0,
  unchecked: [],
  found: [
    {
      rule: 'praising_review',
      title: 'x',
      priority: 'P1' as const,
      handler: 'QUICK_FIX' as const,
      hard: false,
      does: 'quick_fix' as const,
      message,
      fingerprint: 'review:praising_review',
    },
  ],
});

describe('what agents said', () => {
  it('is counted by worker, with what went back, why, and what it cost', () => {
    const review = { station: 'local-reviewer' as const, tokensIn: 100, tokensOut: 20 };
    const back = {
      rulings: [ruling('[SYSTEM] Response rejected: contains praise/flattery. Restate with results only.')],
    };
    const todos = [
      { text: 'one', state: 'evidence' as const },
      { text: 'two', state: 'pending' as const },
    ];
    const totals = countTalk([
      [
        called({ station: 'implementer' }),
        moved('code_written', 'pending_implementer', 'pending_local_review', { todos }),
        called(review),
        moved('review_unreadable', 'pending_local_review', 'pending_local_review', back),
        called(review),
        moved('local_pass', 'pending_local_review', 'pending_judge_review'),
      ],
    ]);
    expect(totals.workers.find(({ station }) => station === 'local-reviewer')).toMatchObject({
      answers: 2,
      sent_back: 1,
      praise: 1,
      tokens_kept_back: 20,
      tokens_again: 120,
    });
    expect(totals).toMatchObject({ tasks: 1, flattery_ratio: 1 / 3, unverified_completions: 0.5, retries_per_task: 1 });
  });

  it('counts an unreadable answer of the implementer as sent back, but no call that failed', () => {
    const strike = { strike: { station: 'implementer', kind: 'unreadable', why: 'no file in it' } } as const;
    const back = moved('strike', 'pending_implementer', 'pending_implementer', strike);
    expect(countTalk([[called(), back, called({ ok: false }), back]]).workers).toMatchObject([
      { answers: 1, sent_back: 1 },
    ]);
  });

  it('is nothing where nobody has said anything', () => {
    expect(countTalk([])).toMatchObject({ tasks: 0, workers: [], flattery_ratio: null, retries_per_task: null });
  });
});
