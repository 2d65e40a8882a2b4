import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { success } from '../../../../src/base/outcome.ts';
import { HUMAN } from '../../../../src/base/names.ts';
import { getReportNonce } from '../../../../src/line/core/find-outside-wait.ts';
import { DecisionReader } from '../../../../src/line/halt-answers/decision-reader.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import { AT, aFinding, aHalt, aJudgedRecord, aRecord, aReport } from '../../../support/records.ts';

/** A reader over a folder in memory, and what it has warned of. */
function aReader() {
  const files = new Map<string, string>();
  const warnings: string[] = [];
  const noted: string[] = [];
  let writes = 0;
  const reader = new DecisionReader({
    clock: { now: () => AT },
    handoff: {
      read: (name: string) => success(files.get(name)),
      exists: (name: string) => files.has(name),
      namedAt: () => writes,
      shown: (name: string) => `_handoff/${name}`,
    },
    journal: { entries: () => [], append: (taskId: string) => noted.push(taskId) },
    say: (news: { readonly text: string }) => warnings.push(news.text),
  } as unknown as ConstructorParameters<typeof DecisionReader>[0]);
  const write = (decision: object | string): void => {
    writes += 1;
    files.set('DECISION.json', typeof decision === 'string' ? decision : JSON.stringify(decision));
  };
  return { files, warnings, noted, reader, write };
}

const managed = (record: TaskRecord): TaskRecord => {
  const { contract } = record;
  return { ...record, contract: { ...contract, roles: { ...contract.roles, floorManager: HUMAN } } };
};
const HALTED = aJudgedRecord({ status: 'erik_consultation', halt: aHalt() });
const AWAITING = managed(aJudgedRecord({ status: 'review_complete' }));
const nonce = getReportNonce(AWAITING);

describe('an answer to a halt', () => {
  it('is the choice of that halt, of the active task or of a parked one', () => {
    const { reader, write, warnings } = aReader();
    write({ task_id: 'DOC-001', halt: 'DOC-001-7', path: 2 });
    const choice = { taskId: 'DOC-001', haltId: 'DOC-001-7', path: 2, how: 'DECISION.json', by: 'a human' };
    expect(reader.poll(HALTED, [])).toMatchObject(choice);
    expect(reader.poll(undefined, [HALTED])).toMatchObject(choice);
    expect(warnings).toEqual([]);
  });

  it('is refused once where its task is not halted, and read again at a halt', () => {
    const { reader, write, warnings } = aReader();
    write({ task_id: 'DOC-001', halt: 'DOC-001-7', path: 1 });
    for (let polls = 0; polls < 3; polls += 1) expect(reader.poll(AWAITING, [])).toBeUndefined();
    expect(warnings).toEqual(['_handoff/DECISION.json does not count: DOC-001 is not halted']);
    expect(reader.decisionOn(AWAITING)).toBeUndefined();
    expect(reader.poll(HALTED, [])).toMatchObject({ path: 1 });
  });

  it.each([
    ['the halted task that it names', '{"task_id":"DOC-001","halt":"DOC-001-7","path":"1"}', [HALTED], ['DOC-001']],
    ['the only task that waits, where it names none', '{"path":1}', [HALTED], ['DOC-001']],
    ['no task, where several wait', '{"path":1}', [HALTED, { ...HALTED, taskId: 'DOC-003' }], []],
    ['no task, where it names another one', '{"task_id":"DOC-009","path":1}', [HALTED], []],
    ['no task, where none waits', '{"path":1}', [], []],
  ])('that is faulty is noted for %s, never for one that works', (_, text, parked, expected) => {
    const { reader, write, warnings, noted } = aReader();
    write(text);
    expect(reader.poll(aRecord({ taskId: 'DOC-002' }), parked)).toBeUndefined();
    expect(warnings).toHaveLength(1);
    expect(noted).toEqual(expected);
  });

  it('that the line refused is read again once STOP is gone, and when the file was away', () => {
    const { reader, write, warnings, files } = aReader();
    files.set('STOP', '');
    write({ task_id: 'DOC-001', halt: 'DOC-001-7', path: 1 });
    expect(reader.poll(HALTED, [])).toMatchObject({ path: 1 });
    reader.refuse('_handoff/STOP is there');
    expect(reader.poll(HALTED, [])).toBeUndefined();
    files.delete('STOP');
    expect(reader.poll(HALTED, [])).toMatchObject({ path: 1 });
    reader.refuse('outdated');
    const text = files.get('DECISION.json') ?? '';
    files.delete('DECISION.json');
    expect(reader.poll(HALTED, [])).toBeUndefined();
    write(text);
    expect(reader.poll(HALTED, [])).toMatchObject({ path: 1 });
    expect(warnings).toHaveLength(2);
  });

  it('may still be being written: it is neither taken nor refused', () => {
    const { reader, write, warnings } = aReader();
    for (const text of ['', '{"task_id":"DOC-001","halt":']) {
      write(text);
      expect(reader.poll(HALTED, [])).toBeUndefined();
    }
    expect(warnings).toEqual([]);
    onTestFinished(() => void vi.restoreAllMocks());
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 3000);
    reader.poll(HALTED, []);
    expect(warnings).toHaveLength(1);
  });
});

describe('a decision on a report', () => {
  it('counts for the report that waits for it, and is no choice at a halt', () => {
    const { reader, write, warnings } = aReader();
    write({ task_id: 'DOC-001', decision: 'merge', nonce });
    expect(reader.poll(AWAITING, [])).toBeUndefined();
    expect(reader.decisionOn(AWAITING)).toEqual({ do: 'merge' });
    const newer = managed(aJudgedRecord({ status: 'review_complete', report: aReport({ digest: 'd'.repeat(64) }) }));
    expect(reader.decisionOn(newer)).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it('counts no more once its file is gone', () => {
    const { reader, write, files } = aReader();
    write({ task_id: 'DOC-001', decision: 'merge', nonce });
    reader.poll(AWAITING, []);
    files.clear();
    reader.poll(AWAITING, []);
    expect(reader.decisionOn(AWAITING)).toBeUndefined();
  });

  it('that cannot be taken is refused in words', () => {
    const failed = managed(
      aJudgedRecord({
        status: 'review_complete',
        report: aReport({ verdict: 'FAIL', said: 'FAIL', blocking: [aFinding()] }),
      }),
    );
    const { reader, write, warnings } = aReader();
    write({ task_id: 'DOC-001', decision: 'merge', nonce: getReportNonce(failed) });
    reader.poll(failed, []);
    expect(reader.decisionOn(failed)).toBeUndefined();
    expect(warnings).toEqual(['_handoff/DECISION.json does not count: only a PASS can be merged; the judge said FAIL']);
  });

  it('waits for its turn: before the report, and at a halt that came after it', () => {
    const { reader, write, warnings } = aReader();
    write({ task_id: 'DOC-001', decision: 'merge', nonce });
    reader.poll(managed(aJudgedRecord({ status: 'review_in_progress' })), []);
    reader.poll({ ...AWAITING, status: 'erik_consultation', halt: aHalt() }, []);
    expect(warnings).toEqual([]);
  });

  it('is refused at a halt where nobody decides on reports', () => {
    const { reader, write, warnings } = aReader();
    write({ task_id: 'DOC-001', decision: 'merge' });
    reader.poll(HALTED, []);
    expect(warnings.join('\n')).toContain('but the task is halted');
    reader.poll(aJudgedRecord({ status: 'review_complete' }), []);
    expect(warnings.join('\n')).toContain('the built-in policy decides on reports');
  });
});
