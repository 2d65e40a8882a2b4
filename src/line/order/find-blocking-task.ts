import { TERMINAL } from '../../base/names.ts';
import { getTouchedPaths } from '../../base/changed-file.ts';
import { classifyPath } from '../../base/paths.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { QueueWait } from './queued-turn.ts';

/** A waiting contract, from its own text. */
interface Asking {
  readonly taskId: string | undefined;
  readonly scope:
    | { readonly project: string; readonly allowedPaths: readonly string[]; readonly forbiddenPaths: readonly string[] }
    | undefined;
}

/** Open tasks beside the running one: parked, or halted and about to be parked. */
export const listStandingTasks = (open: readonly TaskRecord[], underWay: readonly string[]): readonly TaskRecord[] =>
  open.filter(
    ({ taskId, parked, halt, status }) =>
      !underWay.includes(taskId) && !TERMINAL.includes(status) && (parked !== undefined || halt !== undefined),
  );

/**
 * Why a contract is held back by these tasks: one has its id, or the change of one overlaps its scope (unless
 * `onOverlap` permits it). Pure.
 */
export function findBlockingTask(
  { taskId, scope }: Asking,
  standing: readonly TaskRecord[],
  onOverlap: 'wait' | 'start',
): readonly QueueWait[] {
  if (standing.length === 0 || scope === undefined) return [];
  const drop = (path: string): string => withoutProject(path, scope.project);
  const { allowedPaths, forbiddenPaths } = scope;
  const scopes = [
    { allowedPaths, forbiddenPaths },
    { allowedPaths: allowedPaths.map(drop), forbiddenPaths: forbiddenPaths.map(drop) },
  ];
  return standing.flatMap((record): readonly QueueWait[] => {
    if (record.taskId === taskId) return [{ for: 'a parked task', task: taskId, paths: [] }];
    const files = onOverlap === 'start' ? [] : (record.change?.files ?? []);
    const touched = files.flatMap(getTouchedPaths);
    const paths = touched.filter((path) => scopes.some((one) => classifyPath(path, one) === 'allowed'));
    return paths.length === 0 ? [] : [{ for: 'a parked task', task: record.taskId, paths }];
  });
}

const withoutProject = (path: string, project: string): string =>
  path.startsWith(`${project}/`) ? path.slice(project.length + 1) || '**' : path;
