import { STATUSES } from '../../base/names.ts';
import { findNearestWord } from '../../base/nearest-word.ts';
import type { Rule } from '../model/rule.ts';
import { PROSE_PLACES, type Phase, type RulePlace } from '../model/rule-words.ts';
import { looksForSomething } from '../checks/match-subject.ts';
import { impliedMetric } from '../checks/metric.ts';
import { mayAct } from '../enforce/ladder.ts';
import { isJudged, isOfAnswers } from '../lanes/judge.ts';

/** Whether a part of a rule has no effect, and the sentence that says so. */
type IdleRow = readonly [isIdle: boolean, note: string];

/** Every part of a rule that has no effect, a sentence each. */
export const idleParts = (rule: Rule): readonly string[] =>
  [...metricRows(rule), ...placeRows(rule), ...scopeRows(rule), ...hookRows(rule), ...otherRows(rule)].flatMap(
    ([isIdle, note]) => (isIdle ? [`${rule.id}: ${note}`] : []),
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

function hookRows({ handler, soft_hooks: hooks, metadata }: Rule): readonly IdleRow[] {
  const isHook = handler === 'SOFT_HOOK';
  const boost = hooks?.priority_boost_phase;
  const hasInterceptors = (hooks?.interceptors ?? []).length > 0;
  return [
    [!isHook && hooks !== undefined, `soft_hooks mean nothing for ${handler}`],
    [!isHook && metadata['priority_boost'] === true, `metadata.priority_boost means nothing for ${handler}`],
    [
      isHook && hooks?.enabled === false && (boost !== undefined || hasInterceptors),
      'its soft hooks are switched off, so nothing else in soft_hooks acts',
    ],
    [
      isHook && boost !== undefined && !mayAct('P2', boost),
      `priority_boost_phase ${boost}: P2 may not act there, so the boost only puts it off`,
    ],
    [
      isHook && metadata['enforceable'] === false && hasInterceptors,
      'metadata.enforceable: false keeps its interceptors from ever upgrading it',
    ],
  ];
}

/** Parts that belong to another handler (a hard constraint stops, whatever its handler) or only to rules about answers. */
function otherRows(rule: Rule): readonly IdleRow[] {
  const { handler, phase, match, action_text: action, enforcement_expression: expression } = rule;
  const isReminder = (handler === 'LOG_ONLY' || handler === 'SOFT_HOOK') && !rule.is_hard_constraint;
  const hasAction = action !== undefined && action.trim() !== '';
  return [
    [
      hasAction && isJudged(rule) && !isOfAnswers(rule),
      `nothing judges ${match?.on ?? ''} by action_text: lane 2 is about answers (on: response or report)`,
    ],
    [
      hasAction && !phase.includes('IMPLEMENTATION') && !phase.includes('REVIEW'),
      `no agent answers in ${phase.join(' or ')}, so action_text has no effect on the line`,
    ],
    [rule.quick_fix !== undefined && handler !== 'QUICK_FIX', `quick_fix means nothing for ${handler}`],
    [rule.rollback === true && isReminder, `rollback means nothing for ${handler}, after which nothing is done again`],
    [rule.fallback !== undefined && !isOfAnswers(rule), 'fallback has no effect: the rule is not about answers'],
    [
      rule.on_missing !== 'not_applicable' && expression === undefined,
      'on_missing means nothing without an enforcement_expression',
    ],
    [rule.attached_tool_ids.length > 0, 'attached_tool_ids are kept and handed on; andon itself runs no tool'],
  ];
}
