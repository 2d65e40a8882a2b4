import type { Check } from './check.ts';
import { getTouchedPaths } from '../../base/changed-file.ts';
import { exactPass, violatedBy } from './exact-match.ts';
import { matchesGlobs } from '../../base/path-globs.ts';
import { textsOf, wrongGlobs } from './settings.ts';

/** Where one path changes, another one must change with it: a schema and its migration, code and its test. */
export const DIFF_EVIDENCE: Check = {
  type: 'diff_evidence',
  readsFiles: false,
  lint: (check) => [...wrongGlobs(check, 'when', true), ...wrongGlobs(check, 'require', true)],
  run: (check, _rule, subject) => {
    const [when, required] = [textsOf(check, 'when'), textsOf(check, 'require')];
    const changed = subject.files.filter(({ change }) => change !== 'whole');
    const paths = changed.flatMap(getTouchedPaths);
    const causes = changed.filter(
      ({ path, from }) => matchesGlobs(path, when) || (from !== undefined && matchesGlobs(from, when)),
    );
    if (causes.length === 0) return [];
    if (paths.some((path) => matchesGlobs(path, required)))
      return [exactPass(`${required.join(', ')} changed as well`)];
    return [
      violatedBy(
        `${causes[0]?.path ?? ''} changed, but nothing that matches ${required.join(', ')}`,
        causes.map(({ path }) => path),
      ),
    ];
  },
};
