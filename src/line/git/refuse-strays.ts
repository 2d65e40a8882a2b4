import { listNames } from '../../base/list-names.ts';
import { posix } from 'node:path';
import type { Change } from '../record/change.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { isProtected, type PathScope } from '../../base/paths.ts';
import type { Path } from '../record/trip.ts';
import { Problem } from '../../base/problem.ts';
import { listOutOfScope } from './apply-change.ts';
import type { Needs } from '../services/services.ts';

/**
 * Refuses commits of a person that the contract does not allow. A resume admits nothing else, by any author.
 * A submodule, and a link that leads out of the repository or to a protected file, are allowed by their very name only.
 */
export async function refuseStrays(
  services: Needs<'repository'>,
  record: TaskRecord,
  { effect }: Path,
  change: Change,
): Promise<void> {
  const { allowedPaths, forbiddenPaths, protectedPaths } = record.contract.constraints;
  const allowed = [...allowedPaths, ...record.grants.paths, ...(effect.paths ?? [])];
  const scope: PathScope = { allowedPaths: allowed, forbiddenPaths, protectedPaths };
  const strays = listOutOfScope(change.files, scope);
  if (strays.length > 0)
    throw refusal(record, change, `change ${listNames(strays)}, outside the scope of the contract`);
  const named = new Set(allowed.map((path) => path.replace(/^\.\//, '')));
  const strange = (await strangeIn(services, change, scope)).filter(({ path }) => !named.has(path));
  if (strange.length > 0)
    throw refusal(record, change, `${listNames(strange.map(({ what }) => what))}; a contract must name it to allow it`);
}

async function strangeIn(
  services: Needs<'repository'>,
  { commit, files }: Change,
  scope: PathScope,
): Promise<readonly { readonly path: string; readonly what: string }[]> {
  const come = files.filter(({ status, oldMode, newMode }) => status !== 'deleted' && oldMode !== newMode);
  const changed = files.filter(({ status, newMode }) => status !== 'deleted' && newMode === LINK);
  const links = await services.repository.read(
    commit,
    changed.map(({ path }) => path),
  );
  const subs = come.filter(({ newMode }) => newMode === SUBMODULE);
  return [
    ...subs.map(({ path }) => ({ path, what: `make ${path} a submodule, which brings another repository` })),
    ...changed.flatMap(({ path }) => {
      const leads = new TextDecoder().decode(links.get(path));
      const why = explainClosed(path, leads, scope);
      return why === undefined ? [] : [{ path, what: `make ${path} a link to ${leads}, which ${why}` }];
    }),
  ];
}

function explainClosed(path: string, leads: string, scope: PathScope): string | undefined {
  const place = posix.normalize(posix.join(posix.dirname(path), leads)).replace(/\/$/, '');
  if (posix.isAbsolute(leads) || place === '.' || place === '..' || place.startsWith('../'))
    return 'leads out of the files of the project';
  return isProtected(place, scope.protectedPaths) ? 'is protected' : undefined;
}

const LINK = '120000';
const SUBMODULE = '160000';

const refusal = ({ taskId }: TaskRecord, { commit }: Change, what: string): Problem =>
  new Problem(
    'conflict',
    `your commits on task/${taskId} (${commit.slice(0, 12)}) ${what}`,
    `take those edits back on that branch (they stay in git under refs/andon/${taskId}/), or give the task up and write a contract that allows them`,
    1,
  );
