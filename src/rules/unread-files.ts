import type { RuleMatch, Subject, SubjectFile } from '../rule-model/inspection.ts';
import type { Rule, RuleCheck } from '../rule-model/rule.ts';
import { checkOf } from './checks/index.ts';
import { choiceOf, isRequiring } from './checks/settings.ts';
import { exactError } from './checks/exact-match.ts';
import { isAdded, isChosen, isNewcomer } from './checks/search-targets.ts';
import type { FileChoice } from './checks/search-targets.ts';
import { looksInto } from './checks/match-subject.ts';

/** Says that a rule about what stands in files could not be applied to those whose text nobody could read. */
export function unreadFiles(rule: Rule, checks: readonly RuleCheck[], subject: Subject): readonly RuleMatch[] {
  const { match } = rule;
  const choices: readonly Choice[] = [
    ...(match !== undefined && looksFor(match) && isInFiles(match.on)
      ? [{ ...match, reads: (path: string) => looksInto(path, match.file_patterns) }]
      : []),
    ...checks.flatMap((check) => choiceIn(check, rule)),
  ];
  if (choices.length === 0) return [];
  const missed = subject.files.flatMap((file) => {
    const why = choices.map((choice) => whyMissed(file, choice)).find((one) => one !== undefined);
    return why === undefined ? [] : [{ path: file.path, why }];
  });
  if (missed.length === 0) return [];
  const named = missed.slice(0, 5).map(({ path, why }) => `${path} (${why})`);
  const more = missed.length > 5 ? ` and ${missed.length - 5} more` : '';
  return [exactError(`not looked into: ${named.join(', ')}${more}; exclude_patterns can leave files out`)];
}

/** Which files are looked at, and whether whole. */
type Choice = FileChoice & { readonly on: unknown };

function choiceIn(check: RuleCheck, rule: Rule): readonly Choice[] {
  const known = checkOf(check.type);
  const on = check['on'] ?? rule.match?.on ?? (isRequiring(check) ? 'file' : 'added_lines');
  if (known?.readsFiles !== true || !isInFiles(on)) return [];
  const choice = choiceOf(check, rule);
  return [{ ...choice, on, reads: (path) => known.reads?.(path, choice.file_patterns) ?? true }];
}

/** Why a choice of files is not satisfied with what is known of one; undefined when it is. */
function whyMissed(file: SubjectFile, choice: Choice): string | undefined {
  if (file.change === 'deleted' || !isChosen(file.path, choice)) return undefined;
  if (file.unread !== undefined) return file.unread;
  const isUnknown = file.all === undefined && file.content === undefined && file.isSubmodule === undefined;
  if (file.change !== 'moved' || !isUnknown) return undefined;
  return isNewcomer(file, choice) || (choice.on === 'file' && file.added.length === 0) ? MOVED_UNSEEN : undefined;
}

const MOVED_UNSEEN = 'moved, and a patch shows only what was edited in it';

const isInFiles = (on: unknown): boolean => isAdded(on) || on === 'file';

const looksFor = ({ pattern, keywords = [] }: NonNullable<Rule['match']>): boolean =>
  pattern !== undefined || keywords.length > 0;
