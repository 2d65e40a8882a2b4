import type { Drill } from './drill.ts';
import { baseRed } from './base-red.ts';
import { budget } from './budget.ts';
import { contractTampered } from './contract-tampered.ts';
import { cord } from './cord.ts';
import { crash } from './crash.ts';
import { destructiveAction } from './destructive-action.ts';
import { dirtyMerge } from './dirty-merge.ts';
import { fault } from './fault.ts';
import { gptEnergy } from './gpt-energy.ts';
import { hallucinationLoop } from './hallucination-loop.ts';
import { judgeHalt } from './judge-halt.ts';
import { mergeBlocked } from './merge-blocked.ts';
import { paradox } from './paradox.ts';
import { quota } from './quota.ts';
import { rebuttalLimit } from './rebuttal-limit.ts';
import { reviewCycleLimit } from './review-cycle-limit.ts';
import { ruleViolation } from './rule-violation.ts';
import { scope } from './scope.ts';
import { stalled } from './stalled.ts';
import { tamper } from './tamper.ts';
import { unavailable } from './unavailable.ts';
import { unreadableReport } from './unreadable-report.ts';
import { weakenedGate } from './weakened-gate.ts';

/** Every drill: one per breaker, in order of blame, then what no breaker is about. */
export const drills: readonly Drill[] = [
  contractTampered,
  fault,
  judgeHalt,
  ruleViolation,
  scope,
  weakenedGate,
  destructiveAction,
  paradox,
  hallucinationLoop,
  rebuttalLimit,
  gptEnergy,
  reviewCycleLimit,
  unreadableReport,
  stalled,
  budget,
  mergeBlocked,
  baseRed,
  unavailable,
  cord,
  crash,
  quota,
  dirtyMerge,
  tamper,
];
