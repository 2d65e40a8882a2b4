import type { RuleMatch } from '../../rule-model/inspection.ts';
import { inOneTerminalLine } from '../../base/plain-text.ts';
import type { Rule } from '../../rule-model/rule.ts';
import { readPlan } from '../text/read-plan.ts';
import { remembered } from '../text/remembered.ts';
import type { Sentence } from '../text/units.ts';
import { evidenceOf } from './keyword-evidence.ts';
import type { Evidence } from './keyword-evidence.ts';
import { statementsOf } from './keyword-statements.ts';
import type { Statement } from './keyword-statements.ts';

/** Says by its words whether a plan does what a rule forbids, does what it asks for, or does not touch it. */
export function matchKeywords(rule: Rule, plan: string): RuleMatch {
  const { sentences, concepts } = readPlan(plan);
  const statements = readRule(rule);
  const found = sentences.flatMap((sentence) => judged(statements, sentence, concepts) ?? []);
  const best = strongest(found.filter(({ keeps }) => !keeps)) ?? strongest(found);
  if (best === undefined)
    return {
      layer: 'keyword',
      status: 'NOT_COVERED',
      confidence: 0.5,
      reason: 'the plan does not speak of it',
      places: [],
    };
  return {
    layer: 'keyword',
    status: best.keeps ? 'PASS' : 'VIOLATED',
    confidence: Math.round((0.6 + 0.35 * best.strength) * 100) / 100,
    reason: reasonOf(best),
    places: best.keeps ? [] : [{ excerpt: inOneTerminalLine(best.sentence.text), matched: best.sentence.text }],
  };
}

/** What a sentence says about a rule as a whole: its clearest word, and in doubt the accusing one. */
function judged(
  statements: readonly Statement[],
  sentence: Sentence,
  concepts: ReadonlySet<string>,
): Evidence | undefined {
  const found = statements.flatMap((statement) => evidenceOf(statement, sentence, concepts) ?? []);
  const broken = strongest(found.filter(({ keeps }) => !keeps));
  const kept = strongest(found.filter(({ keeps }) => keeps));
  if (broken === undefined || kept === undefined) return broken ?? kept;
  return kept.strength > broken.strength + CLEARLY ? kept : broken;
}

const CLEARLY = 0.1;

const strongest = (found: readonly Evidence[]): Evidence | undefined =>
  found.toSorted((one, other) => other.strength - one.strength)[0];

function reasonOf({ keeps, said, statement, sentence, cue }: Evidence): string {
  const words = [...new Set(said.map((word) => word.toLowerCase()))].slice(0, 4).join(', ');
  const how = cue === undefined ? words : `${cue} … ${words}`;
  const verb = keeps ? 'keeps' : statement.forbids ? 'does what is forbidden by' : 'goes against';
  return inOneTerminalLine(`"${sentence.text.slice(0, 120)}" ${verb} "${statement.text.slice(0, 120)}" (${how})`, 300);
}

const readRule = remembered<Rule, readonly Statement[]>(statementsOf);
