import { FILES, TERMINAL } from '../../base/names.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { parseContract } from '../../contract/task-contract-schema.ts';
import { foldJournal } from '../../line/record.ts';
import type { Handoff } from '../../ports/handoff.ts';
import { handoffAt } from '../../wiring/files.ts';
import type { Needs } from '../../wiring/services.ts';
import { isLeftOver } from '../documents/paperwork.ts';

/** The files that a person or a command drops, and an approved proposal with its plan. */
const DROPS = [
  FILES.stop,
  FILES.decision,
  FILES.proposalPlan,
  FILES.proposalTaken,
  FILES.proposalFinal,
  FILES.proposal,
  FILES.contract,
];

/**
 * Moves the waiting files of another checkout's `_handoff/` into the watched one. Papers of andon stay: they are written
 * again. Where a file of that name exists, both stay.
 */
export function takeAlong(services: Needs<'digest' | 'handoff' | 'journal' | 'say'>, fromRoot: string): void {
  const from = handoffAt(fromRoot);
  const taken = [...DROPS, ...from.queued().map((name) => `${FILES.queue}/${name}`)].filter((name) => {
    const read = from.read(name);
    return (
      read.ok && read.value !== undefined && mayGo(services, read.value) && moved(services, from, name, read.value)
    );
  });
  if (taken.length === 0) return;
  const files = `${taken.length} ${taken.length === 1 ? 'file' : 'files'}`;
  const text = `moved ${files} from ${from.folder}: the inbox of this repository is ${services.handoff.folder} now`;
  services.say({ kind: 'word', level: 'info', text: toTerminalLine(text, 1000) });
}

/** The contract of a running or an ended task begins no task, so it stays. */
function mayGo(services: Needs<'digest' | 'handoff' | 'journal'>, text: string): boolean {
  const parsed = parseContract(text);
  if (!parsed.ok) return true;
  const { taskId } = parsed.value.contract;
  const record = foldJournal(services.journal.entries(taskId));
  if (record === undefined) return true;
  return TERMINAL.includes(record.status) && !isLeftOver(services, taskId, text);
}

function moved({ handoff }: Needs<'handoff'>, from: Handoff, name: string, text: string): boolean {
  if (!handoff.write(name, text, () => !handoff.exists(name))) return false;
  from.take(name, (found) => found === text);
  return true;
}
