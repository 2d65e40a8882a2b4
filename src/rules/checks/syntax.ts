import { findSyntax, findQueryFault } from '../../source/parse-source.ts';
import { languageNameOf, languageNames } from '../../source/languages.ts';
import { isObject } from '../../base/json-object.ts';
import type { MatchPlace, RuleMatch, Subject } from '../model/inspection.ts';
import type { Rule, RuleCheck, RuleRemark } from '../model/rule.ts';
import type { Check } from './check.ts';
import { concludeSearch, exactError, exactUndecided } from './exact-match.ts';
import { CHOICE_KEYS, choiceOf, placeOf, settingFault, wrongChoice, wrongPlace } from './settings.ts';
import { selectSources, type SourceTarget } from './source-targets.ts';
import { getErrorMessage } from '../../base/get-error-message.ts';

/** Forbids what a tree-sitter query matches; one query per language. */
export const SYNTAX: Check = {
  type: 'syntax',
  keys: ['queries', ...CHOICE_KEYS],
  reads: (path) => languageNameOf(path) !== undefined,
  lint: (check) => [...wrongQueries(check['queries']), ...wrongChoice(check), ...wrongPlace(check)],
  run,
};

function wrongQueries(queries: unknown): readonly RuleRemark[] {
  if (!isObject(queries) || Object.keys(queries).length === 0)
    return settingFault('queries', 'queries is missing: write a tree-sitter query per language');
  return Object.entries(queries).flatMap(([language, query]) => {
    const path = ['queries', language];
    if (!languageNames.includes(language))
      return settingFault(path, `andon has no grammar of ${language}; it has: ${languageNames.join(', ')}`);
    if (typeof query !== 'string' || query.length > LONGEST_QUERY)
      return settingFault(path, `write a tree-sitter query as text of at most ${LONGEST_QUERY} characters`);
    // Their regular expressions run without a limit of time.
    return /#(?:any-)?(?:not-)?match\?/.test(query)
      ? settingFault(path, 'use #eq? or #any-of? instead of #match?; a check of the type regex searches text')
      : [];
  });
}

/** The queries of a rule that a grammar refuses; it takes the grammars to tell, so `lint` cannot. */
export async function refusedQueries(rule: Rule): Promise<readonly RuleRemark[]> {
  const faults: RuleRemark[] = [];
  for (const [at, check] of rule.checks.entries()) {
    if (check.type !== SYNTAX.type || SYNTAX.lint(check, rule).length > 0) continue;
    for (const [language, query] of Object.entries(check['queries'] as Readonly<Record<string, string>>)) {
      const why = await findQueryFault(language, query);
      const path = ['checks', at, 'queries', language];
      if (why !== undefined) faults.push(...settingFault(path, `the query is not valid: ${why}`, GRAMMAR));
    }
  }
  return faults;
}

const GRAMMAR = 'write a tree-sitter query in the node names of its grammar; docs/rules.md has an example';

async function run(check: RuleCheck, rule: Rule, subject: Subject): Promise<readonly RuleMatch[]> {
  const queries = check['queries'] as Readonly<Record<string, string>>;
  const reads = (path: string): boolean => Object.hasOwn(queries, languageNameOf(path) ?? '');
  const sources = selectSources(subject, placeOf(check, rule), { ...choiceOf(check, rule), reads });
  if (sources.length === 0) return [];
  const found = await Promise.all(
    sources.map((source) => searchSource(source, queries[languageNameOf(source.path) ?? ''] ?? '')),
  );
  return concludeSearch(found, 'the syntax is forbidden', 'nothing matches the queries');
}

/** The places in a file, or why they are not known. */
type SearchResult = RuleMatch | readonly MatchPlace[];

async function searchSource(source: SourceTarget, query: string): Promise<SearchResult> {
  if (source.isFragment) return exactUndecided(`of ${source.path} only the added lines are known`);
  try {
    const matches = await findSyntax(source.path, source.text, query);
    if (matches === undefined) return exactUndecided(`${source.path} is too large to parse`);
    return matches.flatMap((span) => source.locate(span) ?? []);
  } catch (error) {
    return exactError(`the query is not valid: ${getErrorMessage(error)}`);
  }
}

const LONGEST_QUERY = 4000;
