import { formatJsonPath } from '../../base/fault.ts';
import type { PlacedRule, RuleFault, RuleNote } from '../../rule-model/rule.ts';
import { override, register } from './register.ts';

/** Rules of packs and of the project put together, in a stable order: the first place of an id stays its place. */
export function putTogether(
  packs: readonly PlacedRule[],
  own: readonly PlacedRule[],
): {
  readonly rules: readonly PlacedRule[];
  readonly faults: readonly RuleFault[];
  readonly notes: readonly RuleNote[];
} {
  const faults: RuleFault[] = [];
  const notes: RuleNote[] = [];
  const inherited = collect(packs, faults, notes);
  const written = collect(own, faults, notes);
  const rules = new Map(inherited);
  for (const [id, placed] of written) {
    const parent = inherited.get(id);
    const answer = parent === undefined ? { kind: 'added' as const } : override(parent.rule, placed.rule);
    if (answer.kind === 'refused')
      faults.push({ source: placed.source, path: formatJsonPath([id]), message: answer.why, remedy: answer.remedy });
    else rules.set(id, placed);
    if (parent !== undefined && answer.kind !== 'refused')
      notes.push({ source: placed.source, message: `${id}: overrides the rule of ${parent.source.name}` });
  }
  return { rules: [...rules.values()], faults, notes };
}

/** One rule per id: a higher version replaces, the same version with other content is refused. */
function collect(placed: readonly PlacedRule[], faults: RuleFault[], notes: RuleNote[]): Map<string, PlacedRule> {
  const rules = new Map<string, PlacedRule>();
  for (const one of placed) {
    const there = rules.get(one.rule.id);
    const answer = register(there?.rule, one.rule);
    if (answer.kind === 'added' || answer.kind === 'replaced') rules.set(one.rule.id, one);
    if (answer.kind === 'refused')
      faults.push({
        source: one.source,
        path: formatJsonPath([one.rule.id]),
        message: answer.why,
        remedy: answer.remedy,
      });
    if (there === undefined || answer.kind === 'refused') continue;
    const where = there.source.line === undefined ? there.source.name : `${there.source.name}:${there.source.line}`;
    const told = {
      same: 'is there twice, the same',
      replaced: `replaces version ${there.rule.version}`,
      kept: `is older than version ${there.rule.version}`,
      added: '',
    };
    notes.push({ source: one.source, message: `${one.rule.id}: ${told[answer.kind]} of ${where}` });
  }
  return rules;
}
