import type { TaskRecord } from '../record/task-record.ts';
import { BREAKERS, type BreakerId } from '../record/trip.ts';
import type { Breaker, Conflict } from './breaker.ts';
import { baseRed } from './base-red.ts';
import { budget } from './budget.ts';
import { cord } from './cord.ts';
import { contractTampered } from './contract-tampered.ts';
import { destructiveAction } from './destructive-action.ts';
import { fault } from './fault.ts';
import { gptEnergy } from './gpt-energy.ts';
import { hallucinationLoop } from './hallucination-loop.ts';
import { judgeHalt } from './judge-halt.ts';
import { mergeBlocked } from './merge-blocked.ts';
import { paradox } from './paradox.ts';
import { rebuttalLimit } from './rebuttal-limit.ts';
import { reviewCycleLimit } from './review-cycle-limit.ts';
import { ruleViolation } from './rule-violation.ts';
import { scope } from './scope.ts';
import { stalled } from './stalled.ts';
import { unavailable } from './unavailable.ts';
import { unreadableReport } from './unreadable-report.ts';
import { weakenedGate } from './weakened-gate.ts';

const BY_ID: Readonly<Record<BreakerId, Breaker>> = {
  contract_tampered: contractTampered,
  fault,
  judge_halt: judgeHalt,
  rule_violation: ruleViolation,
  scope,
  weakened_gate: weakenedGate,
  destructive_action: destructiveAction,
  paradox,
  hallucination_loop: hallucinationLoop,
  rebuttal_limit: rebuttalLimit,
  gpt_energy: gptEnergy,
  review_cycle_limit: reviewCycleLimit,
  unreadable_report: unreadableReport,
  stalled,
  budget,
  merge_blocked: mergeBlocked,
  base_red: baseRed,
  unavailable,
  cord,
};

/** In order of blame: the first that trips is the reason, the others are listed. */
export const breakers = BREAKERS.map((id) => ({ id, ...BY_ID[id] }));

/** The breakers that trip, in order of blame. */
export const checkBreakers = (record: TaskRecord): readonly (Conflict & { readonly breaker: BreakerId })[] =>
  breakers.flatMap((breaker) => {
    const conflict = breaker.check(record);
    return conflict === undefined ? [] : [{ breaker: breaker.id, ...conflict }];
  });
