import type { RuleRemark } from './rule-faults.ts';
import type { WrittenRule } from './rule-file.ts';
import { SEVERITY_ALIASES } from './rule-file-words.ts';
import type { Rule } from '../../rule-model/rule.ts';
import type { Phase, RulePlace, RuleScope, RuleSeverity } from '../../rule-model/rule-words.ts';
import { PHASES } from '../../rule-model/rule-words.ts';
import { penaltyFrom } from '../enforce/consequences.ts';
import { isWeaker } from '../enforce/ladder.ts';
import type { Ladder } from '../enforce/ladder.ts';

/** A rule with every default filled in, what is wrong with it, and what was read differently from how it is written. */
export interface Normalised {
  readonly rule: Rule;
  readonly faults: readonly RuleRemark[];
  readonly notes: readonly string[];
}

/** Fills in what follows from the ladder and from older spellings; nothing of a rule is left to guess afterwards. */
export function normalise(written: WrittenRule, ladder: Ladder, fallbackCategory = 'general'): Normalised {
  const notes: string[] = [];
  const severity = severityOf(written, notes);
  const rung = ladder[severity];
  const handler = written.handler ?? rung.handler;
  const isHard = written.is_hard_constraint ?? false;
  const content = written.content ?? written.description;
  const title = written.title ?? written.name ?? written.message ?? written.id;
  const rule: Rule = {
    id: written.id,
    version: written.version ?? '1.0.0',
    title,
    severity,
    priority: rung.priority,
    modality: written.modality ?? rung.modality,
    category: written.category ?? fallbackCategory,
    tags: written.tags ?? [],
    stack: (written.stack ?? []).map((name) => name.toLowerCase()),
    phase: phasesOf(written.phase),
    handler,
    scope: scopeOf(written, notes),
    is_hard_constraint: isHard,
    checks: written.checks ?? (saysOnlyItsTitle(written) ? [{ type: 'plan' }] : []),
    on_missing: written.on_missing ?? 'not_applicable',
    message: written.message ?? title,
    agents: written.agents ?? [],
    attached_tool_ids: written.attached_tool_ids ?? [],
    waivable: waivableOf(written, isHard, rung.priority === 'P0', notes),
    tests: { violates: written.tests?.violates ?? [], passes: written.tests?.passes ?? [] },
    metadata: written.metadata ?? {},
    ...given('allow_weaker_handler', written.allow_weaker_handler),
    ...given('scope_id', written.scope_id),
    ...given('condition_text', written.condition_text),
    ...given('action_text', written.action_text),
    ...given('content', content),
    ...given('match', matchOf(written)),
    ...given('enforcement_expression', written.enforcement_expression),
    ...given('extract', written.extract),
    ...given('notify_human', written.notify_human),
    ...given('rollback', written.rollback),
    ...given(
      'iteration_penalty',
      written.iteration_penalty === undefined ? undefined : penaltyFrom(written.iteration_penalty),
    ),
    ...given('suggestion', written.suggestion),
    ...given('fallback', written.fallback),
    ...given('quick_fix', quickFixOf(written)),
    ...given('soft_hooks', softHooksOf(written.soft_hooks)),
  };
  if (isWeaker(handler, rung.handler) && written.allow_weaker_handler !== undefined)
    notes.push(
      `${rule.id}: ${handler} is weaker than ${severity} asks for (${rung.handler}): ${written.allow_weaker_handler}`,
    );
  return { rule, faults: faultsOf(written, rule, ladder), notes };
}

const given = <Key extends string, Value>(key: Key, value: Value | undefined): Partial<Record<Key, Value>> =>
  value === undefined ? {} : ({ [key]: value } as Record<Key, Value>);

function severityOf({ id, severity }: WrittenRule, notes: string[]): RuleSeverity {
  const alias = SEVERITY_ALIASES[severity];
  if (alias === undefined) return severity as RuleSeverity;
  notes.push(`${id}: severity ${severity.toLowerCase()} is read as ${alias}`);
  return alias;
}

const phasesOf = (written: WrittenRule['phase']): Phase[] => {
  if (written === undefined) return [...PHASES];
  const named = Array.isArray(written) ? written : [written];
  return PHASES.filter((phase) => named.includes(phase));
};

/** `scope: [all]` means everywhere; other names in a list are parts of another tool's project. */
function scopeOf({ id, scope }: WrittenRule, notes: string[]): RuleScope {
  if (scope === undefined || scope === 'ALL') return 'GLOBAL';
  if (typeof scope === 'string') return scope;
  const isEverywhere = scope.every((name) => /^(?:all|global)$/i.test(name));
  const further = isEverywhere ? '' : '; narrow it with `stack`, `agents` or file patterns';
  notes.push(`${id}: scope [${scope.join(', ')}] is read as GLOBAL${further}`);
  return 'GLOBAL';
}

/** A rule of which only the title says anything is meant by it, as one with a body is by its body. */
const saysOnlyItsTitle = (written: WrittenRule): boolean =>
  (written.title ?? written.name) !== undefined &&
  [written.match, written.content, written.description, written.action_text, written.enforcement_expression].every(
    (part) => part === undefined,
  ) &&
  written.metadata?.['metric_threshold'] === undefined;

/** Where a rule looks that names no place: one of the review alone at what is reviewed, any other at the added lines. */
const placeWithout = (phases: readonly Phase[]): RulePlace =>
  phases.length === 1 && phases[0] === 'REVIEW' ? 'review' : 'added_lines';

/** Where a rule looks that names no place in its `match`; one that only narrows when it holds means answers, as without `match`. */
export const usualPlace = (rule: Narrowing, phases: readonly Phase[]): RulePlace =>
  isOfAnswers(rule) ? 'response' : placeWithout(phases);

type Narrowing = Pick<WrittenRule, 'match' | 'action_text' | 'enforcement_expression'>;

const isOfAnswers = ({ match, action_text: action, enforcement_expression: expression }: Narrowing): boolean =>
  (action !== undefined || expression !== undefined) &&
  [match?.pattern, match?.not_pattern, match?.keywords, match?.file_patterns].every((part) => part === undefined);

function matchOf(written: WrittenRule): Rule['match'] {
  const { match, phase } = written;
  if (match === undefined) return undefined;
  const {
    file_patterns: files,
    exclude_patterns: excluded,
    on,
    mode,
    pattern,
    not_pattern,
    keywords,
    context_filter,
  } = match;
  return {
    on: on ?? usualPlace(written, phasesOf(phase)),
    mode: mode ?? 'forbid',
    ...given('pattern', pattern),
    ...given('not_pattern', not_pattern),
    ...given('keywords', keywords),
    ...given('file_patterns', typeof files === 'string' ? [files] : files),
    ...given('exclude_patterns', typeof excluded === 'string' ? [excluded] : excluded),
    ...given('context_filter', context_filter),
  };
}

/** The most places one quick fix may touch when nobody says. */
const MAX_FIXES = 5;

function quickFixOf({ quick_fix: fix, metadata }: WrittenRule): Rule['quick_fix'] {
  const type = fix?.type ?? metadata?.['quick_fix_type'];
  if (typeof type !== 'string') return undefined;
  const most = fix?.max_fixes ?? metadata?.['max_fixes'];
  return { type, max_fixes: typeof most === 'number' && Number.isInteger(most) && most > 0 ? most : MAX_FIXES };
}

function softHooksOf(hooks: WrittenRule['soft_hooks']): Rule['soft_hooks'] {
  if (hooks === undefined) return undefined;
  return {
    enabled: hooks.enabled ?? true,
    can_be_ignored: hooks.can_be_ignored ?? true,
    notify_on_ignore: hooks.notify_on_ignore ?? false,
    ...given('priority_boost_phase', hooks.priority_boost_phase),
    interceptors: (hooks.interceptors ?? []).map(({ type, config }) => ({ type, config: config ?? {} })),
  };
}

/** A hard constraint is waived only with `signed_by`; a rule of priority 0 only where its author says so. */
function waivableOf({ id, waivable }: WrittenRule, isHard: boolean, isP0: boolean, notes: string[]): boolean {
  if (isHard && waivable === true)
    notes.push(
      `${id}: a hard constraint is waived only with \`signed_by\`, or by you at a halt; \`waivable: true\` is not gone by`,
    );
  if (isHard) return false;
  return waivable ?? !isP0;
}

function faultsOf(written: WrittenRule, rule: Rule, ladder: Ladder): RuleRemark[] {
  const faults: RuleRemark[] = [];
  const rung = ladder[rule.severity];
  if (written.priority !== undefined && written.priority !== rung.priority)
    faults.push({
      path: ['priority'],
      message: `priority ${written.priority} does not agree with severity ${rule.severity}, which is ${rung.priority}`,
      remedy: 'remove the priority, or correct one of the two',
    });
  if (isWeaker(rule.handler, rung.handler) && written.allow_weaker_handler === undefined)
    faults.push({
      path: ['handler'],
      message: `the handler ${rule.handler} is weaker than severity ${rule.severity} asks for (${rung.handler})`,
      remedy: 'choose a stricter handler or a lower severity, or give the reason in `allow_weaker_handler`',
    });
  if (rule.is_hard_constraint && !rung.mayBeHard)
    faults.push({
      path: ['is_hard_constraint'],
      message: `a rule of severity ${rule.severity} cannot be a hard constraint`,
      remedy: 'raise the severity to HIGH or CRITICAL, or remove is_hard_constraint',
    });
  return faults;
}
