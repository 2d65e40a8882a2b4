import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openJournal } from '../../../../src/line/journal/sqlite-journal.ts';
import { explain } from '../../../../src/line/core/step.ts';
import { renderContract } from '../../../../src/line/words/contract-document.ts';
import { renderHalt } from '../../../../src/line/halts/halt-report.ts';
import { foldJournal } from '../../../../src/line/core/fold-journal.ts';
import { viewTask } from '../../../../src/line/words/view-task.ts';
import { AT, BASE, COMMIT, DIGEST, DOCUMENT, TREE, aContract } from '../../../support/records.ts';

/** Rows as the first andon wrote them: fewer fields, one `tries` for every failure, a blocked merge as a bare text. */
const moved = (event: string, from: string, to: string, facts: object): object => ({
  kind: 'moved',
  at: AT,
  event,
  from,
  to,
  reason: event,
  facts,
});
const call = { at: AT, station: 'implementer', call: 1, agent: 'ollama', model: 'qwen2.5-coder' };
const change = {
  attempt: 1,
  commit: COMMIT,
  tree: TREE,
  base: BASE,
  files: [{ path: 'docs/guide.md', status: 'added', oldMode: '000000', newMode: '100644', added: 10, deleted: 0 }],
  added: 10,
  deleted: 0,
  lost: 0,
  projectLines: null,
  notes: '',
};
const finding = { source: 'judge', severity: 'high', category: 'style', description: 'ugly', security: false };
const report = {
  tree: TREE,
  commit: COMMIT,
  contractDigest: DIGEST,
  said: 'FAIL',
  verdict: 'FAIL',
  why: '',
  summary: 'No.',
  blocking: [finding],
  fixes: [],
  suggestions: [],
  securityFlags: [],
  evidence: [],
  digest: DIGEST,
};
const paths = (to: string): object[] => [
  { title: 'Try again', does: 'One more try.', effect: { to, tries: 1 } },
  { title: 'Abandon the task', does: 'The task ends here.', effect: { to: 'abandoned' } },
];
const bend = { kind: 'skipped', what: 'skipped tests 0 -> 1', files: ['a.test.js'], mark: DIGEST };
const NO_TESTS = { tests: 0, assertions: 0, skipped: 0 };
const strike = { station: 'implementer', kind: 'crash', why: 'it died' };
const halt = (id: string, breaker: string, reason: string, statusBefore: string): object => ({
  id,
  trip: { breaker, reason, sides: [] },
  also: [],
  paths: paths(statusBefore),
  statusBefore,
  tree: null,
});
const WORK = 'pending_implementer';
const HALTED = 'erik_consultation';
const { hardLimitMinutes: _newer, ...limits } = aContract().limits as unknown as Record<string, unknown>;
const { implementers: _list, ...others } = aContract().roles;
const roles = { implementer: 'qwen2.5-coder', ...others };
const ROWS: readonly object[] = [
  {
    kind: 'admitted',
    at: AT,
    document: DOCUMENT,
    digest: DIGEST,
    target: 'refs/heads/main',
    base: BASE,
    notices: [],
    contract: { ...aContract(), limits, roles },
  },
  { kind: 'started', ...call, prompt: DIGEST, idleMinutes: 10, hardMinutes: 60, reserveUsd: null },
  { kind: 'called', ...call, ok: false, why: 'it died', tokensIn: null, tokensOut: null, usd: 0, ms: 10, exit: 1 },
  moved('strike', WORK, WORK, { strike }),
  moved('strike', WORK, HALTED, {
    strike,
    halt: halt('DOC-001-1', 'stalled', 'implementer: 2 failures in a row, the last: it died', WORK),
  }),
  moved('resume', HALTED, WORK, {
    choice: { halt: 'DOC-001-1', path: 1, by: 'erik', how: 'andon resume', effect: { to: WORK, tries: 1 } },
  }),
  moved('gate_weakened', WORK, WORK, {
    change,
    bending: { tree: TREE, bends: [bend], notes: [], before: NO_TESTS, after: NO_TESTS },
    feedback: [{ from: 'bending', text: 'skipped tests 0 -> 1' }],
  }),
  moved('code_written', WORK, 'pending_local_review', { change, gates: { tree: TREE, cage: 'none', results: [] } }),
  moved('review_unreadable', 'pending_local_review', 'pending_local_review', { panelAgain: ['sec'] }),
  moved('local_pass', 'pending_local_review', 'pending_judge_review', {
    review: { tree: TREE, verdict: 'PASS', critical: false, findings: [] },
  }),
  moved('review_started', 'pending_judge_review', 'review_in_progress', {}),
  moved('judge_complete', 'review_in_progress', 'review_complete', { report }),
  moved('fail_disagree', 'review_complete', 'pending_judge_review', { rebuttal: ['the file is there'] }),
  moved('review_started', 'pending_judge_review', 'review_in_progress', {}),
  moved('judge_complete', 'review_in_progress', 'review_complete', { report }),
  { kind: 'interrupted', at: AT, station: 'judge', call: 2, usd: null },
  moved('tampered', 'review_complete', HALTED, {
    tampered: { found: '', expected: DIGEST, edited: null },
    halt: halt(
      'DOC-001-2',
      'contract_tampered',
      'the contract was changed on disk while the task was running',
      'review_complete',
    ),
  }),
  moved('resume', HALTED, 'review_complete', {
    choice: { halt: 'DOC-001-2', path: 2, by: 'erik', how: 'andon resume', effect: { to: 'review_complete' } },
  }),
  moved('merge_blocked', 'review_complete', HALTED, {
    mergeBlocked: 'main moved',
    halt: halt('DOC-001-3', 'merge_blocked', 'main moved', 'review_complete'),
  }),
];

/** A journal file with these rows and the chain that covers them. */
function journalOf(rows: readonly object[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'older-journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'journal.sqlite');
  openJournal(file).close();
  const db = new DatabaseSync(file);
  const insert = db.prepare('INSERT INTO entries (seq, task_id, body, hash) VALUES (?, ?, ?, ?)');
  let before = '0'.repeat(64);
  for (const [at, row] of rows.entries()) {
    const body = JSON.stringify(row);
    const seq = at + 1;
    before = createHash('sha256').update(`${before}\n${seq}\nDOC-001\n${body}`).digest('hex');
    insert.run(seq, 'DOC-001', body, before);
  }
  db.close();
  return file;
}

describe('a journal that an older andon wrote', () => {
  it('is whole, folds into a record, and gives the same answers again', () => {
    const journal = openJournal(journalOf(ROWS), { readOnly: true });
    onTestFinished(() => journal.close());
    expect(journal.verify()).toBeUndefined();
    const entries = journal.entries('DOC-001');
    expect(entries).toHaveLength(ROWS.length);
    const record = foldJournal(entries);
    expect(record).toMatchObject({ status: HALTED, attempt: 1, halts: 3, grants: { stallTries: 1, scopeTries: 1 } });
    expect(record?.contract.roles).toEqual({ implementers: ['qwen2.5-coder'], ...others });
    expect(record).toMatchObject({ takeovers: [], inARow: { red: 0, fail: 0 } });
    expect(record).toMatchObject({
      timesWeakened: 1,
      feedback: expect.arrayContaining([{ from: 'weakening', text: 'skipped tests 0 -> 1' }]) as unknown,
    });
    const told = explain(entries);
    expect(told.filter(({ recorded }) => recorded.length > 0).map(({ recorded }) => recorded)).toEqual([
      ['stalled'],
      ['contract_tampered'],
      ['merge_blocked'],
    ]);
    expect(told.filter(({ same }) => !same)).toEqual([]);
  });

  it('can be shown, halted report and contract included', () => {
    const journal = openJournal(journalOf(ROWS), { readOnly: true });
    onTestFinished(() => journal.close());
    const record = foldJournal(journal.entries('DOC-001'));
    if (record?.halt === undefined) throw new Error('the task is halted');
    expect(renderHalt(record, record.halt, '')).toContain('main moved');
    expect(renderContract(record)).toContain('erik_consultation');
    expect(viewTask(record).halt?.breaker).toBe('merge_blocked');
  });
});
