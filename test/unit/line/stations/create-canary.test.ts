import { describe, expect, it } from 'vitest';
import { findSecrets } from '../../../../src/rules/secrets/find-secrets.ts';
import { sha256 } from '../../../../src/base/sha256.ts';
import { createCanary, SAMPLES } from '../../../../src/line/stations/create-canary.ts';
import { DESK } from '../../../../src/line/stations/weigh-quotes.ts';
import { briefJudge } from '../../../../src/line/stations/brief-judge.ts';
import { readReport } from '../../../../src/line/stations/read-judge-report.ts';
import { aGate, aGateRun, aJudgedRecord } from '../../../support/records.ts';

const digest = sha256;
const canaries = Array.from({ length: 40 }, (_, call) => createCanary(aJudgedRecord(), call, digest));

describe('a known-bad change', () => {
  it('is one of every kind, and another one at the next call', () => {
    expect(new Set(canaries.map(({ flaw }) => flaw))).toEqual(new Set(SAMPLES.map(({ flaw }) => flaw)));
    expect(new Set(canaries.map(({ record }) => record.change?.commit)).size).toBe(canaries.length);
  });

  it('is asked about as any change of this task is, but names commit, tree and contract of its own', () => {
    const real = aJudgedRecord();
    for (const { record } of canaries) {
      expect(record.taskId).toBe(real.taskId);
      expect(briefJudge(record).prompt.length).toBe(briefJudge(real).prompt.length);
      expect(record.change?.commit).toMatch(/^[0-9a-f]{40}$/);
      expect([record.change?.commit, record.change?.tree, record.contractDigest]).not.toContain(real.change?.commit);
      expect(record.contractDigest).not.toBe(real.contractDigest);
    }
  });

  it('lies on the desk with contract, diff and tree, and the gates it shows are green', () => {
    const gates = aGateRun(aGate({ outcome: 'red', base: 'red', blocks: false }));
    const { files, record } = createCanary(aJudgedRecord({ gates }), 1, digest);
    expect([...files.keys()].toSorted()).toEqual(
      [
        DESK.contract,
        DESK.diff,
        DESK.findings,
        DESK.rounds,
        `${DESK.tree}/${record.change?.files[0]?.path ?? ''}`,
      ].toSorted(),
    );
    expect(record.gates?.results.map(({ outcome }) => outcome)).toEqual(['green']);
    expect(files.get(DESK.diff)).toContain(`@@ -0,0 +1,${record.change?.added ?? 0} @@`);
  });

  it('is never confused with the real one: a report on the one is none on the other', () => {
    const [canary] = canaries;
    if (canary === undefined) throw new Error('there is a canary');
    const { change, taskId, contractDigest } = canary.record;
    const report = { task_id: taskId, commit: change?.commit, contract_digest: contractDigest, verdict: 'PASS' };
    const proof = { bound: 'by name', weigh: canary.weigh } as const;
    const whole = { ...report, summary: '', blocking_issues: [], required_fixes: [], evidence: [] };
    expect(readReport(whole, canary.record, proof)).toMatchObject({ ok: true, value: { verdict: 'NEEDS_REVIEW' } });
    expect(readReport(whole, aJudgedRecord(), proof).ok).toBe(false);
  });

  it('with a secret holds one that the scanner knows', () => {
    const sample = SAMPLES.find(({ flaw }) => flaw === 'a secret in the code');
    expect(findSecrets(sample?.path ?? '', sample?.text ?? '').length).toBeGreaterThan(0);
  });
});
