import type { RuleMatch, Subject } from '../formats/inspection.ts';
import type { Rule, RuleCheck } from '../formats/rule.ts';
import { checkOf } from './checks/index.ts';
import { choiceOf } from './checks/settings.ts';
import { exactError } from './exact-match.ts';
import { isChosen } from './looked-at.ts';
import type { FileChoice } from './looked-at.ts';

/** Says that a rule about what stands in files could not be applied to those whose text nobody could read. */
export function unreadFiles(rule: Rule, checks: readonly RuleCheck[], subject: Subject): readonly RuleMatch[] {
  const choices = [
    ...(rule.match !== undefined && looksFor(rule.match) && isInFiles(rule.match.on) ? [rule.match] : []),
    ...checks.flatMap((check): FileChoice[] =>
      checkOf(check.type)?.readsFiles === true && isInFiles(check['on'] ?? rule.match?.on ?? 'added_lines')
        ? [choiceOf(check, rule)]
        : [],
    ),
  ];
  if (choices.length === 0) return [];
  const missed = subject.files.filter(
    ({ path, unread, change }) =>
      unread !== undefined && change !== 'deleted' && choices.some((choice) => isChosen(path, choice)),
  );
  if (missed.length === 0) return [];
  const named = missed.slice(0, 5).map(({ path, unread: why }) => `${path} (${why})`);
  const more = missed.length > 5 ? ` and ${missed.length - 5} more` : '';
  return [exactError(`not looked into: ${named.join(', ')}${more}; exclude_patterns can leave files out`)];
}

const isInFiles = (on: unknown): boolean => on === 'added_lines' || on === 'file';

const looksFor = ({ pattern, keywords = [] }: NonNullable<Rule['match']>): boolean =>
  pattern !== undefined || keywords.length > 0;
