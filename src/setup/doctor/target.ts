import { describeHooks, describeSubmodules, describeTarget, listPaths } from '../../daemon/intake/find-obstacles.ts';
import { toBranchName, toTaskBranch } from '../../base/names.ts';
import type { Needs } from '../../wiring/services.ts';
import { warningCheck, type DoctorCheck } from './check.ts';

/** What around the target branch would stop a task after agents were paid; nothing where nothing would. */
export async function examineTarget(
  { repository, settings }: Needs<'repository' | 'settings'>,
  target: { readonly ref: string; readonly commit: string },
): Promise<readonly DoctorCheck[]> {
  const [state, head, files, hasTaskBranch] = await Promise.all([
    repository.targetState(target.ref),
    repository.checkedOut(),
    repository.files(target.commit),
    repository.resolve(toTaskBranch('').slice(0, -1)),
  ]);
  const filtered = await repository.filtered(
    target.commit,
    files.filter(({ mode }) => mode.startsWith('100')).map(({ path }) => path),
  );
  const name = toBranchName(target.ref);
  const edited = state.edited.filter((path) => !/^(?:\.andon|_handoff)\//.test(path)); // no task changes those
  const submodules = settings.gates.length === 0 ? [] : describeSubmodules(files, settings.share);
  return [
    ...(hasTaskBranch === undefined
      ? []
      : [
          warningCheck(
            'branches',
            'a branch is called `task`, so git cannot keep `task/<task_id>` beside it',
            'rename it: git branch -m task other-name',
          ),
        ]),
    ...describeTarget(state, target.ref, head).map((text) =>
      warningCheck('target branch', text, `look with git status and git log ${name}`),
    ),
    ...(edited.length === 0
      ? []
      : [
          warningCheck(
            'edits',
            `${listPaths(edited)} in ${state.folder} not committed: no change of the same file is merged into ${name}`,
            'commit or stash them',
          ),
        ]),
    ...submodules.map((text) => warningCheck('submodules', text, 'see `share` in docs/configuration.md')),
    ...(filtered.size === 0
      ? []
      : [
          warningCheck(
            'filters',
            `git's filter ${[...new Set(filtered.values())].join(', ')} changes ${listPaths([...filtered.keys()])}, so no task can`,
            'leave them out of allowed_paths',
          ),
        ]),
    ...describeHooks(state.hooks).map((text) =>
      warningCheck('hooks', text, 'name the commands as `gates` in .andon/config.yaml'),
    ),
  ];
}
