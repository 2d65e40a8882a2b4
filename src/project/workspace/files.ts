import { openDir } from '../../base/system/safe-fs.ts';
import { readIfThere } from '../folders/user-folders.ts';
import { HANDOFF } from '../../base/names.ts';
import type { Workspace } from './load-workspace.ts';
import { findInboxRoot, noteInbox } from '../git/find-inbox-root.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

/** A file of the inbox as people find it: from the root of this checkout, or by its whole path where it is another's. */
export const formatInboxPath = ({ facts, inboxRoot }: Pick<Workspace, 'facts' | 'inboxRoot'>, name: string): string =>
  inboxRoot === facts.root ? `${HANDOFF}/${name}` : `${inboxRoot}/${HANDOFF}/${name}`;

/** The text of the user's own configuration; undefined without such a file. */
export const readUserConfig = ({ userConfig }: Workspace): string | undefined => readIfThere(userConfig);

/** Room for a paper. */
const PAPERS_BYTES = 64 * 1024;
/** Room for journal and ledger: what their logs take at a start was free only because a stop gave it back. */
const STATE_BYTES = 512 * 1024;

/** Why the disks under a repository's papers and state take no writes now; undefined when they do. */
export function findWriteObstacle({ inboxRoot, state }: Workspace): string | undefined {
  try {
    const project = openDir(inboxRoot);
    if (project.stat(HANDOFF) !== undefined) tryToWrite(openDir(project.at(HANDOFF)), PAPERS_BYTES); // none is made for this
    tryToWrite(openDir(state), STATE_BYTES);
    return undefined;
  } catch (error) {
    return getErrorMessage(error);
  }
}

function tryToWrite(door: ReturnType<typeof openDir>, bytes: number): void {
  door.write('.probe', 'x'.repeat(bytes));
  door.remove('.probe');
}

/** Makes the checkout of this place the one with the inbox; `take` moves what waits in the one before, also while this is noted. */
export function moveInbox({ facts }: Workspace, take: (fromRoot: string) => void): void {
  const before = findInboxRoot(facts);
  if (before !== facts.root) take(before);
  noteInbox(facts);
  if (before !== facts.root) take(before);
}
