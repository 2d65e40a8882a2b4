import { languageNameOf } from '../../source/languages.ts';
import type { MatchPlace, RuleMatch, Subject, SubjectFile } from '../model/inspection.ts';
import type { Rule, RuleCheck, RuleRemark } from '../model/rule.ts';
import type { Check } from './check.ts';
import { concludeSearch, exactUndecided, cutExcerpt } from './exact-match.ts';
import { isChosen } from './search-targets.ts';
import { findFunctions } from '../../source/find-functions.ts';
import { CHOICE_KEYS, choiceOf, placeOf, settingFault, wrongChoice, wrongNumber, wrongPlace } from './settings.ts';

const BOUND_KEYS = ['max', 'threshold', 'metric_threshold'];

/** A number stays within a bound: lines of a function, of a file, or that a change adds; blocks within each other. */
export const METRIC: Check = {
  type: 'metric',
  keys: ['metric', 'name', ...BOUND_KEYS, ...CHOICE_KEYS],
  reads: () => true,
  lint,
  run,
};

/** The check of a rule that says only `metadata.metric_threshold`: no function is longer. */
export function impliedMetric(rule: Rule): RuleCheck | undefined {
  const bound = rule.metadata['metric_threshold'];
  if (typeof bound !== 'number' || rule.checks.length > 0 || rule.match?.pattern !== undefined) return undefined;
  return { type: METRIC.type, metric: rule.metadata['metric'] ?? 'function_lines', max: bound };
}

const METRICS = ['function_lines', 'file_lines', 'nesting_depth', 'change_lines'] as const;
type Metric = (typeof METRICS)[number];

function lint(check: RuleCheck): readonly RuleRemark[] {
  const kind = check['metric'] ?? check['name'] ?? 'function_lines';
  return [
    ...((METRICS as readonly unknown[]).includes(kind)
      ? []
      : settingFault('metric', `metric must be one of: ${METRICS.join(', ')}`)),
    ...(boundOf(check) === undefined
      ? settingFault('max', 'max is missing: write the largest number that is fine')
      : []),
    ...BOUND_KEYS.flatMap((key) => wrongNumber(check, key)),
    ...wrongChoice(check),
    ...wrongPlace(check),
  ];
}

function boundOf(check: RuleCheck): number | undefined {
  return BOUND_KEYS.map((key) => check[key]).find((value) => typeof value === 'number');
}

async function run(check: RuleCheck, rule: Rule, subject: Subject): Promise<readonly RuleMatch[]> {
  const metric = (check['metric'] ?? check['name'] ?? 'function_lines') as Metric;
  const bound = boundOf(check) ?? 0;
  const choice = choiceOf(check, rule);
  const isWhole = placeOf(check, rule) === 'file';
  const files = subject.files.filter(
    ({ path, binary, change }) => !binary && change !== 'deleted' && isChosen(path, choice),
  );
  if (metric === 'change_lines') return measureChange(files, bound);
  const all = await Promise.all(files.map((file) => measure(file, metric, bound, isWhole)));
  const measured = all.filter((places) => places !== undefined);
  if (measured.length === 0) return [];
  return concludeSearch(measured, `${WORDS[metric]} is above ${bound}`, `${WORDS[metric]} is at most ${bound}`);
}

/** The lines that a change adds, over all of its files. */
function measureChange(files: readonly SubjectFile[], bound: number): readonly RuleMatch[] {
  const changed = files.filter(({ change }) => change !== 'whole');
  if (changed.length === 0) return [];
  const measured = changed.reduce((sum, { added }) => sum + added.length, 0);
  const place = { excerpt: `${measured} new lines`, matched: 'change_lines', measured };
  return concludeSearch(
    [measured > bound ? [place] : []],
    `${WORDS.change_lines} is above ${bound}`,
    `${WORDS.change_lines} is at most ${bound}`,
  );
}

/**
 * The places above the bound, or why they are not known; only functions that the change touches, unless whole files are
 * meant. Undefined where the measure does not apply: a language without a grammar, or no added line.
 */
async function measure(
  { path, content, added }: SubjectFile,
  metric: Exclude<Metric, 'change_lines'>,
  bound: number,
  isWhole: boolean,
): Promise<readonly MatchPlace[] | RuleMatch | undefined> {
  if (metric !== 'file_lines' && languageNameOf(path) === undefined) return undefined;
  if (content === undefined)
    return added.length === 0 ? undefined : exactUndecided('of a file only the added lines are known');
  const lines = content.replace(/\n$/, '').split('\n');
  if (metric === 'file_lines')
    return lines.length > bound
      ? [{ file: path, excerpt: `${lines.length} lines`, matched: metric, measured: lines.length }]
      : [];
  if (metric === 'function_lines' && lines.length <= bound) return [];
  const functions = await findFunctions(path, content);
  if (functions === undefined) return exactUndecided(`${path} is too large to parse`);
  const touched = added.map(({ line }) => line);
  const heads = new Map<string, number>();
  return functions
    .map(({ first, last, depth }) => {
      const head = lines[first - 1] ?? '';
      const before = heads.get(head.trim()) ?? 0;
      heads.set(head.trim(), before + 1);
      const measured = metric === 'function_lines' ? last - first + 1 : depth;
      const matched = `${metric} ${head.trim()} ${before}`;
      return { last, place: { file: path, line: first, excerpt: cutExcerpt(head), matched, measured } };
    })
    .filter(({ last, place: { line, measured } }) => measured > bound && (isWhole || isTouched(touched, line, last)))
    .map(({ place }) => place);
}

const isTouched = (touched: readonly number[], first: number, last: number): boolean =>
  touched.some((line) => line >= first && line <= last);

const WORDS: Readonly<Record<Metric, string>> = {
  function_lines: 'the length of a function',
  file_lines: 'the length of the file',
  nesting_depth: 'the depth of a function',
  change_lines: 'the number of new lines of the change',
};
