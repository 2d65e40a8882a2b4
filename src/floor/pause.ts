import type { JournalEntry } from '../formats/journal-entry.ts';
import { FILES, LINE } from '../formats/names.ts';
import type { Handoff } from '../ports/handoff.ts';
import { Stopped } from './step-log.ts';
import type { World } from './world.ts';

/** Since when and by whom the line is paused. */
export interface Paused {
  readonly at: string;
  readonly by: string;
}

/** Since when and by whom the line of this repository is paused; undefined when it is not. Survives every restart. */
export function pausedBy(journal: { entries(taskId: string): readonly JournalEntry[] }): Paused | undefined {
  const last = journal.entries(LINE).at(-1);
  return last?.kind === 'paused' ? { at: last.at, by: last.by } : undefined;
}

/** Pauses the line or lets it go on; doing it twice changes nothing. */
export function setPause(world: World, to: 'paused' | 'unpaused', by: string): void {
  if ((pausedBy(world.journal) !== undefined) === (to === 'paused')) return;
  world.journal.append(LINE, [{ kind: to, at: world.clock.now(), by }]);
  world.say({ kind: 'word', level: 'info', text: to === 'paused' ? `paused by ${by}` : `${by} lets the line go on` });
  world.bell.ring();
}

/** Why nothing new may be started now; undefined when it may. */
export const whyNothingStarts = ({ handoff, journal }: World): string | undefined =>
  whyStopped(handoff, pausedBy(journal));

/** The same for a folder and a pause that were looked up already. */
export function whyStopped(handoff: Pick<Handoff, 'exists'>, paused: Paused | undefined): string | undefined {
  if (handoff.exists(FILES.stop)) return `_handoff/${FILES.stop} is there; remove it to go on`;
  return paused === undefined ? undefined : `paused by ${paused.by} since ${paused.at}; \`andon unpause\` goes on`;
}

/** Waits until stations may start again. */
export async function whilePaused(world: World, signal: AbortSignal): Promise<void> {
  while (whyNothingStarts(world) !== undefined) {
    await world.bell.next(signal);
    if (signal.aborted) throw new Stopped();
  }
}
