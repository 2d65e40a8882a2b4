import type { LineRecord } from '../../record/line-record.ts';
import { FILES, HANDOFF } from '../../base/names.ts';
import { nameOnPage, refusalsOn } from '../../contract/refusal.ts';
import { sha256 } from '../../base/sha256.ts';
import type { LineFacts, RefusalView } from '../../line/line-facts.ts';
import type { Handoff } from '../../ports/handoff.ts';
import { handoffAt } from '../wiring/files.ts';
import { queueAt } from '../wiring/open-queue.ts';
import { whyStopped } from '../wiring/pause.ts';
import type { Paused } from '../wiring/pause.ts';

/** What lies in `_handoff/` of a repository, and why nothing of it starts; looked at as the watchdog would, nothing is changed. */
export function standstill(
  root: string,
  paused: Paused | undefined,
  active: LineRecord | undefined,
): Pick<LineFacts, 'blocked' | 'waiting' | 'queue' | 'refusals' | 'refused' | 'proposal' | 'decision'> {
  const handoff = handoffAt(root);
  const queue = queueAt(root).waiting(active === undefined ? [] : [active.taskId]);
  const names = new Set([FILES.contract, ...queue.map(({ name }) => name)]);
  const refusals = refusalsThatStand(handoff, [...names]);
  const isRefused = (file: string): boolean => refusals.some((one) => one.file === file);
  const waiting = queue.map(({ name, taskId, priority, waitsFor }) => {
    const file = `${HANDOFF}/${name}`;
    return {
      file,
      task_id: taskId ?? null,
      priority,
      waits_for: isRefused(file) ? ('a correction' as const) : waitsFor,
    };
  });
  return {
    blocked: whyStopped(handoff, paused) ?? null,
    waiting: waiting.flatMap(({ file, waits_for }) => (waits_for === 'a correction' ? [] : [file])),
    queue: waiting,
    refusals,
    refused: refusals.length > 0,
    proposal: proposalInWords(handoff),
    decision: handoff.exists(FILES.decision),
  };
}

/** What became of a proposal, as the pages say that andon wrote about it. */
function proposalInWords(handoff: Handoff): string | null {
  if (handoff.exists(FILES.proposalRejected))
    return `a proposal was refused: read ${HANDOFF}/${FILES.proposalRejected}`;
  return handoff.exists(FILES.proposalDraft)
    ? `a proposal waits for your approval: read ${HANDOFF}/${FILES.proposalDraft}, then andon draft --approve`
    : null;
}

/** What the page of refusals says of files that still lie there as they were read; one that was changed waits again. */
function refusalsThatStand(handoff: Handoff, names: readonly string[]): readonly RefusalView[] {
  const page = handoff.read(FILES.rejected);
  const told = page.ok && page.value !== undefined ? refusalsOn(page.value) : [];
  return told.flatMap(({ name, digest, at, faults, first }) => {
    const file = names.find((one) => nameOnPage(one) === name);
    if (file === undefined) return [];
    const read = handoff.read(file);
    const stands = sha256(read.ok ? (read.value ?? '') : read.why) === digest;
    return stands ? [{ file: `${HANDOFF}/${file}`, faults, first, at }] : [];
  });
}
