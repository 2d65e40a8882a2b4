import type { TaskRecord } from '../record/task-record.ts';
import { BREAKERS, type BreakerId, type Path, type HaltReach, type Trip } from '../record/trip.ts';
import type { Breaker } from './breaker.ts';
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

export function checkBreakers(record: TaskRecord): readonly Trip[] {
  return breakers.map((breaker) => breaker.check(record)).filter((trip) => trip !== undefined);
}

/** The widest scope of these trips. `record` is the one that they tripped over. */
export function tripsReach(trips: readonly Trip[], record: TaskRecord): HaltReach {
  const isWide = trips.some(({ breaker }) => {
    const { reach } = BY_ID[breaker];
    return (typeof reach === 'string' ? reach : reach(record)) === 'line';
  });
  return isWide ? 'line' : 'task';
}

export const getPaths = (trip: Trip, record: TaskRecord): readonly [Path, Path] =>
  BY_ID[trip.breaker].paths(trip, record);
