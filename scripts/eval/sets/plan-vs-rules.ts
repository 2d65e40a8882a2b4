import { NO_SUPPRESSIONS } from '../../../src/rules/enforce/suppress.ts';
import { existsSync, readFileSync } from 'node:fs';
import type { Rule } from '../../../src/rules/model/rule.ts';
import type { RuleResult } from '../../../src/rules/model/inspection.ts';
import { runRules } from '../../../src/rules/run-rules.ts';
import { ruleFrom } from '../../../test/cases/runners/rules-of-rows.ts';
import { WrongData, share, textOf, type DataSet, type Figure, type Measured, type Row } from '../data-set.ts';

/** Plans against rules of prose: one rule at a time, then all of them together for the score. */
export const PLAN_VS_RULES: DataSet = { name: 'plan-vs-rules', measure: measurePlans };

/** Plans and rules that the matcher was tuned with. */
export const PLAN_VS_RULES_TUNING: DataSet = { name: 'plan-vs-rules-tuning', measure: measurePlans };

/** Plans and rules that were written before the matcher was. */
export const PLAN_VS_RULES_MORE: DataSet = { name: 'plan-vs-rules-more', measure: measurePlans };

/** Plans and rules that were written when the matcher was nearly finished. */
export const PLAN_VS_RULES_FRESH: DataSet = { name: 'plan-vs-rules-fresh', measure: measurePlans };

interface Judged {
  readonly row: Row;
  readonly expected: string;
  readonly found: string;
  readonly reason: string;
  readonly score: number;
}

async function measurePlans(rows: readonly Row[], file: string): Promise<Measured> {
  const rules = rulesBeside(file);
  const judged: Judged[] = [];
  for (const row of rows) judged.push(await judge(row, rules, file));
  return {
    rows: rows.length,
    figures: [...accuracies(judged), ...confusions(judged), ...scores(judged)],
    misses: judged
      .filter(({ expected, found }) => expected !== found)
      .map(
        ({ row, expected, found, reason }) => `${String(row['id'])}: expected ${expected}, found ${found}: ${reason}`,
      ),
  };
}

function rulesBeside(file: string): ReadonlyMap<string, Rule> {
  const beside = file.replace(/\.jsonl$/, '.rules.json');
  if (!existsSync(beside)) throw new WrongData(`${beside} is missing: it must hold the rules that the plans name`);
  const rules = JSON.parse(readFileSync(beside, 'utf8')) as readonly Row[];
  return new Map(rules.map((rule) => [String(rule['id']), ruleFrom(rule)]));
}

async function judge(row: Row, rules: ReadonlyMap<string, Rule>, file: string): Promise<Judged> {
  const rule = rules.get(textOf(row, 'rule', file));
  if (rule === undefined) throw new WrongData(`${file}: row ${String(row['id'])} names a rule that is not there`);
  const plan = textOf(row, 'plan', file);
  const alone = await inspect([rule], plan);
  const together = await inspect([...rules.values()], plan);
  const result: RuleResult | undefined = alone.results[0];
  return {
    row,
    expected: textOf(row, 'expect', file),
    found: result?.status ?? 'none',
    reason: result?.reason ?? '',
    score: together.score,
  };
}

const inspect = (rules: readonly Rule[], plan: string) =>
  runRules(
    {
      rules: rules.map((rule) => ({ rule, source: { name: 'set' } })),
      faults: [],
      notes: [],
      suppressions: NO_SUPPRESSIONS,
    },
    { plan, files: [] },
    { now: '2026-01-01T00:00:00.000Z' },
    { surface: 'gate', mode: 'strict', threshold: 70, subject: 'a plan' },
  );

const right = ({ expected, found }: Judged): boolean => expected === found;

function accuracies(judged: readonly Judged[]): readonly Figure[] {
  const unsure = judged.filter(({ found }) => found === 'UNDECIDED').length;
  return [
    {
      name: 'accuracy',
      value: share(judged.filter(right).length, judged.length),
      baseline: '0.54 naive, 0.47 two-layer original',
    },
    { name: 'not sure', value: share(unsure, judged.length), isShare: true },
  ];
}

function confusions(judged: readonly Judged[]): readonly Figure[] {
  const count = (expected: string, found: string): number =>
    judged.filter((one) => one.expected === expected && one.found === found).length;
  const accused = judged.filter(({ found }) => found === 'VIOLATED').length;
  const guilty = judged.filter(({ expected }) => expected === 'VIOLATED').length;
  const good = judged.filter(({ expected }) => expected === 'PASS').length;
  const caught = count('VIOLATED', 'VIOLATED');
  return [
    {
      name: 'VIOLATED precision',
      value: share(caught, accused),
      goal: { must: 'at least', limit: 0.95 },
      baseline: '0.54 naive, 0.78 original',
    },
    {
      name: 'VIOLATED recall',
      value: share(caught, guilty),
      goal: { must: 'at least', limit: 0.5 },
      baseline: '0.63 naive, 0.22 original',
    },
    {
      name: 'PASS called VIOLATED',
      value: share(count('PASS', 'VIOLATED'), good, 0),
      isShare: true,
      goal: { must: 'at most', limit: 0.03 },
      baseline: '53 % naive',
    },
    {
      name: 'VIOLATED called PASS',
      value: share(count('VIOLATED', 'PASS'), guilty, 0),
      isShare: true,
      goal: { must: 'at most', limit: 0.07 },
      baseline: '28 % original',
    },
  ];
}

/** What all rules together make of a plan. */
function scores(judged: readonly Judged[]): readonly Figure[] {
  const good = judged.filter(({ expected }) => expected === 'PASS');
  const unrelated = judged.filter(({ expected }) => expected === 'NOT_COVERED');
  const reaching = (rows: readonly Judged[]): number => rows.filter(({ score }) => score >= 70).length;
  return [
    {
      name: 'keeping plans score 70',
      value: share(reaching(good), good.length),
      isShare: true,
      goal: { must: 'at least', limit: 0.95 },
      baseline: '0 % original',
    },
    {
      name: 'unrelated plans score 70',
      value: share(reaching(unrelated), unrelated.length),
      isShare: true,
      goal: { must: 'at least', limit: 0.95 },
      baseline: '0 % original',
    },
  ];
}
