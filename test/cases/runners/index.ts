import type { Given, Runner } from '../run-cases.ts';
import { agents } from './agents.ts';
import { breakers } from './breakers.ts';
import { ci } from './ci.ts';
import { contract } from './contract.ts';
import { costBudget } from './cost-budget.ts';
import { deterministicChecks } from './deterministic-checks.ts';
import { draftGate } from './draft-gate.ts';
import { enforcement } from './enforcement.ts';
import { flattery } from './flattery.ts';
import { gitFlow } from './git-flow.ts';
import { halt } from './halt.ts';
import { withoutHub } from './hub-messages.ts';
import { middlewareChain } from './middleware-chain.ts';
import { modelOutput } from './model-output.ts';
import { keyword, mergedElsewhere, pipelineMerge, semantic } from './plan-rules.ts';
import { proposal } from './proposal.ts';
import { ruleEngine } from './rule-engine.ts';
import { redaction } from './redaction.ts';
import { reviewGate } from './review-gate.ts';
import { ruleSelect } from './rule-select.ts';
import { safeExpr } from './safe-expr.ts';
import { scopeGuard } from './scope-guard.ts';
import { todoTracker } from './todo-tracker.ts';
import { transitionLog } from './transition-log.ts';
import { transitions } from './transitions.ts';
import { twoLane } from './two-lane.ts';
import { twoStrike } from './two-strike.ts';
import { variables } from './variables.ts';
import { waivers } from './waivers.ts';

/** Who runs the rows of which case file. */
export const RUNNERS: Readonly<Record<string, Runner | undefined>> = {
  agents,
  breakers,
  ci,
  contract,
  'cost-budget': costBudget,
  'deterministic-checks': deterministicChecks,
  'draft-gate': draftGate,
  enforcement,
  flattery,
  'git-flow': gitFlow,
  halt,
  keyword,
  'middleware-chain': middlewareChain,
  'model-output': modelOutput,
  'pipeline-merge': pipelineMerge,
  proposal,
  redaction,
  'review-gate': reviewGate,
  'rule-engine': ruleEngine,
  'rule-select': ruleSelect,
  'safe-expr': safeExpr,
  'scope-guard': scopeGuard,
  semantic,
  'todo-tracker': todoTracker,
  'transition-log': transitionLog,
  transitions,
  'two-lane': twoLane,
  'two-strike': twoStrike,
  variables,
  waivers,
};

/** Rows of a case file that no runner here tries, and why: another test does, or andon has no such thing. */
export const ELSEWHERE: Readonly<Record<string, ((given: Given) => string | undefined) | undefined>> = {
  messages: withoutHub,
  'pipeline-merge': mergedElsewhere,
};
