import { failure, success, type Outcome } from '../../base/outcome.ts';
import { checkPattern, classifyPath } from '../../base/paths.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { getScope } from '../core/grants.ts';
import { getCurrentImplementer } from '../record/implementers.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { ChoiceChanges } from '../../project/requests/request.ts';
import type { ResumeEffect } from '../record/trip.ts';
import { formatDollarsExactly } from '../../agents/budget/normalise-usage.ts';
import { getBudget } from '../record/get-budget.ts';

/** An amended path: its effect, and each change in words, for the confirmation and the journal. */
export interface AmendedChoice {
  readonly effect: ResumeEffect;
  readonly shown: readonly string[];
}

/** Adds to the effect of a path what a person changes with it: scope, implementer, budget, size of the change. */
export function amendChoice(
  record: TaskRecord,
  effect: ResumeEffect,
  { allow = [], model, budget_usd: usd, budget_minutes: minutes, max_diff_size: diff }: ChoiceChanges,
): Outcome<AmendedChoice, { readonly option: '--allow' | '--budget-minutes' | '--budget-usd'; readonly why: string }> {
  const wrongPath = allow.map((path) => explainNotAllowed(record, path)).find((why) => why !== undefined);
  if (wrongPath !== undefined) return failure({ option: '--allow', why: wrongPath });
  const budget = getBudget(record);
  const wrongBudget =
    explainBudget('--budget-usd', usd, budget.usd, record.spent.usd) ??
    explainBudget('--budget-minutes', minutes, budget.minutes, record.spent.minutes);
  if (wrongBudget !== undefined) return failure(wrongBudget);
  const { contract, grants } = record;
  const size = contract.constraints.maxDiffSize + grants.diffSize;
  const worker = getCurrentImplementer(record);
  return success({
    effect: {
      ...effect,
      ...(allow.length > 0 ? { paths: [...(effect.paths ?? []), ...allow] } : {}),
      ...(usd === undefined ? {} : { usd: usd - (budget.usd ?? 0) }),
      ...(minutes === undefined ? {} : { minutes: minutes - (budget.minutes ?? 0) }),
      ...(diff === undefined ? {} : { diffSize: diff - size }),
      ...(model === undefined ? {} : { implementer: model }),
    },
    shown: [
      ...allow.map((path) => `may change as well: ${toTerminalLine(path, 200)}`),
      ...(model === undefined ? [] : [`implementer: ${toTerminalLine(worker, 60)} → ${toTerminalLine(model, 60)}`]),
      ...(usd === undefined ? [] : [`budget: ${formatDollarsExactly(budget.usd ?? 0)} → ${formatDollarsExactly(usd)}`]),
      ...(minutes === undefined ? [] : [`budget: ${budget.minutes ?? 0} → ${minutes} minutes of agents' time`]),
      ...(diff === undefined ? [] : [`lines of the change: at most ${size} → ${diff}`]),
    ],
  });
}

/** Why a budget cannot become this one. */
function explainBudget<Name extends '--budget-minutes' | '--budget-usd'>(
  option: Name,
  wanted: number | undefined,
  limit: number | undefined,
  used: number,
): { readonly option: Name; readonly why: string } | undefined {
  if (wanted === undefined) return undefined;
  if (limit === undefined) return { option, why: 'the contract sets no such budget' };
  const amount = option === '--budget-usd' ? `$${used.toFixed(4)}` : `${Number(used.toFixed(1))} minutes`;
  return wanted > used ? undefined : { option, why: `the task has used ${amount} already; give more than that` };
}

function explainNotAllowed(record: TaskRecord, path: string): string | undefined {
  const named = toTerminalLine(path, 100);
  const fault = checkPattern(path);
  if (fault !== undefined) return `${named}: ${fault}`;
  const sample = path
    .replace(/^\.\//, '')
    .replace(/\/$/, '/x')
    .replace(/\*\*\/?/g, 'x/')
    .replace(/[*?]/g, 'x')
    .replace(/\/$/, '/x');
  const isPattern = /[*?[\]{}]/.test(path) || path.endsWith('/');
  const answer = classifyPath(isPattern ? sample : path, getScope(record, [path]));
  if (answer === 'forbidden') return `${named} is forbidden by the contract`;
  return answer === 'protected' ? `${named} is protected; name exactly one file, or leave it out` : undefined;
}
