import { FILES, HANDOFF } from '../formats/names.ts';
import { handoffAt } from './open-floor.ts';
import { whyStopped } from './pause.ts';
import type { Paused } from './pause.ts';

/** What lies in `_handoff/` of a repository whose line has no task, and why nothing of it starts. */
export interface Standstill {
  /** A human's STOP or pause, in words; null when nothing holds the line. */
  readonly blocked: string | null;
  /** Contracts that wait their turn. */
  readonly waiting: readonly string[];
  /** A contract was refused; `CONTRACT_REJECTED.md` says why. */
  readonly refused: boolean;
  /** A `DECISION.json` lies there; without a task on the line it answers nothing. */
  readonly decision: boolean;
}

/** Looks at the folder as the watchdog would; nothing is changed. */
export function standstill(root: string, paused: Paused | undefined): Standstill {
  const handoff = handoffAt(root);
  const queued = handoff.queued().map((name) => `${HANDOFF}/${FILES.queue}/${name}`);
  return {
    blocked: whyStopped(handoff, paused) ?? null,
    waiting: [...(handoff.exists(FILES.contract) ? [`${HANDOFF}/${FILES.contract}`] : []), ...queued],
    refused: handoff.exists(FILES.rejected),
    decision: handoff.exists(FILES.decision),
  };
}
