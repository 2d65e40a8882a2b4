import { FILES } from '../../base/names.ts';
import { transitionLine } from '../../line/contract-document.ts';
import { foldJournal } from '../../line/record.ts';
import { lastTold } from '../journal/lost-journal.ts';
import type { Services } from '../wiring/services.ts';

/** The newest transition always lies this near to the end of the journal; what follows it are calls and notes. */
const NEAR = 200;

/** Tells scripts of the newest transition when a crash fell between it and its line; earlier ones were told before. */
export function catchUpTransitions({ journal, handoff }: Pick<Services, 'journal' | 'handoff'>): void {
  const told = lastTold(handoff);
  const newest = journal.since(Math.max(told, journal.head() - NEAR)).findLast(({ entry }) => entry.kind === 'moved');
  if (newest?.entry.kind !== 'moved') return;
  const entries = journal.entries(newest.taskId);
  const record = foldJournal(entries.slice(0, entries.findLastIndex(({ kind }) => kind === 'moved') + 1));
  if (record !== undefined) handoff.append(FILES.transitions, transitionLine(record, newest.entry, newest));
}
