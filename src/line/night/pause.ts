import type { JournalEntry } from '../record/journal-entry.ts';
import { FILES, LINE, STOP_FILE } from '../../base/names.ts';
import { Stopped } from '../journal/stopped.ts';
import type { Needs, Services } from '../services/services.ts';

/** Since when and by whom the line is paused. */
export interface Paused {
  readonly at: string;
  readonly by: string;
}

/** Since when and by whom the line of this repository is paused; undefined when it is not. Survives every restart. */
export function readPause(journal: { entries(taskId: string): readonly JournalEntry[] }): Paused | undefined {
  const last = journal.entries(LINE).findLast(({ kind }) => PAUSES.has(kind));
  if (last?.kind === 'unreadable') return { at: last.at, by: `entry ${last.seq} of the journal, which cannot be read` };
  return last?.kind === 'paused' ? { at: last.at, by: last.by } : undefined;
}

/** Entries about the pause; an unreadable entry may be one. */
const PAUSES: ReadonlySet<JournalEntry['kind']> = new Set(['paused', 'unpaused', 'unreadable']);

/** Pauses the line or lets it go on; doing it twice changes nothing. */
export function setPause(
  services: Needs<'bell' | 'clock' | 'journal' | 'say'>,
  to: 'paused' | 'unpaused',
  by: string,
): void {
  if ((readPause(services.journal) !== undefined) === (to === 'paused')) return;
  services.journal.append(LINE, [{ kind: to, at: services.clock.now(), by }]);
  services.say({
    kind: 'word',
    level: 'info',
    text: to === 'paused' ? `paused by ${by}` : `${by} lets the line go on`,
  });
  services.bell.notifyAll();
}

/** Why nothing new may be started now; undefined when it may. */
export const explainPaused = ({ handoff, journal }: Needs<'handoff' | 'journal'>): string | undefined =>
  formatPause(handoff, readPause(journal));

/** The same for a folder and a pause that were looked up already. */
export function formatPause(
  handoff: Pick<Services['handoff'], 'exists'>,
  paused: Paused | undefined,
): string | undefined {
  if (handoff.exists(FILES.stop)) return `${STOP_FILE} is there; remove it, and answer what it halted, to go on`;
  return paused === undefined
    ? undefined
    : `paused by ${paused.by} since ${paused.at}; \`andon pause --off\` lets it go on`;
}

/** Waits until stations may start again. */
export async function waitWhilePaused(
  services: Needs<'bell' | 'handoff' | 'journal'>,
  signal: AbortSignal,
): Promise<void> {
  while (explainPaused(services) !== undefined) {
    await services.bell.next(signal);
    if (signal.aborted) throw new Stopped();
  }
}
