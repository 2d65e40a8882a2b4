import { isOlder } from '../../base/find-version.ts';
import type { Rule, PlacedRule, Rulebook, RuleNote } from '../model/rule.ts';
import { faultAt, formatRuleSource, type RuleFault } from '../../project/config/rule-fault.ts';
import { MODALITIES, PHASES, RULE_SEVERITIES } from '../model/rule-words.ts';
import { isWeaker } from '../enforce/ladder.ts';

/** What comes of a rule whose id is there already. */
export type Registration =
  | { readonly kind: 'added' | 'same' | 'replaced' | 'kept' }
  | { readonly kind: 'refused'; readonly why: string; readonly remedy: string };

/** Whether a rule may take the place of one with the same id: a higher version does, other content under the same version never. */
export function register(there: Rule | undefined, incoming: Rule): Registration {
  if (there === undefined) return { kind: 'added' };
  if (sameContent(there, incoming)) return { kind: 'same' };
  if (isOlder(there.version, incoming.version)) return override(there, incoming);
  if (isOlder(incoming.version, there.version)) return { kind: 'kept' };
  return {
    kind: 'refused',
    why: `${incoming.id} is there already, with the same version ${there.version} and other content`,
    remedy: 'give one of them another id, or the newer one a higher version',
  };
}

/** Whether a project's rule may override an inherited one: hard constraints and P0 may only become stricter. */
export function override(parent: Rule, child: Rule): Registration {
  if (!parent.is_hard_constraint && parent.priority !== 'P0') return { kind: 'replaced' };
  const weaker = weakerIn(parent, child);
  if (weaker.length === 0) return { kind: 'replaced' };
  const what = parent.is_hard_constraint ? 'a hard constraint' : 'of priority P0';
  return {
    kind: 'refused',
    why: `${child.id} is inherited and ${what}; it may not be weakened (${weaker.join(', ')})`,
    remedy: 'leave these as they are, or write a rule of your own under another id',
  };
}

/** In what a child does less than its parent; what is looked for must be the same, because no comparison could tell. */
function weakerIn(parent: Rule, child: Rule): string[] {
  const less: readonly (readonly [string, boolean])[] = [
    ['severity', RULE_SEVERITIES.indexOf(child.severity) > RULE_SEVERITIES.indexOf(parent.severity)],
    ['handler', isWeaker(child.handler, parent.handler)],
    ['modality', MODALITIES.indexOf(child.modality) > MODALITIES.indexOf(parent.modality)],
    ['is_hard_constraint', parent.is_hard_constraint && !child.is_hard_constraint],
    ['waivable', child.waivable && !parent.waivable],
    ['scope', parent.scope === 'GLOBAL' && child.scope !== 'GLOBAL'],
    ['phase', PHASES.some((phase) => parent.phase.includes(phase) && !child.phase.includes(phase))],
    ['stack', narrows(parent.stack, child.stack)],
    ['agents', narrows(parent.agents, child.agents)],
    ...(
      [
        'match',
        'checks',
        'content',
        'condition_text',
        'action_text',
        'enforcement_expression',
        'extract',
        'on_missing',
      ] as const
    ).map((key) => [key, !isSame(parent[key], child[key])] as const),
  ];
  return less.filter(([, is]) => is).map(([name]) => name);
}

/** An empty list means all of them. */
const narrows = (parent: readonly string[], child: readonly string[]): boolean =>
  child.length > 0 && (parent.length === 0 || parent.some((name) => !child.includes(name)));

const sameContent = (a: Rule, b: Rule): boolean =>
  isSame({ ...a, version: '' }, { ...b, version: '' }) && a.version === b.version;

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, one]) => [key, sorted(one)]));
}

/** Rules of packs and of the project put together, in a stable order: the first place of an id stays its place. */
export function putTogether(packs: readonly PlacedRule[], own: readonly PlacedRule[]): Rulebook {
  const faults: RuleFault[] = [];
  const notes: RuleNote[] = [];
  const inherited = collect(packs, faults, notes);
  const written = collect(own, faults, notes);
  const rules = new Map(inherited);
  for (const [id, placed] of written) {
    const parent = inherited.get(id);
    const answer = parent === undefined ? { kind: 'added' as const } : override(parent.rule, placed.rule);
    if (answer.kind === 'refused') faults.push(faultOf(placed, answer));
    else rules.set(id, placed);
    if (parent !== undefined && answer.kind !== 'refused')
      notes.push({ source: placed.source, message: `${id}: overrides the rule of ${parent.source.name}` });
  }
  return { rules: [...rules.values()], faults, notes };
}

const faultOf = (
  { rule: { id }, source: { name, line } }: PlacedRule,
  { why, remedy }: Extract<Registration, { kind: 'refused' }>,
): RuleFault => faultAt(name, line, [id], why, remedy);

/** One rule per id: a higher version replaces, the same version with other content is refused. */
function collect(placed: readonly PlacedRule[], faults: RuleFault[], notes: RuleNote[]): Map<string, PlacedRule> {
  const rules = new Map<string, PlacedRule>();
  for (const one of placed) {
    const there = rules.get(one.rule.id);
    const answer = register(there?.rule, one.rule);
    if (answer.kind === 'added' || answer.kind === 'replaced') rules.set(one.rule.id, one);
    if (answer.kind === 'refused') faults.push(faultOf(one, answer));
    if (there === undefined || answer.kind === 'refused') continue;
    const outcomes = {
      same: 'is there twice, the same',
      replaced: `replaces version ${there.rule.version}`,
      kept: `is older than version ${there.rule.version}`,
      added: '',
    };
    notes.push({
      source: one.source,
      message: `${one.rule.id}: ${outcomes[answer.kind]} of ${formatRuleSource(there.source)}`,
    });
  }
  return rules;
}
