import { findInboxRoot, noteInbox } from '../adapters/repository/inbox.ts';
import type { Workspace } from './load-workspace.ts';

/** A place whose watchdog takes its own checkout's `_handoff/` as the inbox of the repository. */
export const resolveWatchedInbox = (place: Workspace): Workspace => ({ ...place, inboxRoot: place.facts.root });

/** Makes the checkout of this place the one with the inbox; `take` moves what waits in the one before, also while this is noted. */
export function moveInbox({ facts }: Workspace, take: (fromRoot: string) => void): void {
  const before = findInboxRoot(facts);
  if (before !== facts.root) take(before);
  noteInbox(facts);
  if (before !== facts.root) take(before);
}
