import { describe, expect, it } from 'vitest';
import { parseContract } from '../../../../src/project/contract/task-contract-schema.ts';
import { renderContract, renderTransition } from '../../../../src/line/words/contract-document.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import {
  AT,
  DOCUMENT,
  aContract,
  aFinding,
  aHalt,
  aJudgedRecord,
  aRecord,
  aReview,
  moved,
} from '../../../support/records.ts';

const faceOf = (record: TaskRecord): Record<string, unknown> =>
  JSON.parse(renderContract(record)) as Record<string, unknown>;
const history = (count: number): TaskRecord['history'] =>
  Array.from({ length: count }, (_, at) => ({
    at: AT,
    event: 'gate_red',
    from: 'pending_implementer',
    to: 'pending_implementer',
    reason: `e${at}`,
  }));

const STORIES: readonly (readonly [string, TaskRecord])[] = [
  ['just admitted', aRecord()],
  ['judged', aJudgedRecord({ history: history(3) })],
  ['halted', aJudgedRecord({ status: 'erik_consultation', halt: aHalt(), history: history(80) })],
  ['reviewed with findings', aJudgedRecord({ review: aReview({ verdict: 'FAIL', findings: [aFinding()] }) })],
  ['of unknown cost', aJudgedRecord({ spent: { usd: 1, tokens: 2, minutes: 3, unknownUsd: 1, unknownTokens: 1 } })],
  ['merged', aJudgedRecord({ status: 'merged', merge: { commit: 'c', tip: 't', target: 'refs/heads/main' } })],
];

describe('the contract that andon writes back', () => {
  it.each(STORIES)('is a contract that andon reads as the same one, when %s', (_, record) => {
    const parsed = parseContract(renderContract(record));
    expect(parsed.ok ? [] : parsed.why).toEqual([]);
    if (parsed.ok) expect(parsed.value.contract).toEqual(aContract());
  });

  it.each(STORIES)('is the same text every time, when %s: its digest is the seal', (_, record) => {
    expect(renderContract(structuredClone(record))).toBe(renderContract(record));
  });

  it('reads back in the spelling of schema 2.0 too', () => {
    const document = { ...DOCUMENT, schema_version: '2.0', complexity: 'minor' };
    const parsed = parseContract(renderContract(aJudgedRecord({ document, status: 'review_in_progress' })));
    expect(parsed.ok ? [] : parsed.why).toEqual([]);
  });

  it('keeps what the user wrote and shows where the task stands', () => {
    const face = faceOf(aJudgedRecord({ status: 'erik_consultation', halt: aHalt(), rebuttals: 3 }));
    expect(face).toMatchObject({
      task_id: 'DOC-001',
      status: 'erik_consultation',
      specification: DOCUMENT['specification'],
      breaker: { status: 'tripped', rebuttal_count: 3 },
    });
  });

  it('shows the newest fifty transitions and how many came before', () => {
    const face = faceOf(aJudgedRecord({ history: history(80) }));
    expect(face['history']).toHaveLength(50);
    expect(face['history_omitted']).toBe(30);
    expect(JSON.stringify(face['history'])).toContain('e79');
  });
});

describe('a line of transition.ndjson', () => {
  it('is one line of JSON, whatever the reason holds', () => {
    const record = aJudgedRecord({ spent: { usd: 0.1 + 0.2, tokens: 1, minutes: 1, unknownUsd: 0, unknownTokens: 0 } });
    const entry = { ...moved('fail_agree', 'review_complete', 'pending_implementer'), reason: 'a\nb\u2028c' };
    const text = renderTransition(record, entry, { seq: 7, hash: 'h' });
    expect(text).not.toContain('\n');
    expect(JSON.parse(text)).toEqual({
      timestamp: AT,
      task_id: 'DOC-001',
      event: 'fail_agree',
      old_status: 'review_complete',
      new_status: 'pending_implementer',
      status_reason: 'a\nb\u2028c',
      attempt: 1,
      cumulative_cost_usd: 0.3,
      sequence: 7,
      hash: 'h',
    });
  });

  it('says null, never zero, for a cost that nobody knows', () => {
    const record = aJudgedRecord({ spent: { usd: 0, tokens: 0, minutes: 0, unknownUsd: 1, unknownTokens: 1 } });
    expect(
      JSON.parse(renderTransition(record, moved('strike', 'merged', 'merged'), { seq: 1, hash: '' })),
    ).toMatchObject({
      cumulative_cost_usd: null,
    });
  });
});
