import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createHandoff } from '../../src/project/handoff/create-handoff.ts';
import { openJournal } from '../../src/line/journal/sqlite-journal.ts';
import { noteTransition } from '../../src/line/documents/paperwork.ts';
import type { Services } from '../../src/line/services/services.ts';
import type { Admitted, Moved } from '../../src/line/record/journal-entry.ts';
import type { TaskRecord } from '../../src/line/record/task-record.ts';
import { parseContract } from '../../src/project/contract/task-contract-schema.ts';
import { foldEntry, foldJournal } from '../../src/line/core/fold-journal.ts';
import { contractFor } from './stub-agents.ts';

/** One task whose transitions are written down exactly as the daemon does it, without agents in between. */
export function aLedger(folder: string): { transitions(count: number): number; close(): void } {
  mkdirSync(folder, { recursive: true });
  const journal = openJournal(join(folder, 'journal.sqlite'));
  const handoff = createHandoff(folder);
  handoff.prepare();
  const services = { journal, handoff, say: () => {}, digest: (text: string) => text } as unknown as Services;
  journal.append('TASK-1', [admitted()]);
  let record = foldJournal(journal.entries('TASK-1')) as TaskRecord;
  return {
    /** Makes a number of transitions to and fro; returns the milliseconds they took. */
    transitions(count) {
      const began = performance.now();
      for (let number = 0; number < count; number += 1) {
        const entry = moved(record);
        const next = foldEntry(record, entry) ?? record;
        noteTransition(services, record, next, entry);
        record = next;
      }
      return performance.now() - began;
    },
    close: () => journal.close(),
  };
}

function admitted(): Admitted {
  const parsed = parseContract(JSON.stringify(contractFor('TASK-1')));
  if (!parsed.ok) throw new Error('the contract of the benchmark is not valid');
  const { contract, document } = parsed.value;
  const at = new Date().toISOString();
  return {
    kind: 'admitted',
    at,
    document,
    digest: '',
    target: 'refs/heads/main',
    base: '0'.repeat(40),
    notices: [],
    contract,
  };
}

function moved({ status }: TaskRecord): Moved {
  const to = status === 'pending_implementer' ? 'pending_local_review' : 'pending_implementer';
  return {
    kind: 'moved',
    at: new Date().toISOString(),
    event: 'target_moved',
    from: status,
    to,
    reason: 'to and fro',
    facts: {},
  };
}
