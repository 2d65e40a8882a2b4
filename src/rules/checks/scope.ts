import { checkPattern, inScope } from '../../base/paths.ts';
import type { RuleCheck } from '../../rule-model/rule.ts';
import type { Check } from './check.ts';
import { exactPass, exactViolation } from './exact-match.ts';
import { textsOf } from './settings.ts';

/** A change stays within the allowed paths and out of the forbidden ones; both sides of a move count. */
export const SCOPE: Check = {
  type: 'scope',
  readsFiles: false,
  lint,
  run: (check, _rule, subject) => {
    const changed = subject.files
      .filter(({ change }) => change !== 'whole')
      .flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
    if (changed.length === 0) return [];
    const allowed = textsOf(check, 'allowed_paths', 'allow');
    const scope = {
      allowedPaths: allowed.length === 0 ? EVERYTHING : allowed,
      forbiddenPaths: textsOf(check, 'forbidden_paths', 'forbid'),
    };
    const outside = changed.filter((path) => {
      const answer = inScope(path, scope);
      return answer === 'outside' || answer === 'forbidden' || (answer === 'protected' && allowed.length > 0);
    });
    if (outside.length === 0) return [exactPass('every changed path is in scope')];
    return [
      exactViolation(
        'a changed path is out of scope',
        outside.map((path) => ({ file: path, excerpt: path, matched: path })),
      ),
    ];
  },
};

const EVERYTHING: readonly string[] = ['**'];

function lint(check: RuleCheck): readonly { readonly path: string; readonly message: string }[] {
  const keys = ['allowed_paths', 'allow', 'forbidden_paths', 'forbid'].filter((key) => check[key] !== undefined);
  if (keys.length === 0)
    return [
      { path: '$.allowed_paths', message: 'allowed_paths or forbidden_paths is missing: name at least one pattern' },
    ];
  return keys.flatMap((key) =>
    textsOf(check, key).flatMap((pattern, at) => {
      const fault = checkPattern(pattern);
      return fault === undefined ? [] : [{ path: `$.${key}[${at}]`, message: fault }];
    }),
  );
}
