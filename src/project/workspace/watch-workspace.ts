import { join } from 'node:path';
import { watchFolders } from '../handoff/watch.ts';
import { HANDOFF } from '../../base/names.ts';
import type { Workspace } from './load-workspace.ts';

/** Watches the folders of a place; `changed` only means "look now". */
export const watchPlace = (
  place: Workspace,
  changed: () => void,
  trouble: (reason: string) => void,
): { close(): Promise<void> } =>
  watchFolders(join(place.inboxRoot, HANDOFF), join(place.state, 'requests'), changed, trouble);
