import { checkRule } from '../../../src/rules/run-rules.ts';
import { compileExpression } from '../../../src/rules/expressions/compile-expression.ts';
import { extractFrom } from '../../../src/rules/variables/extract-from.ts';
import type { InspectionContext } from '../../../src/rules/model/inspection.ts';
import type { Rule } from '../../../src/rules/model/rule.ts';
import { median, percentile } from '../figures.ts';
import type { Options } from '../options.ts';
import type { Measured } from '../report.ts';
import type { Stage } from '../stage.ts';
import { aRule } from './rules.ts';

const RULES = 50;
const RESPONSE = 4000;
const HOSTILE = 100_000;
const EVALUATIONS = 200_000;
/** What takes less is over before it can be measured. */
const SHORTEST_MS = 10;
/** Texts of which a part of what reads variables could be held up. */
const UNITS = ['1', '$1', '1원', '五十', '1%', '1-', 'a hundred ', 'fifty ', '折', '€1.', '100% sure ', 'uptime is '];

/** Measures the check of a response with expressions, and whether twice as much hostile text takes twice as long. */
export async function lanesOfRules(_stage: Stage, { pairs }: Options): Promise<Measured> {
  const rules = Array.from({ length: RULES }, (_, at) => expressionRule(at));
  const perRule: number[] = [];
  for (let round = 0; round <= pairs; round += 1) {
    // As in one inspection: all rules look at the same response, and what one of them read is there for the next.
    const subject = {
      response: `${'We can refund $40 and take 5% off, as promised. '.repeat(RESPONSE / 48)}${round}`,
      files: [],
    };
    for (const rule of rules) {
      const began = process.cpuUsage();
      await checkRule(rule, subject, { context: CONTEXT });
      if (round > 0) perRule.push(sinceInMs(began));
    }
  }
  const growth = UNITS.map(
    (unit) => readingTime(unit, 2 * HOSTILE) / Math.max(SHORTEST_MS, readingTime(unit, HOSTILE)),
  );
  const worst = UNITS.map((unit, at) => `${JSON.stringify(unit)} ${(growth[at] ?? 0).toFixed(1)}`).join(', ');
  const slowest = Math.max(...UNITS.map((unit) => readingTime(unit, 2 * HOSTILE)));
  return {
    name: 'lanes-of-rules',
    notes: [
      `${RULES} rules with an expression, all over a response of ${RESPONSE / 1000} kB, another one each round.`,
      `The growth is that of the worst of ${UNITS.length} hostile texts from ${HOSTILE / 1000} to ${(2 * HOSTILE) / 1000} kB (${worst}): 2 is linear.`,
    ],
    sides: [{ label: 'one rule over one response', unit: 'ms of CPU', values: perRule }],
    figures: [
      { key: 'lanes-of-rules.rule', label: 'a rule over a response, 95th percentile', value: percentile(perRule, 95) },
      { key: 'lanes-of-rules.growth', label: 'twice the hostile text', value: Math.max(...growth) },
      { key: 'lanes-of-rules.hostile', label: '200 kB of the slowest hostile text, ms', value: slowest },
      { key: 'lanes-of-rules.evaluations', label: 'evaluations per second', value: evaluations() },
    ],
  };
}

const CONTEXT: InspectionContext = {
  now: '2026-01-01T00:00:00.000Z',
  variables: { session: { user_tier: 'standard' } },
};

const expressionRule = (at: number): Rule => {
  const { match: _, ...rule } = aRule(at, 'x', 'x');
  return {
    ...rule,
    enforcement_expression: `amount <= ${50 + at} or user_tier == 'VIP' or discount_percent <= ${at} and not contains_competitor`,
  };
};

/** The median of three readings, each of a text that was not read before. */
function readingTime(unit: string, size: number): number {
  const times = [1, 2, 3].map((round) => {
    const text = `${unit.repeat(Math.ceil(size / unit.length))} ${round}`;
    const began = process.cpuUsage();
    extractFrom(text, ['amount', 'discount_percent', 'contains_refund']);
    return sinceInMs(began);
  });
  return median(times);
}

/** Milliseconds of CPU, so that the figures hold on a busy machine. */
function sinceInMs(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1000;
}

function evaluations(): number {
  const made = compileExpression("amount <= 50 or user_tier == 'VIP'");
  if (!made.ok) throw new Error(made.why.message);
  const variables = new Map<string, string | number>([
    ['amount', 75],
    ['user_tier', 'standard'],
  ]);
  const began = performance.now();
  for (let at = 0; at < EVALUATIONS; at += 1) made.value.evaluate(variables);
  return EVALUATIONS / ((performance.now() - began) / 1000);
}
