import type { Check } from './check.ts';
import { getTouchedPaths } from '../../base/changed-file.ts';
import { exactPass, violatedBy } from './exact-match.ts';
import { matchesGlobs } from '../../base/path-globs.ts';
import { textsOf, wrongGlobs } from './settings.ts';

/**
 * Where one path changes, another one must change with it: a schema and its migration, code and its test. With `per`, in
 * the same folder: each package and its own tests.
 */
export const DIFF_EVIDENCE: Check = {
  type: 'diff_evidence',
  keys: ['when', 'require', 'per'],
  lint: (check) => [
    ...wrongGlobs(check, 'when', true),
    ...wrongGlobs(check, 'require', true),
    ...wrongGlobs(check, 'per'),
  ],
  run: (check, _rule, subject) => {
    const [when, required, per] = [textsOf(check, 'when'), textsOf(check, 'require'), textsOf(check, 'per')];
    const changed = subject.files.filter(({ change }) => change !== 'whole');
    const causes = changed.flatMap((file) =>
      getTouchedPaths(file)
        .filter((path) => matchesGlobs(path, when))
        .map((cause) => ({ path: file.path, folder: folderOf(cause, per) })),
    );
    if (causes.length === 0) return [];
    const answers = changed.flatMap(getTouchedPaths).filter((path) => matchesGlobs(path, required));
    const answered = new Set(answers.map((path) => folderOf(path, per)));
    const open = causes.filter(({ folder }) => !answered.has(folder));
    if (open.length === 0) return [exactPass(`${required.join(', ')} changed as well`)];
    return [...new Set(open.map(({ folder }) => folder))].map((folder) =>
      violatedBy(`it changed, but nothing${folder === '' ? '' : ` in ${folder}`} that matches ${required.join(', ')}`, [
        ...new Set(open.filter((cause) => cause.folder === folder).map(({ path }) => path)),
      ]),
    );
  },
};

/** The outermost folder above a path that one of the globs matches; empty where none does. */
function folderOf(path: string, globs: readonly string[]): string {
  const names = path.split('/').slice(0, -1);
  const above = names.map((_, at) => names.slice(0, at + 1).join('/'));
  return above.find((folder) => matchesGlobs(folder, globs)) ?? '';
}
