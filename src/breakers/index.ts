import type { LineRecord } from '../formats/line-record.ts';
import type { Path, Trip } from '../formats/trip.ts';
import type { Breaker } from './breaker.ts';
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

/** Every breaker, in order of blame: the first that trips is the reason, the others are listed. */
export const breakers: readonly Breaker[] = [
  contractTampered,
  fault,
  judgeHalt,
  ruleViolation,
  scope,
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
  unavailable,
  cord,
];

/** Asks every breaker; the trips come in order of blame. */
export function checkBreakers(record: LineRecord): readonly Trip[] {
  return breakers.map((breaker) => breaker.check(record)).filter((trip) => trip !== undefined);
}

/** The two ways back that the breaker of a trip offers. */
export function pathsOf(trip: Trip, record: LineRecord): readonly [Path, Path] {
  const breaker = breakers.find(({ id }) => id === trip.breaker);
  if (breaker === undefined) throw new Error(`no breaker is called ${trip.breaker}`);
  return breaker.paths(trip, record);
}
