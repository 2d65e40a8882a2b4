import { formatValue } from '../../base/fault.ts';
import type { InspectionContext, Subject } from '../model/inspection.ts';
import type { Rule, RuleExample, RuleRemark } from '../model/rule.ts';
import { PROSE_PLACES, type ProsePlace, type RuleStatus } from '../model/rule-words.ts';
import { checkRule, mergeMatches } from '../run-rules.ts';

export interface ExampleResult {
  readonly kind: 'violates' | 'passes';
  readonly at: number;
  readonly example: string;
  readonly status: RuleStatus;
  readonly passed: boolean;
}

export async function tryExamples(rule: Rule): Promise<readonly ExampleResult[]> {
  const results: ExampleResult[] = [];
  for (const kind of ['violates', 'passes'] as const) {
    for (const [at, example] of rule.tests[kind].entries()) {
      const status = await statusOf(rule, example);
      const passed = kind === 'violates' ? status === 'VIOLATED' : status !== 'VIOLATED' && status !== 'ERROR';
      results.push({ kind, at, example: formatValue(example), status, passed });
    }
  }
  return results;
}

/** The examples that came out otherwise than they say, as faults of the rule. */
export async function selfTestFaults(rule: Rule): Promise<readonly RuleRemark[]> {
  const results = await tryExamples(rule);
  return results
    .filter(({ passed }) => !passed)
    .map(({ kind, at, example, status }) => ({
      path: ['tests', kind, at],
      message: `the rule's own example ${example} comes out as ${status}`,
      remedy:
        kind === 'violates'
          ? 'correct the rule until it finds it, or the example'
          : 'correct the rule until it lets it pass, or the example',
    }));
}

/** An example as the subject of the rule; a plain text goes where the rule looks. */
export function subjectOf(rule: Rule, example: RuleExample): Subject {
  const { text, plan, file } =
    typeof example === 'string' ? { text: example, plan: undefined, file: undefined } : example;
  const prose: Partial<Record<ProsePlace, string>> = plan === undefined ? {} : { plan };
  if (text === undefined && file === undefined) return { files: [], ...prose };
  const place =
    (rule.enforcement_expression === undefined ? rule.match?.on : (rule.match?.on ?? 'response')) ??
    (rule.match === undefined && rule.checks.every(({ type }) => type === 'plan') ? 'plan' : 'added_lines');
  if (file === undefined && isProse(place)) return { files: [], [place]: text, ...prose };
  const isPath = place === 'diff_paths' && file === undefined;
  const content = isPath ? '' : (text ?? '');
  const path = file ?? (isPath ? (text ?? '') : fileNameFor(rule));
  const added = content.split(/\r?\n/).map((line, at) => ({ line: at + 1, text: line }));
  return { files: [{ path, change: 'added', binary: false, content, added }], ...prose };
}

async function statusOf(rule: Rule, example: RuleExample): Promise<RuleStatus> {
  const session = typeof example === 'string' ? {} : (example.vars ?? {});
  const matches = await checkRule(rule, subjectOf(rule, example), { context: { ...CONTEXT, variables: { session } } });
  return matches.length === 0 ? 'NOT_APPLICABLE' : mergeMatches(matches).status;
}

/** Examples speak of the rule, not of a moment. */
const CONTEXT: InspectionContext = { now: '2000-01-01T00:00:00.000Z' };

const isProse = (place: string): place is ProsePlace => (PROSE_PLACES as readonly string[]).includes(place);

/** A file name that the rule's globs let through: `*.py` is tried on `example.py`. */
function fileNameFor({ match }: Rule): string {
  const [glob = 'example.txt'] = match?.file_patterns ?? [];
  return glob
    .replace(/\{([^,}]*)[^}]*\}/g, '$1')
    .replace(/\*\*\//g, 'src/')
    .replace(/\*+/g, 'example')
    .replace(/\[([^\]]).*?\]/g, '$1')
    .replaceAll('?', 'x');
}
