import type { RuleMatch, Subject } from '../model/inspection.ts';
import { matchesGlobs } from '../../base/path-globs.ts';
import type { RuleCheck } from '../model/rule.ts';
import { PROSE_PLACES } from '../model/rule-words.ts';
import type { Check } from './check.ts';
import { exactPass, exactUndecided, exactViolation, violatedBy } from './exact-match.ts';
import { textsOf, wrongGlobs } from './settings.ts';

export const FILE_PRESENCE: Check = {
  type: 'file_presence',
  keys: ['path', 'paths', 'glob', 'mode', 'exists'],
  lint: (check) =>
    ['path', 'paths', 'glob'].some((key) => check[key] !== undefined)
      ? ['path', 'paths', 'glob'].flatMap((key) => wrongGlobs(check, key))
      : wrongGlobs(check, 'path', true),
  run: (check, _rule, subject) => run(check, subject),
};

function run(check: RuleCheck, subject: Subject): readonly RuleMatch[] {
  const wanted = textsOf(check, 'path', 'paths', 'glob');
  const isForbidden = check['mode'] === 'forbid' || check['exists'] === false;
  const there = pathsOf(subject);
  if (there === undefined && isProseAlone(subject)) return [];
  if (isForbidden) {
    const found = (there ?? subject.files.filter(({ change }) => change !== 'deleted').map(({ path }) => path)).filter(
      (path) => matchesGlobs(path, wanted),
    );
    if (found.length > 0) return [violatedBy('a file is there that must not be', found)];
    return [there === undefined ? UNKNOWN : exactPass('no such file is there')];
  }
  if (there === undefined) return [UNKNOWN];
  const missing = wanted.filter((glob) => !there.some((path) => matchesGlobs(path, [rooted(glob)])));
  if (missing.length === 0) return [exactPass('the files are there')];
  return missing.map((path) => exactViolation(`missing: ${path}`, [{ excerpt: path, matched: path }]));
}

/** An answer, a message or a plan that no project is shown with. */
const isProseAlone = (subject: Subject): boolean =>
  subject.files.length === 0 && PROSE_PLACES.some((place) => subject[place] !== undefined);

const UNKNOWN = exactUndecided('it is not known which files the project has');

/** A required path without wildcards means that very file, not one of its name in some folder. */
const rooted = (glob: string): string => (/[*?[{/]/.test(glob) ? glob : `./${glob}`);

function pathsOf({ project, files }: Subject): readonly string[] | undefined {
  if (project === undefined) return undefined;
  const gone = new Set(files.filter(({ change }) => change === 'deleted').map(({ path }) => path));
  return [
    ...new Set([
      ...project.filter((path) => !gone.has(path)),
      ...files.filter(({ change }) => change !== 'deleted').map(({ path }) => path),
    ]),
  ];
}
