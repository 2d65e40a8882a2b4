import { findNearestWord } from '../../../base/find-nearest-word.ts';
import { matchesGlobs } from '../../../base/path-globs.ts';
import { listFilePatterns, placeOf } from '../../checks/settings.ts';
import { needsSignature, type Suppressions } from '../../enforce/suppress.ts';
import { isExpired, type Waiver } from '../../model/inspection.ts';
import type { Rule, Rulebook } from '../../model/rule.ts';
import { GROUNDING, PROSE_PLACES, RELEVANCE, type RulePlace } from '../../model/rule-words.ts';
import { WAIVERS_FILE } from '../../load/waiver-file.ts';

/** Rules that look at no file of this project, by its committed `paths`, and waivers that waive nothing. */
export function listWithoutEffect(
  { rules, faults, suppressions }: Pick<Rulebook, 'rules' | 'faults'> & { readonly suppressions: Suppressions },
  paths: readonly string[],
  now: string,
): Rulebook['notes'] {
  // What is shipped is meant for every project.
  const own = rules.filter(({ source }) => paths.length > 0 && !source.name.startsWith('andon/'));
  const idle = own.flatMap(({ rule, source }) =>
    listUnmatched(rule, paths).map((note) => ({ source, message: `${rule.id}: ${note}` })),
  );
  const known = new Map(rules.map(({ rule }) => [rule.id, rule]));
  const waived = suppressions.waivers.flatMap((waiver) => {
    // The waiver of a rule with a fault is not at fault itself.
    const why = faults.length > 0 && !known.has(waiver.rule) ? undefined : explainIdle(waiver, known, now);
    return why === undefined ? [] : [`the waiver for ${waiver.rule} (${waiver.owner}) ${why}`];
  });
  return [...idle, ...waived.map((message) => ({ source: { name: WAIVERS_FILE }, message }))];
}

function listUnmatched(rule: Rule, paths: readonly string[]): readonly string[] {
  const { match, checks } = rule;
  const chosen = [
    match !== undefined && !NO_FILES.includes(match.on) ? (match.file_patterns ?? []) : [],
    ...checks.map((check) => (NO_FILES.includes(placeOf(check, rule)) ? [] : (listFilePatterns(check) ?? []))),
  ];
  return chosen
    .filter((globs) => globs.length > 0 && !paths.some((path) => matchesGlobs(path, globs)))
    .map((globs) => `no committed file matches its file_patterns: ${globs.join(', ')}`);
}

/** Prose is in no file, and a path that must not be there is looked for among the changed ones. */
const NO_FILES: readonly RulePlace[] = [...PROSE_PLACES, 'diff_paths'];

function explainIdle(waiver: Waiver, known: ReadonlyMap<string, Rule>, now: string): string | undefined {
  if (isExpired(waiver, now)) return `expired on ${waiver.expires} and does not count`;
  if (waiver.rule === RELEVANCE || waiver.rule === GROUNDING) return undefined;
  const rule = known.get(waiver.rule);
  if (rule === undefined) {
    const nearest = findNearestWord(waiver.rule, [...known.keys()]);
    return `waives nothing: no rule has this id${nearest === undefined ? '' : `; the nearest is ${nearest}`}`;
  }
  const { is_hard_constraint: hard, priority, waivable } = rule;
  const isSigned = waiver.signed_by !== undefined;
  return isSigned || !needsSignature({ hard, priority, ...(waivable ? {} : { waivable: false as const }) })
    ? undefined
    : 'does not count: such a rule is waived only with signed_by, the name of the human who answers for it';
}
