import { type Rule, type RuleCheck, type RuleRemark, looksForSomething } from '../model/rule.ts';
import type { Check } from './check.ts';
import { compilePattern, escapePattern, type MatchSpan } from '../../base/pattern.ts';
import {
  CHOICE_KEYS,
  choiceOf,
  isRequiring,
  placeOf,
  patternFault,
  textsOf,
  wrongChoice,
  wrongPlace,
} from './settings.ts';
import type { InspectionContext, MatchPlace, RuleMatch, Subject } from '../model/inspection.ts';
import { isAboutRules, isRuleFile } from '../model/rule-words.ts';
import {
  exactError,
  exactPass,
  exactUndecided,
  exactViolation,
  linesAround,
  locateMatch,
  violatedBy,
} from './exact-match.ts';
import { GAP, budgetFor, isChosen, isInFiles, selectTargets, type LookedAt } from './search-targets.ts';
import { findMatches, type StepBudget } from '../matchers/find-matches.ts';

/** Requires or forbids a pattern in added lines, files or prose. */
export const REGEX: Check = {
  type: 'regex',
  keys: ['pattern', 'not_pattern', 'flags', 'keywords', 'require', 'mode', 'should_match', ...CHOICE_KEYS],
  reads: looksInto,
  lint: (check) => [
    ...wrongPattern(check, 'pattern', true),
    ...wrongPattern(check, 'not_pattern'),
    ...wrongChoice(check),
    ...wrongPlace(check),
  ],
  run: (check, rule, subject, { context }) => matchSubject(lookupOf(check, rule), subject, context),
};

function lookupOf(check: RuleCheck, rule: Rule): Lookup {
  const isRequired = isRequiring(check);
  const { file_patterns: files, exclude_patterns: without } = choiceOf(check, rule);
  const not = check['not_pattern'];
  return {
    on: placeOf(check, rule, isRequired ? 'file' : 'added_lines'),
    mode: isRequired ? 'require' : 'forbid',
    pattern: withFlags(check),
    ...(typeof not === 'string' ? { not_pattern: not } : {}),
    keywords: [...textsOf(check, 'keywords')],
    ...(files === undefined ? {} : { file_patterns: [...files] }),
    ...(without === undefined ? {} : { exclude_patterns: [...without] }),
  };
}

function withFlags(check: RuleCheck): string {
  const flags = typeof check['flags'] === 'string' ? check['flags'].replace(/[^is]/g, '') : '';
  return `${flags === '' ? '' : `(?${flags})`}${typeof check['pattern'] === 'string' ? check['pattern'] : ''}`;
}

function wrongPattern(check: RuleCheck, key: string, isNeeded = false): readonly RuleRemark[] {
  const value = check[key];
  if (value === undefined)
    return isNeeded ? patternFault(key, `${key} is missing: write a regular expression in single quotes`) : [];
  if (typeof value !== 'string') return patternFault(key, `${key} must be a text`);
  const made = compilePattern(value);
  if (!made.ok) return patternFault(key, made.why);
  return /\p{Cc}/u.test(value) ? patternFault(key, 'the pattern holds a control character') : [];
}

/** What is looked for, and where. */
type Lookup = NonNullable<Rule['match']>;

/** Looks for what a rule forbids or requires, in the place it names; an empty list when no such place is there. */
export function matchSubject(match: Lookup, subject: Subject, context: InspectionContext): readonly RuleMatch[] {
  if (!looksForSomething(match)) return [];
  if (match.pattern === undefined && (match.keywords ?? []).length === 0) return changedPaths(match, subject);
  const search = searchFor(match);
  if (typeof search === 'string') return [exactError(search)];
  const known = selectTargets(
    subject,
    match.on,
    isInFiles(match.on) ? { ...match, reads: (path) => looksInto(path, match.file_patterns) } : match,
  );
  const texts = match.mode === 'require' ? known.filter(({ isPieces }) => isPieces === undefined) : known;
  if (texts.length === 0) return [];
  const budget = budgetFor(subject, context).share();
  const found = texts.map((text) => ({ text, ...search(text, budget) }));
  const unchecked = found.flatMap(({ text, unchecked: why }) =>
    why === undefined ? [] : [`${text.file ?? describePlace(match.on)}: ${why}`],
  );
  const errors =
    unchecked.length === 0 ? [] : [exactError(`not checked to the end: ${unchecked.slice(0, 3).join('; ')}`)];
  return [...(match.mode === 'require' ? required(match, found) : forbidden(match, found)), ...errors];
}

/** A rule would find itself where it is written down; only one that is about files of rules looks into them. */
export function looksInto(path: string, only: readonly string[] = []): boolean {
  return !isRuleFile(path) || only.some(isAboutRules);
}

interface SearchResult {
  readonly text: LookedAt;
  readonly spans: readonly MatchSpan[];
  readonly unchecked?: string | undefined;
}
type Search = (text: LookedAt, budget: StepBudget) => Omit<SearchResult, 'text'>;

/** How a text is searched; a sentence where the rule cannot be run. */
function searchFor({ pattern, not_pattern: not, keywords = [] }: Lookup): Search | string {
  const wanted = compilePattern(pattern ?? keywords.map(quoted).join('|'));
  if (!wanted.ok) return wanted.why;
  const excused = not === undefined ? undefined : compilePattern(not);
  if (excused?.ok === false) return excused.why;
  return ({ haystack }, budget) => {
    const { spans, unchecked } = findMatches(wanted.value, haystack, { keywords, budget });
    const kept = spans.filter((span) => !haystack.text.slice(span.start, span.end).includes(GAP));
    return {
      spans:
        excused === undefined
          ? kept
          : kept.filter(({ start, end }) => {
              const { from, to } = linesAround(haystack.text, { start, end });
              const line = haystack.text.slice(Math.max(from, start - LONGEST_LINE), Math.min(to, end + LONGEST_LINE));
              return !excused.value.test(line, (steps) => void budget.spend(steps));
            }),
      unchecked,
    };
  };
}

const quoted = (word: string): string => `(?i:${escapePattern(word)})`;

function forbidden(match: Lookup, found: readonly SearchResult[]): readonly RuleMatch[] {
  const places = found.flatMap(({ text, spans }) => spans.map((span) => locateMatch(text, span)));
  if (places.length > 0) return [exactViolation(`${describePlace(match.on)} hold what the rule forbids`, places)];
  const partial = found.find(({ text }) => text.isPartial);
  if (partial !== undefined) return [partlyKnown(partial)];
  return found.some(({ unchecked }) => unchecked !== undefined)
    ? []
    : [exactPass(`${describePlace(match.on)} do not hold what the rule forbids`)];
}

const partlyKnown = ({ text: { file = 'a file' } }: SearchResult): RuleMatch =>
  exactUndecided(`only the added lines of ${file} are known, not the whole file`);

/** In each text of its own; of the changed paths, one is enough. */
function required(match: Lookup, found: readonly SearchResult[]): readonly RuleMatch[] {
  if (match.on === 'diff_paths' && found.some(({ spans }) => spans.length > 0))
    return [exactPass('a changed path is what the rule requires')];
  const missing = found.filter(({ spans, unchecked }) => spans.length === 0 && unchecked === undefined);
  const partial = missing.find(({ text }) => text.isPartial);
  const absent = missing.filter(({ text }) => text.isPartial === undefined);
  if (absent.length > 0) {
    const places: readonly MatchPlace[] =
      match.on === 'diff_paths'
        ? []
        : absent.flatMap(({ text: { file } }) => (file === undefined ? [] : [{ file, excerpt: '', matched: '' }]));
    return [exactViolation(`${describePlace(match.on)} lack what the rule requires`, places)];
  }
  if (partial !== undefined) return [partlyKnown(partial)];
  return found.some(({ unchecked }) => unchecked !== undefined)
    ? []
    : [exactPass(`${describePlace(match.on)} hold what the rule requires`)];
}

/** A rule about paths that names only globs: which changed files match them. */
function changedPaths(match: Lookup, subject: Subject): readonly RuleMatch[] {
  if ((match.file_patterns ?? []).length === 0 || subject.files.length === 0) return [];
  const hit = subject.files.filter(({ path }) => isChosen(path, match));
  if (match.mode === 'require')
    return [
      hit.length > 0
        ? exactPass('a changed path is what the rule requires')
        : exactViolation('no changed path is what the rule requires', []),
    ];
  if (hit.length === 0) return [exactPass('no changed path is what the rule forbids')];
  return [
    violatedBy(
      'a changed path is what the rule forbids',
      hit.map(({ path }) => path),
    ),
  ];
}

function describePlace(place: Lookup['on']): string {
  return {
    added_lines: 'the added lines',
    file: 'the file\u2019s lines',
    diff_paths: 'the changed paths',
    plan: 'the words of the plan',
    contract: 'the words of the contract',
    response: 'the words of the answer',
    report: 'the words of the report',
    review: 'the lines and words under review',
    message: 'the words of the message',
    test_output: 'the lines of the test output',
  }[place];
}

const LONGEST_LINE = 4096;
