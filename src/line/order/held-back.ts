import { inScope } from '../../base/paths.ts';
import { TERMINAL } from '../../base/names.ts';
import type { LineRecord } from '../../record/line-record.ts';
import type { Wait } from './turns.ts';

/** What a contract that waits says of itself. */
interface Asking {
  readonly taskId: string | undefined;
  readonly scope:
    | { readonly project: string; readonly allowedPaths: readonly string[]; readonly forbiddenPaths: readonly string[] }
    | undefined;
}

/** Of the open tasks those that stand aside of what is under way: they are parked, or halted and about to be. */
export const standing = (open: readonly LineRecord[], underWay: readonly string[]): readonly LineRecord[] =>
  open.filter(
    ({ taskId, parked, halt, status }) =>
      !underWay.includes(taskId) && !TERMINAL.includes(status) && (parked !== undefined || halt !== undefined),
  );

/**
 * What keeps a contract back while these tasks stand: one of them has its id, or the change of one touches what it may
 * write (unless `onOverlap` says that it may start). Pure.
 */
export function heldBackBy(
  { taskId, scope }: Asking,
  standing: readonly LineRecord[],
  onOverlap: 'wait' | 'start',
): readonly Wait[] {
  if (standing.length === 0 || scope === undefined) return [];
  const scopes = [scope.allowedPaths, scope.allowedPaths.map((path) => withoutProject(path, scope.project))].map(
    (allowedPaths) => ({ allowedPaths, forbiddenPaths: scope.forbiddenPaths }),
  );
  return standing.flatMap((record): readonly Wait[] => {
    if (record.taskId === taskId) return [{ for: 'a parked task', task: taskId, paths: [] }];
    const files = onOverlap === 'start' ? [] : (record.change?.files ?? []);
    const touched = files.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
    const paths = touched.filter((path) => scopes.some((one) => inScope(path, one) === 'allowed'));
    return paths.length === 0 ? [] : [{ for: 'a parked task', task: record.taskId, paths }];
  });
}

const withoutProject = (path: string, project: string): string =>
  path.startsWith(`${project}/`) ? path.slice(project.length + 1) || '**' : path;
