import { STATUSES } from '../../base/names.ts';
import { nearestWord } from '../../base/nearest-word.ts';
import type { Rule } from '../../rule-model/rule.ts';
import type { Phase, RulePlace } from '../../rule-model/rule-words.ts';
import { impliedMetric } from '../checks/metric.ts';
import { mayAct } from '../enforce/ladder.ts';
import { isJudged, isOfAnswers } from '../lanes/judge.ts';

/** Everything in a rule that has no effect where it stands, a sentence each; a rule of which every part acts has none. */
export const idleParts = (rule: Rule): readonly string[] =>
  [
    ...metricNotes(rule),
    ...placeNotes(rule),
    ...judgeNotes(rule),
    ...scopeNotes(rule),
    ...hookNotes(rule),
    ...handlerNotes(rule),
    ...answerNotes(rule),
    ...toolNotes(rule),
  ].map((note) => `${rule.id}: ${note}`);

function metricNotes(rule: Rule): string[] {
  const { metadata, match, checks } = rule;
  const bound = metadata['metric_threshold'];
  if (bound === undefined)
    return metadata['metric'] === undefined
      ? []
      : ['metadata.metric measures nothing without metadata.metric_threshold'];
  if (impliedMetric(rule) !== undefined) return [];
  if (typeof bound !== 'number') return ['metadata.metric_threshold is no number, so nothing is measured'];
  const instead = match?.pattern !== undefined ? 'a pattern' : checks.length > 0 ? 'checks of its own' : undefined;
  return instead === undefined
    ? []
    : [`metadata.metric_threshold measures nothing beside ${instead}; a check of the type metric does`];
}

/** What there is to look at in each phase of the line. */
const PLACES_OF: Readonly<Record<Phase, readonly RulePlace[]>> = {
  ANALYSIS: ['plan'],
  TASKS: ['contract', 'plan'],
  IMPLEMENTATION: ['added_lines', 'file', 'diff_paths', 'response'],
  REVIEW: ['added_lines', 'file', 'diff_paths', 'review', 'response', 'report'],
  TEST: ['test_output'],
};
const PROSE: readonly RulePlace[] = ['plan', 'contract', 'response', 'report', 'test_output'];

/** Where a rule looks that none of its phases shows. */
function placeNotes({ phase, match, enforcement_expression: expression, soft_hooks: hooks }: Rule): string[] {
  const looks = match?.pattern !== undefined || (match?.keywords ?? []).length > 0 || match?.on === 'diff_paths';
  if (!looks && expression === undefined) return [];
  const place = match?.on ?? 'response';
  const boosted = hooks?.priority_boost_phase;
  const phases = [...phase, ...(boosted === undefined ? [] : [boosted])];
  const what = expression !== undefined && !looks ? 'its expression asks about' : 'it looks at';
  const where =
    PROSE.includes(place) && place !== 'test_output'
      ? `andon check --${place === 'report' ? 'response' : place}`
      : 'andon check and ci';
  return [
    ...(place === 'message' || phases.some((one) => PLACES_OF[one].includes(place)) // agents talk in every phase
      ? []
      : [
          `on the line ${phases.join(' and ')} ${phases.length === 1 ? 'has' : 'have'} no ${place}, which ${what}: there it never acts (${where} may)`,
        ]),
    ...((match?.file_patterns ?? []).length > 0 && PROSE.includes(place)
      ? [`file_patterns mean nothing for ${place}, which is no file`]
      : []),
  ];
}

/** What is to be judged must be an answer; and only who answers is told. */
function judgeNotes(rule: Rule): string[] {
  const { phase, match, action_text: action } = rule;
  if (action === undefined || action.trim() === '') return [];
  const answers = phase.some((one) => one === 'IMPLEMENTATION' || one === 'REVIEW');
  return [
    ...(isJudged(rule) && !isOfAnswers(rule)
      ? [`nothing judges ${match?.on ?? ''} by action_text: lane 2 is about answers (on: response or report)`]
      : []),
    ...(answers ? [] : [`nobody answers in ${phase.join(' or ')}, so action_text is told to nobody on the line`]),
  ];
}

function scopeNotes({ scope, scope_id: name }: Rule): string[] {
  if (name === undefined) return [];
  const shown = name.slice(0, 60);
  if (scope === 'GLOBAL') return [`scope_id ${shown} means nothing with scope GLOBAL`];
  if (scope === 'SCENARIO')
    return [
      `SCENARIO ${shown} is in force only where somebody says so (--scenario ${shown}, or metadata.scenario of a contract)`,
    ];
  if ((STATUSES as readonly string[]).includes(name)) return [];
  const nearest = nearestWord(name, STATUSES);
  return [
    `STEP ${shown} is no status of the line, so it is in force only where somebody says so (--scenario ${shown})${nearest === undefined ? '' : `; the nearest is ${nearest}`}`,
  ];
}

function hookNotes({ handler, soft_hooks: hooks, metadata }: Rule): string[] {
  const boost = hooks?.priority_boost_phase;
  if (handler !== 'SOFT_HOOK')
    return [
      ...(hooks === undefined ? [] : [`soft_hooks mean nothing for ${handler}`]),
      ...(metadata['priority_boost'] === true ? [`metadata.priority_boost means nothing for ${handler}`] : []),
    ];
  return [
    ...(hooks?.enabled === false && (boost !== undefined || hooks.interceptors.length > 0)
      ? ['its soft hooks are switched off, so nothing else in soft_hooks acts']
      : []),
    ...(boost !== undefined && !mayAct('P2', boost)
      ? [`priority_boost_phase ${boost}: P2 may not act there, so the boost only puts it off`]
      : []),
    ...(metadata['enforceable'] === false && (hooks?.interceptors ?? []).length > 0
      ? ['metadata.enforceable: false keeps its interceptors from ever upgrading it']
      : []),
  ];
}

/** What belongs to another handler than its own; a hard constraint stops, whatever its handler. */
function handlerNotes({ handler, quick_fix: fix, rollback, is_hard_constraint: isHard }: Rule): string[] {
  const onlyTells = (handler === 'LOG_ONLY' || handler === 'SOFT_HOOK') && !isHard;
  return [
    ...(fix !== undefined && handler !== 'QUICK_FIX' ? [`quick_fix means nothing for ${handler}`] : []),
    ...(rollback === true && onlyTells
      ? [`rollback means nothing for ${handler}, after which nothing is done again`]
      : []),
  ];
}

/** What only rules have that answers are held against. */
function answerNotes(rule: Rule): string[] {
  const { fallback, on_missing: onMissing, enforcement_expression: expression } = rule;
  return [
    ...(fallback !== undefined && !isOfAnswers(rule)
      ? ['fallback stands in the place of no answer: the rule is about none']
      : []),
    ...(onMissing !== 'not_applicable' && expression === undefined
      ? ['on_missing means nothing without an enforcement_expression']
      : []),
  ];
}

const toolNotes = ({ attached_tool_ids: tools }: Rule): string[] =>
  tools.length === 0 ? [] : ['attached_tool_ids are kept and handed on; andon itself runs no tool'];
