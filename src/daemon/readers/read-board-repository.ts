import { basename } from 'node:path';
import type { RepositorySnapshot, Usual } from '../../line/board/repository-snapshot.ts';
import type { WrittenEntry } from '../../ports/journal.ts';
import type { KnownState } from '../../wiring/list-workspaces.ts';
import { NEWEST_CALLS, type JournalReader } from './journal-reader.ts';
import { readNight, hasDigestContent } from './read-night.ts';

/** Ended tasks stay on the board this long. */
const ENDED_MS = 7 * 24 * 3_600_000;

/** The inputs of one read. */
interface Looking {
  readonly now: string;
  /** The snapshot before this one. */
  readonly before: RepositorySnapshot | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly journal: JournalReader;
}

/** Reads one repository for the board; undefined where it has no content. After a failure the last snapshot is kept. */
export async function readBoardRepository(
  { state, root = state, isThere }: KnownState,
  { now, before, env, journal }: Looking,
): Promise<RepositorySnapshot | undefined> {
  const since = new Date(Date.parse(now) - ENDED_MS).toISOString();
  const { night, told } = await readNight({ state, root, isThere }, { at: since, heads: {} }, env, journal.read());
  if (night.line !== undefined) journal.forget(night.since);
  if (!hasDigestContent(night)) return undefined;
  const id = basename(state);
  if (night.line !== undefined || night.damage !== undefined)
    return { id, night, at: now, unknown: undefined, history: usualIn(told) };
  const unknown = night.notKnown[0]?.what ?? 'it cannot be read';
  if (before === undefined) return { id, night, at: now, unknown, history: [] };
  return { ...before, night: { ...before.night, notKnown: night.notKnown }, unknown };
}

function usualIn(told: readonly WrittenEntry[]): readonly Usual[] {
  return told
    .filter(({ glance }) => glance.kind === 'called')
    .slice(-NEWEST_CALLS)
    .flatMap(({ entry }) => {
      if (entry.kind !== 'called' || !entry.ok) return [];
      const { station, model, ms } = entry;
      return [{ station, model, ms }];
    });
}
