import { basename, dirname, join, resolve } from 'node:path';
import { watch as chokidarWatch } from 'chokidar';
import { FILES, TASK_PAPERS, HANDOFF } from '../../base/names.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';
import type { Workspace } from '../workspace/load-workspace.ts';

/** Files whose changes must be noticed at once. */
const WATCHED: ReadonlySet<string> = new Set([
  ...TASK_PAPERS,
  FILES.stop,
  FILES.decision,
  FILES.proposal,
  FILES.proposalFinal,
]);

/** Folders to watch. */
const FOLDERS: ReadonlySet<string> = new Set([FILES.queue, FILES.tasks]);

/**
 * Watches `_handoff/` and the folder of requests; `changed` only means "poll now", the disk decides. It is called with the
 * path of an event, and without one after the setup.
 */
export function watchFolders(
  handoff: string,
  requests: string,
  changed: (path?: string) => void,
  trouble: (reason: string) => void,
): { close(): Promise<void> } {
  const watcher = chokidarWatch([handoff, requests], {
    ignoreInitial: true,
    ignored: (path) => !isWatched(resolve(path), handoff, requests),
  });
  watcher.on('all', (_event, path) => changed(path));
  watcher.on('ready', () => changed()); // changes during the setup
  watcher.on('error', (error) => trouble(getErrorMessage(error)));
  return { close: () => watcher.close() };
}

/**
 * Filters by name alone (a filter that reads files costs a scan of the folder per event). The folder's own name must
 * pass inside the folder: its deletion is reported that way, and a watch that ignores it goes blind.
 */
function isWatched(path: string, handoff: string, requests: string): boolean {
  if (path.startsWith(requests)) return true;
  if (path === handoff || !path.startsWith(join(handoff, '/'))) return true;
  if (path === join(handoff, basename(handoff))) return true;
  if (dirname(path) === handoff) return WATCHED.has(basename(path)) || FOLDERS.has(basename(path));
  const tasks = join(handoff, FILES.tasks);
  if (dirname(path) === tasks) return true;
  // The same for this folder's own name.
  if (dirname(dirname(path)) === tasks)
    return WATCHED.has(basename(path)) || basename(path) === basename(dirname(path));
  if (path === join(handoff, FILES.proposalTaken)) return true;
  return dirname(path) === join(handoff, FILES.queue) && (path.endsWith('.json') || basename(path) === FILES.queue);
}

/** Watches the folders of a place; see `watchFolders`. */
export const watchPlace = (
  place: Workspace,
  changed: (path?: string) => void,
  trouble: (reason: string) => void,
): { close(): Promise<void> } =>
  watchFolders(join(place.inboxRoot, HANDOFF), join(place.state, 'requests'), changed, trouble);
