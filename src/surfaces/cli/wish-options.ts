import { COMPLEXITIES } from '../../contract/task-contract-shape.ts';
import type { Complexity } from '../../contract/task-contract-shape.ts';
import type { PartialWishes, WrittenGate } from '../../contract/draft/wishes.ts';
import { gateFrom } from '../../setup/propose-config.ts';
import { Problem } from '../../base/problem.ts';
import { flag, textOption, textsOption } from './options.ts';
import type { Invocation } from './command.ts';

/** The wishes that the flags say; what is not said is left out. */
export function wishesGiven(options: Invocation['options']): PartialWishes {
  const list = (name: string): readonly string[] | undefined => {
    const texts = textsOption(options, name);
    return texts.length === 0 ? undefined : texts;
  };
  const wishes: PartialWishes = {
    taskId: textOption(options, 'id'),
    title: textOption(options, 'title'),
    requirements: list('require'),
    criteria: list('criterion'),
    target: textOption(options, 'target'),
    allowed: list('allow'),
    forbidden: list('forbid'),
    sources: list('source'),
    allowDeletes: flag(options, 'allowDeletes') ? true : undefined,
    allowTestLoss: flag(options, 'allowTestLoss') ? true : undefined,
    maxDiffSize: numberOption(options, 'maxDiffSize', '--max-diff-size'),
    maxDeleteRatio: numberOption(options, 'maxDeleteRatio', '--max-delete-ratio'),
    complexity: complexityOption(options),
    priority: numberOption(options, 'priority', '--priority'),
    after: list('after'),
    notBefore: textOption(options, 'notBefore'),
    branch: textOption(options, 'branch'),
    implementers: list('implementer'),
    reviewer: textOption(options, 'reviewer'),
    judge: textOption(options, 'judge'),
    floorManager: textOption(options, 'floorManager'),
    gates: gatesOption(options),
    holdoutGates: list('holdoutGate')?.map((line) => gate(line, '--holdout-gate')),
    holdoutCriteria: list('holdoutCriterion'),
    usd: numberOption(options, 'budgetUsd', '--budget-usd'),
    tokens: numberOption(options, 'budgetTokens', '--budget-tokens'),
    minutes: numberOption(options, 'budgetMinutes', '--budget-minutes'),
    maxRebuttals: numberOption(options, 'maxRebuttals', '--max-rebuttals'),
    maxReviewCycles: numberOption(options, 'maxReviewCycles', '--max-review-cycles'),
    timeoutMinutes: numberOption(options, 'timeout', '--timeout'),
  };
  return Object.fromEntries(Object.entries(wishes).filter(([, value]) => value !== undefined));
}

function numberOption(options: Invocation['options'], name: string, shown: string): number | undefined {
  const text = textOption(options, name);
  if (text === undefined) return undefined;
  if (text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  throw new Problem('bad-argument', `${shown} ${text} is not a number`, `${shown} 2`);
}

function complexityOption(options: Invocation['options']): Complexity | undefined {
  const text = textOption(options, 'complexity');
  const word = COMPLEXITIES.find((one) => one === text);
  if (text === undefined || word !== undefined) return word;
  throw new Problem(
    'bad-argument',
    `--complexity ${text} is not one of ${COMPLEXITIES.join(', ')}`,
    '--complexity minor',
  );
}

function gatesOption(options: Invocation['options']): readonly WrittenGate[] | undefined {
  const lines = textsOption(options, 'gate');
  const mustFail = textsOption(options, 'mustFailBefore');
  const timeout = numberOption(options, 'gateTimeout', '--gate-timeout');
  const gates = lines.map((line) => gate(line, '--gate'));
  const stranger = mustFail.find((name) => !gates.some((one) => one.name === name));
  if (stranger !== undefined)
    throw new Problem(
      'bad-argument',
      `--must-fail-before ${stranger} names no gate of this task`,
      `--gate '${stranger}=<command>' --must-fail-before '${stranger}'`,
    );
  if (gates.length === 0) return undefined;
  return gates.map((one) => ({
    ...one,
    ...(timeout === undefined ? {} : { timeout_minutes: timeout }),
    ...(mustFail.includes(one.name) ? { must_fail_before: true } : {}),
  }));
}

function gate(line: string, shown: string): WrittenGate {
  const found = gateFrom(line);
  if (found !== undefined) return found;
  throw new Problem('bad-argument', `${shown} ${line} is not of the form name=command`, `${shown} 'test=npm test'`);
}
