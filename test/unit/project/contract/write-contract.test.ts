import { readFileSync } from 'node:fs';
import * as fc from '../../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { STATUSES } from '../../../../src/base/names.ts';
import { parseContract, type ParsedContract } from '../../../../src/project/contract/task-contract-schema.ts';
import { writeContract, type ContractStatusView } from '../../../../src/project/contract/write-contract.ts';
import { anyCharacter } from '../../../support/any-character.ts';

type Json = Record<string, Record<string, unknown>>;

const folder = 'contracts/examples';
const examples = ['doc-001-auth-merge', 'minimal', 'schema-2'].map((name) =>
  readFileSync(`${folder}/${name}.json`, 'utf8'),
);
const example = (name: string): ParsedContract => parsed(readFileSync(`${folder}/${name}.json`, 'utf8'));
const versionOne = example('doc-001-auth-merge');
const versionTwo = example('schema-2');

const view: ContractStatusView = {
  status: 'review_in_progress',
  status_reason: 'the judge is reading',
  attempt: 2,
  timestamps: { created_at: '2026-01-16T12:00:00Z', updated_at: '2026-01-16T12:30:00Z' },
  handoff_data: {
    implementer_notes: 'merged',
    changed_files: ['docs/auth_final.md'],
    diff_summary: '',
    local_review_passed: null,
    local_review_issues: [],
  },
  breaker: {
    status: 'armed',
    rebuttal_count: 1,
    triggered_by: null,
    trigger_reason: null,
    review_cycle_count: 3,
    tokens_used: 1200,
    cost_usd: 0.02,
  },
  history: [
    {
      at: '2026-01-16T12:10:00Z',
      event: 'claimed',
      from: 'pending_judge_review',
      to: 'review_in_progress',
      reason: '',
    },
  ],
  history_omitted: 0,
};

function parsed(text: string): ParsedContract {
  const read = parseContract(text);
  if (!read.ok) throw new Error(`refused: ${JSON.stringify(read.why)}`);
  return read.value;
}

const written = (contract: ParsedContract, change: Partial<ContractStatusView> = {}): Json =>
  JSON.parse(writeContract(contract.document, { ...view, ...change })) as Json;

const line = fc.string({ unit: anyCharacter, maxLength: 20 });
const anyView: fc.Arbitrary<ContractStatusView> = fc.record({
  status: fc.constantFrom(...STATUSES),
  status_reason: line,
  attempt: fc.nat(),
  timestamps: fc.record({ created_at: line, updated_at: line }),
  handoff_data: fc.record({
    implementer_notes: line,
    changed_files: fc.array(line),
    artifacts: fc.option(fc.array(line), { nil: undefined }),
    diff_summary: line,
    local_review_passed: fc.option(fc.boolean()),
    local_review_issues: fc.array(line),
  }),
  breaker: fc.record({
    status: fc.constantFrom('armed', 'tripped'),
    rebuttal_count: fc.nat(),
    triggered_by: fc.option(line),
    trigger_reason: fc.option(line),
    review_cycle_count: fc.nat(),
    tokens_used: fc.option(fc.nat(), { nil: undefined }),
    cost_usd: fc.option(fc.double({ min: 0, max: 1000, noNaN: true }), { nil: undefined }),
  }),
  history: fc.array(fc.record({ at: line, event: line, from: line, to: line, reason: line }), { maxLength: 5 }),
  history_omitted: fc.nat(),
});

describe('a contract written back', () => {
  it('means the same as before, whatever andon has to say about it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...examples), anyView, (text, anything) => {
        const before = parsed(text);
        const after = parsed(writeContract(before.document, anything));
        expect(after.contract).toStrictEqual(before.contract);
        expect(writeContract(after.document, anything)).toBe(writeContract(before.document, anything));
      }),
    );
  });

  it('names the papers where they are, whatever path the user wrote', () => {
    const document = { ...versionOne.document, handoff_data: { judge_report_path: '_handoff/reports/mine.md' } };
    expect(JSON.parse(writeContract(document, view))).toMatchObject({
      handoff_data: { judge_report_path: '_handoff/JUDGE_REPORT.md', rebuttal_path: '_handoff/REBUTTAL.md' },
    });
  });

  it('keeps the keys, their order and everything the user wrote', () => {
    const document = { ...versionOne.document, 'x-team': { b: 1, a: [2] }, metadata: null };
    const text = writeContract(document, view);
    expect(Object.keys(JSON.parse(text) as Json)).toStrictEqual(Object.keys(document));
    expect(JSON.parse(text)).toMatchObject({
      'x-team': { b: 1, a: [2] },
      metadata: null,
      constraints: versionOne.document['constraints'],
      specification: versionOne.document['specification'],
    });
    expect(text.endsWith('\n}\n')).toBe(true);
    expect(text).toContain('\n  "schema_version"');
  });

  it("names the judge's work as its version does, in the status and in the history", () => {
    const [one, two] = [written(versionOne), written(versionTwo)];
    expect([one['status'], one['history']?.[0]]).toMatchObject(['review_in_progress', { to: 'review_in_progress' }]);
    expect([two['status'], two['history']?.[0]]).toMatchObject([
      'judge_review_in_progress',
      { to: 'judge_review_in_progress' },
    ]);
  });

  it('carries the fields of 2.0 only in 2.0', () => {
    const change = {
      breaker: { ...view.breaker, status: 'tripped', triggered_by: 'budget', trigger_reason: 'over' },
      handoff_data: {
        ...view.handoff_data,
        diff_summary: '+1',
        local_review_passed: true,
        local_review_issues: ['nit'],
      },
    } as const;
    const two = written(versionTwo, change);
    expect(two).toMatchObject({
      attempt: 2,
      last_transition_id: 'tr-001',
      breaker: {
        status: 'tripped',
        triggered_by: 'budget',
        trigger_reason: 'over',
        rebuttal_count: 1,
        review_cycle_count: 3,
        tokens_used: 1200,
        cost_usd: 0.02,
        max_delete_ratio: 0.02,
      },
      handoff_data: { diff_summary: '+1', local_review_passed: true, local_review_issues: ['nit'] },
    });
    const one = written(versionOne, change);
    expect(one['breaker']).toStrictEqual({ status: 'tripped', rebuttal_count: 1, max_delete_ratio: 0.05 });
    expect(Object.keys(one)).not.toContain('attempt');
    expect(Object.keys(one['handoff_data'] ?? {})).toStrictEqual(
      Object.keys((versionOne.document as Json)['handoff_data'] ?? {}),
    );
  });

  it('updates a field of 2.0 that its 1.0 user wrote', () => {
    const document = { ...versionOne.document, attempt: 9 };
    expect(JSON.parse(writeContract(document, view))).toMatchObject({ attempt: 2 });
  });

  it('says nothing about tokens and money that nobody measured', () => {
    const breaker =
      written(versionTwo, { breaker: { ...view.breaker, tokens_used: undefined, cost_usd: undefined } })['breaker'] ??
      {};
    expect(Object.keys(breaker)).not.toContain('tokens_used');
    expect(Object.keys(breaker)).not.toContain('cost_usd');
  });

  it('says how much history it leaves out only when it does', () => {
    expect(Object.keys(written(versionOne))).not.toContain('history_omitted');
    expect(written(versionTwo, { history_omitted: 12 })).toMatchObject({
      history_omitted: 12,
      last_transition_id: 'tr-013',
    });
  });

  it('gives a minimal contract every part', () => {
    expect(written(example('minimal'))).toMatchObject({
      status: 'review_in_progress',
      timestamps: { created_at: '2026-01-16T12:00:00Z', updated_at: '2026-01-16T12:30:00Z' },
      handoff_data: { changed_files: ['docs/auth_final.md'], judge_report_json: '_handoff/JUDGE_REPORT.json' },
      breaker: { status: 'armed', rebuttal_count: 1 },
    });
  });

  it('leaves the document it was given as it was', () => {
    const before = structuredClone(versionTwo.document);
    writeContract(versionTwo.document, view);
    expect(versionTwo.document).toStrictEqual(before);
  });
});
