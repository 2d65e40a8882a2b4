import { findInboxRoot, noteInbox } from '../adapters/repository/inbox.ts';
import type { Workspace } from './load-workspace.ts';

/** Makes the checkout of this place the one with the inbox; `take` moves what waits in the one before, also while this is noted. */
export function moveInbox({ facts }: Workspace, take: (fromRoot: string) => void): void {
  const before = findInboxRoot(facts);
  if (before !== facts.root) take(before);
  noteInbox(facts);
  if (before !== facts.root) take(before);
}
