import { describe, expect, it } from 'vitest';
import { formatEntry } from '../../../../src/line/words/list-story.ts';
import { viewTask } from '../../../../src/line/words/view-task.ts';
import {
  AT,
  aFinding,
  aChange,
  aHalt,
  aJudgedRecord,
  aRecord,
  aReport,
  admitted,
  called,
  moved,
  started,
} from '../../../support/records.ts';

describe('the story', () => {
  it.each([
    ['an admission', admitted(), 'contract admitted: Merge the two guides; merges into main'],
    ['a call', started(), 'implementer: ollama qwen2.5-coder is working'],
    [
      'a question about a rule',
      started({ station: 'local-reviewer', model: 'deepseek-r1', lane: 2 }),
      'local-reviewer: ollama deepseek-r1 is asked about a rule',
    ],
    ['a call without a model', started({ agent: 'claude', model: '' }), 'implementer: claude is working'],
    ['an answer', called(), 'implementer: answered in 60.0 s, 100 tokens in, 20 out, no cost'],
    [
      'a failure of unknown cost',
      called({ ok: false, why: 'crash: exit 1', usd: null, tokensIn: null }),
      'implementer: crash: exit 1 in 60.0 s, tokens unknown, cost unknown',
    ],
    [
      'an interruption',
      { kind: 'interrupted', at: AT, station: 'judge', call: 1, usd: null } as const,
      'judge: the call under way was interrupted; that is not counted as a failure',
    ],
    [
      'a move',
      moved('local_pass', 'pending_local_review', 'pending_judge_review'),
      'because of local_pass; next: the judge',
    ],
    [
      'a report that nobody can read',
      moved('report_unreadable', 'review_in_progress', 'pending_judge_review'),
      'no usable report of the judge: because of report_unreadable; next: the judge',
    ],
    [
      'a change that was carried to a moved target',
      moved('target_moved', 'pending_judge_review', 'pending_implementer', {
        change: aChange(),
        targetMoved: { base: 'b'.repeat(40) },
      }),
      'because of target_moved; next: the gates',
    ],
    [
      'an answer that sides with the judge',
      moved('resume', 'erik_consultation', 'review_complete', {
        choice: { halt: 'h', path: 2, by: 'erik', how: 'x', effect: { to: 'review_complete', verdict: 'FAIL' } },
      }),
      'because of resume; next: the implementer',
    ],
    [
      'a decision of the floor manager',
      moved('fail_agree', 'review_complete', 'pending_implementer'),
      'floor manager agrees: because of fail_agree; next: the implementer',
    ],
    [
      'a halt',
      moved('fail_disagree', 'review_complete', 'erik_consultation', { halt: aHalt() }),
      'needs you: Floor manager and judge disagree: 3 rebuttals, more than the 2 allowed',
    ],
    ['a remark', { kind: 'remark', at: AT, text: 'by\u001b[31m the\nway' } as const, 'by\\u{1b}[31m the way'],
  ])('tells %s in one line', (_, entry, line) => {
    expect(formatEntry(entry)).toBe(line);
  });

  it('leaves out what only machines need', () => {
    const merging = { kind: 'merging', at: AT, target: 'refs/heads/main', old: 'a', commit: 'b', tip: 'c' } as const;
    expect(formatEntry(merging)).toBeUndefined();
  });
});

describe('a task as programs see it', () => {
  it('names what is not there yet with null', () => {
    expect(viewTask(aRecord())).toMatchObject({
      task_id: 'DOC-001',
      target: 'main',
      branch: 'task/DOC-001',
      commit: null,
      diff: null,
      verdict: null,
      working: null,
      halt: null,
      merged_as: null,
      cost_usd: 0,
    });
  });

  it('says null for a cost that nobody knows', () => {
    const spent = { usd: 1, tokens: 1, minutes: 1, unknownUsd: 1, unknownTokens: 2 };
    expect(viewTask(aRecord({ spent }))).toMatchObject({ cost_usd: null, tokens: null });
  });

  it('shows who is working, and on what', () => {
    expect(viewTask(aRecord({ openCall: started() })).working).toEqual({
      station: 'implementer',
      model: 'qwen2.5-coder',
      since: AT,
    });
    const judging = started({ station: 'judge', agent: 'claude', model: '' });
    expect(viewTask(aRecord({ openCall: judging })).working).toMatchObject({ model: 'claude' });
  });

  it('shows a halt with both paths', () => {
    expect(viewTask(aJudgedRecord({ status: 'erik_consultation', halt: aHalt() })).halt).toMatchObject({
      id: 'DOC-001-7',
      refused: null,
      send_back: 'Your comments are required fixes of the next attempt, which starts from this one.',
      breaker: 'rebuttal_limit',
      reason: '3 rebuttals, more than the 2 allowed',
      reach: 'line',
      paths: ['1: Side with the floor manager', '2: Side with the judge'],
    });
  });

  it('shows findings of reviewer and judge, and the merge only when it has happened', () => {
    const merge = { commit: 'c', tip: 't', target: 'refs/heads/main' };
    const record = aJudgedRecord({ merge, report: aReport({ verdict: 'FAIL', blocking: [aFinding()] }) });
    expect(viewTask(record)).toMatchObject({
      findings: ['[high] docs/guide.md:3 the second guide is missing'],
      diff: '1 file, +10 -0',
      gates: [{ name: 'tests', outcome: 'green' }],
      merged_as: null,
    });
    expect(viewTask({ ...record, status: 'merged' }).merged_as).toBe('c');
  });
});
