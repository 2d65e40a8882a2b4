import { checkPattern, classifyPath } from '../../base/paths.ts';
import { getTouchedPaths } from '../../base/changed-file.ts';
import type { RuleCheck, RuleRemark } from '../model/rule.ts';
import type { Check } from './check.ts';
import { exactPass, violatedBy } from './exact-match.ts';
import { settingFault, textsOf } from './settings.ts';

const SCOPE_KEYS = ['allowed_paths', 'allow', 'forbidden_paths', 'forbid'];

/** A change stays within the allowed paths and out of the forbidden ones; both sides of a move count. */
export const SCOPE: Check = {
  type: 'scope',
  keys: SCOPE_KEYS,
  lint,
  run: (check, _rule, subject) => {
    const changed = subject.files.filter(({ change }) => change !== 'whole').flatMap(getTouchedPaths);
    if (changed.length === 0) return [];
    const allowed = textsOf(check, 'allowed_paths', 'allow');
    const scope = {
      allowedPaths: allowed.length === 0 ? EVERYTHING : allowed,
      forbiddenPaths: textsOf(check, 'forbidden_paths', 'forbid'),
    };
    const outside = changed.filter((path) => {
      const answer = classifyPath(path, scope);
      return answer === 'outside' || answer === 'forbidden' || (answer === 'protected' && allowed.length > 0);
    });
    return [
      outside.length === 0
        ? exactPass('every changed path is in scope')
        : violatedBy('a changed path is out of scope', outside),
    ];
  },
};

const EVERYTHING: readonly string[] = ['**'];

function lint(check: RuleCheck): readonly RuleRemark[] {
  const keys = SCOPE_KEYS.filter((key) => check[key] !== undefined);
  if (keys.length === 0)
    return settingFault('allowed_paths', 'allowed_paths or forbidden_paths is missing: name at least one pattern');
  return keys.flatMap((key) =>
    textsOf(check, key).flatMap((pattern, at) => {
      const fault = checkPattern(pattern);
      return fault === undefined ? [] : settingFault([key, at], fault);
    }),
  );
}
