import { looksForSomething, type Rule, type RuleRemark, type WrittenRule } from '../model/rule.ts';
import { checkOf, lintChecks } from '../checks/index.ts';
import { impliedMetric } from '../checks/metric.ts';
import { compileExpression } from '../expressions/compile-expression.ts';
import { BUILT_IN } from '../variables/extract-from.ts';
import { extractFault } from '../variables/own-extract.ts';
import { isWeaker, type Ladder, type Rung } from '../enforce/ladder.ts';
import { STATUSES } from '../../base/names.ts';
import type { Phase, RulePlace } from '../model/rule-words.ts';

/** The faults of a rule beyond its shape: invalid patterns, unknown checks, impossible settings. */
export function lintRule(
  written: WrittenRule,
  rule: Rule,
  ladder: Ladder,
): { readonly faults: readonly RuleRemark[]; readonly notes: readonly string[] } {
  const rung = ladder[rule.severity];
  return {
    faults: [
      ...rungFaults(written, rule, rung),
      ...lintChecks(rule),
      ...expressionFaults(rule),
      ...extractFaults(rule),
      ...scopeFaults(rule),
    ],
    notes: [
      ...rungNotes(written, rule, rung),
      ...idleNotes(rule),
      ...expressionNotes(rule),
      ...filterNotes(rule),
      ...ignoredNotes(rule),
      ...lineNotes(rule),
    ],
  };
}

/** What a rule says otherwise than its severity. */
function rungFaults(
  { priority, allow_weaker_handler: reason }: WrittenRule,
  { severity, handler, is_hard_constraint: isHard }: Rule,
  rung: Rung,
): RuleRemark[] {
  const faults: RuleRemark[] = [];
  if (priority !== undefined && priority !== rung.priority)
    faults.push({
      path: ['priority'],
      message: `priority ${priority} does not agree with severity ${severity}, which is ${rung.priority}`,
      remedy: 'remove the priority, or correct one of the two',
    });
  if (isWeaker(handler, rung.handler) && reason === undefined)
    faults.push({
      path: ['handler'],
      message: `the handler ${handler} is weaker than severity ${severity} asks for (${rung.handler})`,
      remedy: 'choose a stricter handler or a lower severity, or give the reason in `allow_weaker_handler`',
    });
  if (isHard && !rung.mayBeHard)
    faults.push({
      path: ['is_hard_constraint'],
      message: `a rule of severity ${severity} cannot be a hard constraint`,
      remedy: 'raise the severity to HIGH or CRITICAL, or remove is_hard_constraint',
    });
  return faults;
}

function rungNotes(
  { waivable, allow_weaker_handler: reason }: WrittenRule,
  { id, severity, handler, is_hard_constraint: isHard }: Rule,
  rung: Rung,
): string[] {
  return [
    ...(isHard && waivable === true
      ? [
          `${id}: a hard constraint is waived only with \`signed_by\`, or by you at a halt; \`waivable: true\` is not gone by`,
        ]
      : []),
    ...(isWeaker(handler, rung.handler) && reason !== undefined
      ? [`${id}: ${handler} is weaker than ${severity} asks for (${rung.handler}): ${reason}`]
      : []),
  ];
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

/** What a rule says and no check goes by: settings that its check does not have, and the frame of a pattern. */
function ignoredNotes({ id, match, checks }: Rule): string[] {
  const pattern = match?.on === 'diff_paths' ? undefined : match?.pattern; // a path may look framed
  const framed = [pattern, ...checks.map((check) => check['pattern'])].flatMap((one) =>
    typeof one === 'string' && /^\/.+\/[gimsuy]+$/.test(one) ? [one] : [],
  );
  const unknown = checks.flatMap(({ type, ...settings }) => {
    const keys = checkOf(type)?.keys ?? Object.keys(settings);
    return Object.keys(settings)
      .filter((key) => !keys.includes(key))
      .map((key) => `${id}: the check ${type} does not go by \`${key.slice(0, 60)}\`, but by ${keys.join(', ')}`);
  });
  return [
    ...framed.map((one) => `${id}: the slashes and letters around ${one} are looked for as well; write (?i) for i`),
    ...unknown,
  ];
}

const FILTER_KEYS = ['agent_type', 'task_status', 'phase', 'quality'];

function filterNotes({ id, match }: Rule): string[] {
  const unknown = Object.keys(match?.context_filter ?? {}).filter((key) => !FILTER_KEYS.includes(key));
  return unknown.map(
    (key) => `${id}: nothing in andon says \`${key.slice(0, 60)}\`, so context_filter never lets the rule apply`,
  );
}

const PLACES_OF: Readonly<Record<Phase, readonly RulePlace[]>> = {
  ANALYSIS: ['plan'],
  TASKS: ['contract', 'plan'],
  IMPLEMENTATION: ['added_lines', 'file', 'diff_paths', 'response'],
  REVIEW: ['added_lines', 'file', 'diff_paths', 'review', 'response', 'report'],
  TEST: ['test_output'],
};

/** A rule that never acts on the line: its place is shown in none of its phases, or its step is no status. */
function lineNotes(rule: Rule): string[] {
  const { id, match, scope, scope_id: name, soft_hooks: hooks } = rule;
  const place = match?.on ?? 'response';
  const phases = [...rule.phase, ...[hooks?.priority_boost_phase ?? []].flat()];
  const looks = looksForSomething(match) || rule.enforcement_expression !== undefined;
  const isShown = place === 'message' || phases.some((one) => PLACES_OF[one].includes(place)); // agents talk in every phase
  const isNoStep = scope === 'STEP' && name !== undefined && !(STATUSES as readonly string[]).includes(name);
  return [
    ...(looks && !isShown
      ? [
          `${id}: on the line it never acts: ${phases.join(' and ')} ${phases.length === 1 ? 'has' : 'have'} no ${place}`,
        ]
      : []),
    ...(isNoStep
      ? [`${id}: STEP ${name.slice(0, 60)} is no status of the line; those are ${STATUSES.join(', ')}`]
      : []),
  ];
}
