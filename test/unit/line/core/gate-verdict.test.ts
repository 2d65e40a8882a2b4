import { describe, expect, it } from 'vitest';
import type { BaseRun, GateConsent } from '../../../../src/line/record/base-run.ts';
import { gateKey, type TaskGate } from '../../../../src/project/contract/gate.ts';
import { judgeGate, findUnansweredRed, listUncovered, type RanAfter } from '../../../../src/line/core/gate-verdict.ts';
import { NO_GRANTS } from '../../../../src/line/core/grants.ts';
import { TREE, aGate, aGateRun, aJudgedRecord } from '../../../support/records.ts';

const gate = (changes: Partial<TaskGate> = {}): TaskGate => ({
  name: 'tests',
  run: 'npm test',
  timeoutMinutes: 10,
  of: 'project',
  ...changes,
});
const base = (outcome: BaseRun['outcome']): BaseRun => ({ outcome, exit: 1, ms: 5, output: '' });
const after = (outcome: RanAfter['outcome'], lost?: readonly string[]): RanAfter => ({
  outcome,
  exit: outcome === 'green' ? 0 : 1,
  ms: 5,
  output: '',
  lost,
});
const consent = (changes: Partial<GateConsent> = {}): GateConsent => ({
  gate: 'tests',
  run: 'npm test',
  tree: TREE,
  way: 'test by test',
  ...changes,
});

describe('a gate after the change', () => {
  it.each(['green', 'red', 'flaky', 'impossible'] as const)('that is red blocks, the base being %s', (before) => {
    for (const of of ['project', 'contract'] as const)
      for (const way of [undefined, 'made green'] as const)
        expect(judgeGate(gate({ of }), after('red'), base(before), way)).toMatchObject({
          outcome: 'red',
          blocks: true,
        });
  });

  it('that gives differing answers lets nothing pass', () => {
    expect(judgeGate(gate(), after('flaky'), base('flaky'), 'made green')).toMatchObject({
      outcome: 'flaky',
      blocks: true,
      why: expect.stringContaining('flaky') as unknown,
    });
  });

  it('of a contract may have been red or impossible before', () => {
    for (const before of ['red', 'impossible', 'green'] as const)
      expect(judgeGate(gate({ of: 'contract' }), after('green'), base(before), undefined).blocks).toBe(false);
  });

  it.each([
    ['red', false],
    ['impossible', false],
    ['green', true],
    ['flaky', true],
  ] as const)('that must fail before and was %s there: blocks %s', (before, blocks) => {
    const one = gate({ of: 'contract', mustFailBefore: true });
    expect(judgeGate(one, after('green'), base(before), undefined).blocks).toBe(blocks);
  });
});

describe('a gate that is compared test by test', () => {
  const compared = (ran: RanAfter) => judgeGate(gate(), ran, base('red'), 'test by test');

  it('may stay red as long as no test is lost, and says so', () => {
    expect(compared(after('red', []))).toMatchObject({ outcome: 'red', blocks: false, consent: 'test by test' });
  });

  it('blocks where a test is red or missing that was green, even if it is green as a whole', () => {
    expect(compared(after('red', ['one (failed)'])).blocks).toBe(true);
    expect(compared(after('green', ['one (missing)']))).toMatchObject({ outcome: 'red', blocks: true });
  });

  it('blocks where its results cannot be read', () => {
    for (const outcome of ['red', 'green'] as const) expect(compared(after(outcome)).blocks).toBe(true);
  });

  it('is none of the contract: that one must be green', () => {
    expect(judgeGate(gate({ of: 'contract' }), after('red', []), base('red'), 'test by test').blocks).toBe(true);
  });
});

describe('what stands in the way of a merge', () => {
  const judged = (result: Parameters<typeof aGate>[0], consents: readonly GateConsent[] = []) =>
    aJudgedRecord({ gates: aGateRun(aGate(result)), grants: { ...NO_GRANTS, gates: consents } });

  it('is every gate that is not green and that no consent covers, whatever an older andon wrote of it', () => {
    expect(listUncovered(judged({}))).toEqual([]);
    for (const outcome of ['red', 'error', 'flaky'] as const)
      expect(listUncovered(judged({ outcome, base: 'red', blocks: false }))).toHaveLength(1);
    const forged = { outcome: 'red', base: 'red', blocks: false, consent: 'test by test' } as const;
    expect(listUncovered(judged(forged))).toHaveLength(1);
    expect(listUncovered(judged(forged, [consent()]))).toEqual([]);
    expect(listUncovered(judged(forged, [consent({ way: 'made green' })]))).toHaveLength(1);
  });
});

describe('before the change', () => {
  const runs = new Map([[gateKey(gate()), base('red')]]);

  it('a gate of the project that is not green waits for a human, on this very tree', () => {
    expect(findUnansweredRed([gate()], runs, [], TREE)).toHaveLength(1);
    expect(findUnansweredRed([gate()], runs, [consent()], TREE)).toEqual([]);
    expect(findUnansweredRed([gate()], runs, [consent({ tree: 'another' })], TREE)).toHaveLength(1);
    expect(findUnansweredRed([gate({ run: 'npm run other' })], runs, [consent()], TREE)).toHaveLength(1);
  });

  it('a gate of the contract with the same name says nothing about it', () => {
    const both = new Map([...runs, [gateKey(gate({ of: 'contract' })), base('green')] as const]);
    expect(findUnansweredRed([gate(), gate({ of: 'contract' })], both, [], TREE)).toEqual([gate()]);
  });

  it('a gate of the contract, or one that must fail, does not', () => {
    expect(findUnansweredRed([gate({ of: 'contract' }), gate({ mustFailBefore: true })], runs, [], TREE)).toEqual([]);
  });
});
