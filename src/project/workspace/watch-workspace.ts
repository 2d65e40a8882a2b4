import { join } from 'node:path';
import { watchFolders } from '../handoff/watch-folders.ts';
import { HANDOFF } from '../../base/names.ts';
import type { Workspace } from './load-workspace.ts';

/** Watches the folders of a place; see `watchFolders`. */
export const watchPlace = (
  place: Workspace,
  changed: (path?: string) => void,
  trouble: (reason: string) => void,
): { close(): Promise<void> } =>
  watchFolders(join(place.inboxRoot, HANDOFF), join(place.state, 'requests'), changed, trouble);
