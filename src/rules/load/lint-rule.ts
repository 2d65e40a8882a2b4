import type { JsonPath } from '../../base/fault.ts';
import { findNearestWord } from '../../base/find-nearest-word.ts';
import type { Rule } from '../model/rule.ts';
import { CHECKS, lintChecks } from '../checks/index.ts';
import { looksForSomething } from '../checks/match-subject.ts';
import { impliedMetric } from '../checks/metric.ts';
import { compileExpression } from '../expressions/compile-expression.ts';
import { BUILT_IN } from '../variables/extract-from.ts';
import { extractFault } from '../variables/own-extract.ts';
import type { RuleRemark } from './rule-faults.ts';
import { STATUSES } from '../../base/names.ts';
import { PROSE_PLACES, type Phase, type RulePlace } from '../model/rule-words.ts';
import { isJudged, isOfAnswers } from '../lanes/judge-response.ts';

/** The faults of a rule beyond its shape: invalid patterns, unknown checks, impossible settings. */
export function lintRule(rule: Rule): { readonly faults: readonly RuleRemark[]; readonly notes: readonly string[] } {
  return {
    faults: [...lookupFaults(rule), ...expressionFaults(rule), ...extractFaults(rule), ...scopeFaults(rule)],
    notes: [...idleNotes(rule), ...expressionNotes(rule), ...filterNotes(rule), ...idleParts(rule)],
  };
}

/** What the checks themselves say: patterns, globs, settings. */
function lookupFaults(rule: Rule): RuleRemark[] {
  return lintChecks(rule).map(({ path, message }) => ({ path, message, remedy: remedyFor(rule, path) }));
}

function remedyFor(rule: Rule, [part, at, key = at]: JsonPath): string {
  const known = CHECKS.map(({ type }) => type);
  const isType = part === 'checks' && key === 'type';
  const nearest = isType ? findNearestWord(rule.checks[Number(at)]?.type ?? '', known) : undefined;
  if (nearest !== undefined) return `the nearest is \`${nearest}\``;
  return String(key).endsWith('pattern')
    ? 'RE2 syntax, in single quotes; for look-around use `not_pattern` or `mode: require`'
    : 'correct it';
}

function scopeFaults({ scope, scope_id: id, condition_text: condition }: Rule): RuleRemark[] {
  if (scope === 'GLOBAL' || id !== undefined || condition !== undefined) return [];
  return [
    {
      path: ['scope'],
      message: `it is unknown when scope ${scope} is in force`,
      remedy: 'describe it in `condition_text`, or make it GLOBAL',
    },
  ];
}

/** A rule that looks for nothing is not refused: it may only be told to agents. */
function idleNotes(rule: Rule): string[] {
  const prose = `${rule.content ?? ''}${rule.action_text ?? ''}`.trim();
  const checks =
    rule.checks.length > 0 || impliedMetric(rule) !== undefined || rule.enforcement_expression !== undefined;
  const looks = looksForSomething(rule.match) || checks;
  return looks || prose !== '' ? [] : [`${rule.id}: there is nothing to look for, so it never finds anything`];
}

/** An expression is read when the rule is: what cannot be evaluated is found before anything depends on it. */
function expressionFaults({ enforcement_expression: expression }: Rule): RuleRemark[] {
  if (expression === undefined) return [];
  const made = compileExpression(expression);
  if (made.ok) return [];
  const { message, at, remedy } = made.why;
  return [
    {
      path: ['enforcement_expression'],
      message: `${JSON.stringify(expression.slice(0, 120))} cannot be evaluated: ${message} (character ${at + 1})`,
      remedy: remedy ?? 'correct it; docs/rules.md says what an expression may hold',
    },
  ];
}

function extractFaults({ extract = {} }: Rule): RuleRemark[] {
  return Object.entries(extract).flatMap(([name, entry]) => {
    const fault = extractFault(entry);
    return fault === undefined
      ? []
      : [
          {
            path: ['extract', name],
            message: fault,
            remedy: 'RE2 syntax, in single quotes; look-around is not needed where a group says what is meant',
          },
        ];
  });
}

/** A variable that no text provides comes from elsewhere, so the rule alone cannot show it. */
function expressionNotes({ id, enforcement_expression: expression, extract = {} }: Rule): string[] {
  const made = expression === undefined ? undefined : compileExpression(expression);
  const used = made?.ok === true ? made.value.variables : [];
  const given = used.filter((name) => !Object.hasOwn(extract, name) && !BUILT_IN.includes(name));
  const idle = Object.keys(extract).filter((name) => !used.includes(name));
  return [
    ...(given.length === 0
      ? []
      : [
          `${id}: no text says ${given.join(', ')}: give it with --var, as a variable of the task, or under \`extract\``,
        ]),
    ...idle.map((name) => `${id}: nothing asks for \`${name}\`, which \`extract\` reads`),
  ];
}

const FILTER_KEYS = ['agent_type', 'task_status', 'phase', 'quality'];

function filterNotes({ id, match }: Rule): string[] {
  const unknown = Object.keys(match?.context_filter ?? {}).filter((key) => !FILTER_KEYS.includes(key));
  return unknown.map(
    (key) => `${id}: nothing in andon says \`${key.slice(0, 60)}\`, so context_filter never lets the rule apply`,
  );
}

/** Whether a part of a rule has no effect, and the sentence that says so. */
type IdleRow = readonly [isIdle: boolean, note: string];

/** Parts of a rule that have no effect, a sentence each. */
export const idleParts = (rule: Rule): readonly string[] =>
  [...metricRows(rule), ...placeRows(rule), ...scopeRows(rule), ...otherRows(rule)].flatMap(([isIdle, note]) =>
    isIdle ? [`${rule.id}: ${note}`] : [],
  );

function metricRows(rule: Rule): readonly IdleRow[] {
  const { metric, metric_threshold: bound } = rule.metadata;
  const hasPattern = rule.match?.pattern !== undefined;
  const isOverruled = typeof bound === 'number' && impliedMetric(rule) === undefined;
  const instead = hasPattern ? 'a pattern' : 'checks of its own';
  return [
    [metric !== undefined && bound === undefined, 'metadata.metric measures nothing without metadata.metric_threshold'],
    [
      bound !== undefined && typeof bound !== 'number' && impliedMetric(rule) === undefined,
      'metadata.metric_threshold is no number, so nothing is measured',
    ],
    [
      isOverruled && (hasPattern || rule.checks.length > 0),
      `metadata.metric_threshold measures nothing beside ${instead}; a check of the type metric does`,
    ],
  ];
}

const PLACES_OF: Readonly<Record<Phase, readonly RulePlace[]>> = {
  ANALYSIS: ['plan'],
  TASKS: ['contract', 'plan'],
  IMPLEMENTATION: ['added_lines', 'file', 'diff_paths', 'response'],
  REVIEW: ['added_lines', 'file', 'diff_paths', 'review', 'response', 'report'],
  TEST: ['test_output'],
};
/** Messages are checked by rules of their own moment. */
const PROSE: readonly RulePlace[] = PROSE_PLACES.filter((place) => place !== 'message');

/** A rule whose place is shown in none of its phases; agents talk in every phase. */
function placeRows({ phase, match, enforcement_expression: expression, soft_hooks: hooks }: Rule): readonly IdleRow[] {
  const looks = looksForSomething(match);
  if (!looks && expression === undefined) return [];
  const place = match?.on ?? 'response';
  const phases = [...phase, ...[hooks?.priority_boost_phase ?? []].flat()];
  const isShown = place === 'message' || phases.some((one) => PLACES_OF[one].includes(place));
  const verb = looks ? 'it looks at' : 'its expression asks about';
  const option = place === 'report' ? 'response' : place;
  const where = PROSE.includes(place) && place !== 'test_output' ? `andon check --${option}` : 'andon check and ci';
  return [
    [
      !isShown,
      `on the line ${phases.join(' and ')} ${phases.length === 1 ? 'has' : 'have'} no ${place}, which ${verb}: there it never acts (${where} may)`,
    ],
    [
      (match?.file_patterns ?? []).length > 0 && PROSE.includes(place),
      `file_patterns mean nothing for ${place}, which is no file`,
    ],
    [
      place === 'diff_paths' && expression !== undefined,
      'its expression is asked of the name of each changed file, never of the change; a check `{ type: metric, metric: change_lines }` limits its size',
    ],
  ];
}

function scopeRows({ scope, scope_id: name }: Rule): readonly IdleRow[] {
  if (name === undefined) return [];
  const shown = name.slice(0, 60);
  const nearest = findNearestWord(name, STATUSES);
  const meant = nearest === undefined ? '' : `; the nearest is ${nearest}`;
  return [
    [scope === 'GLOBAL', `scope_id ${shown} means nothing with scope GLOBAL`],
    [
      scope === 'SCENARIO',
      `SCENARIO ${shown} is in force only with --scenario ${shown}, or metadata.scenario of a contract`,
    ],
    [
      scope === 'STEP' && !(STATUSES as readonly string[]).includes(name),
      `STEP ${shown} is no status of the line, so it is in force only with --scenario ${shown}${meant}`,
    ],
  ];
}

/** Parts that belong to another handler (a hard constraint stops, whatever its handler) or only to rules about answers. */
function otherRows(rule: Rule): readonly IdleRow[] {
  const { handler, phase, match, action_text: action, enforcement_expression: expression } = rule;
  const isReminder = (handler === 'LOG_ONLY' || handler === 'SOFT_HOOK') && !rule.is_hard_constraint;
  const hasAction = action !== undefined && action.trim() !== '';
  const parts: readonly (readonly [isIdle: boolean, part: string])[] = [
    [rule.soft_hooks !== undefined && handler !== 'SOFT_HOOK', 'soft_hooks'],
    [rule.metadata['priority_boost'] === true && handler !== 'SOFT_HOOK', 'metadata.priority_boost'],
    [rule.quick_fix !== undefined && handler !== 'QUICK_FIX', 'quick_fix'],
    [rule.rollback === true && isReminder, 'rollback'],
  ];
  return [
    ...parts.map(([isIdle, part]): IdleRow => [isIdle, `${part} has no effect with ${handler}`]),
    [
      hasAction && isJudged(rule) && !isOfAnswers(rule),
      `nothing judges ${match?.on ?? ''} by action_text: lane 2 is about answers (on: response or report)`,
    ],
    [
      hasAction && !phase.includes('IMPLEMENTATION') && !phase.includes('REVIEW'),
      `no agent answers in ${phase.join(' or ')}, so action_text has no effect on the line`,
    ],
    [rule.fallback !== undefined && !isOfAnswers(rule), 'fallback has no effect: the rule is not about answers'],
    [
      rule.on_missing !== 'not_applicable' && expression === undefined,
      'on_missing means nothing without an enforcement_expression',
    ],
    [rule.attached_tool_ids.length > 0, 'attached_tool_ids are kept and handed on; andon itself runs no tool'],
  ];
}
