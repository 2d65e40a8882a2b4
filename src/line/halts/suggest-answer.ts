import { toBranchName } from '../../base/names.ts';
import { hasTestsToCompare } from '../record/base-run.ts';
import { findLargestUse } from '../core/past-calls.ts';
import type { TaskRecord } from '../record/task-record.ts';
import type { BreakerId, Halt, ResumeEffect } from '../record/trip.ts';

/** The suggested path of a halt, and why; decided by code from recorded facts. */
export interface SuggestedAnswer {
  readonly path: 1 | 2;
  readonly why: string;
}

interface SafePath {
  readonly isMeant: (effect: ResumeEffect) => boolean;
  readonly why: (record: TaskRecord) => string;
}

const ends = ({ to }: ResumeEffect): boolean => to === 'abandoned';
const goesOn = (effect: ResumeEffect): boolean => !ends(effect);
const sendsBack = ({ to, verdict, waive, allowWeakened, approveTree, shrink }: ResumeEffect): boolean =>
  (to === 'pending_implementer' || verdict === 'FAIL') && !waive && !allowWeakened && !approveTree && !shrink;

/** The safe path of each breaker: it merges nothing that was objected to, and ends no task. A person's stop has none. */
const SAFE_PATHS: Readonly<Record<BreakerId, SafePath | undefined>> = {
  contract_tampered: {
    isMeant: ({ contract }) => contract === 'journal',
    why: () => 'the agents worked with andon’s version, and nothing of it is lost',
  },
  fault: { isMeant: goesOn, why: () => 'nothing was changed; the same step runs again, once the cause is repaired' },
  judge_halt: { isMeant: sendsBack, why: round('the judge named what to fix') },
  rule_violation: {
    isMeant: (effect) => effect.waive === undefined && goesOn(effect),
    why: round('the rule keeps its meaning'),
  },
  scope: {
    isMeant: (effect) => goesOn(effect) && effect.paths === undefined,
    why: round('nothing outside the scope changes'),
  },
  weakened_gate: { isMeant: sendsBack, why: round('the tests stay as strong as on the target') },
  destructive_action: { isMeant: sendsBack, why: round('the limits of the contract still hold') },
  paradox: { isMeant: sendsBack, why: round('a flaw that is merged costs more than its fix') },
  hallucination_loop: { isMeant: sendsBack, why: round('a fresh start does not build on what was rejected') },
  rebuttal_limit: { isMeant: sendsBack, why: round('nothing is merged that the judge objected to') },
  gpt_energy: { isMeant: sendsBack, why: round('one last round settles matters of taste') },
  review_cycle_limit: {
    isMeant: ({ reviewCycles }) => reviewCycles !== undefined,
    why: round('the findings are known'),
  },
  unreadable_report: {
    isMeant: ({ judgeOutside }) => judgeOutside !== true,
    why: () => 'its next report may be valid and proven',
  },
  stalled: {
    isMeant: goesOn,
    why: ({ strikes }) => {
      if (strikes.at(-1)?.kind === 'too-long') return 'the work is kept; it goes on once its model has a larger window';
      return strikes.length > 0 && strikes.every(({ kind }) => kind === 'stall')
        ? 'it was only silent, and nothing it wrote was rejected'
        : 'the next prompt says why the last answer failed';
    },
  },
  budget: { isMeant: goesOn, why: round('the work so far is kept') },
  merge_blocked: {
    isMeant: ({ to, mergeAgain }) => to !== 'abandoned' && mergeAgain === undefined,
    why: ({ lastFacts }) =>
      lastFacts.mergeBlocked?.conflictsWith === undefined
        ? 'the judged tree is merged once the cause is removed'
        : 'the target has moved, and andon resolves no conflict by itself',
  },
  base_red: {
    isMeant: ({ gates, waitFor }) =>
      waitFor !== undefined || gates?.every(({ way }) => way === 'test by test') === true,
    why: ({ lastFacts: { baseRed }, target }) =>
      baseRed?.tests !== undefined && hasTestsToCompare(baseRed)
        ? `the results are readable: no test that passes now (${baseRed.tests.passed}) may fail`
        : `the task did not break the gate, and goes on once ${toBranchName(target)} is mended`,
  },
  unavailable: {
    isMeant: goesOn,
    why: ({ lastFacts: { unavailable } }) => `the work is kept until the ${unavailable?.station ?? 'agent'} is back`,
  },
  cord: undefined,
};

/** The safe path of a halt, where its breaker has one and it was not just taken in vain. */
export function suggestAnswer(record: TaskRecord, halt: Halt): SuggestedAnswer | undefined {
  const safe = SAFE_PATHS[halt.trip.breaker];
  const at = halt.paths.findIndex(({ effect }) => safe?.isMeant(effect) === true);
  if (safe === undefined || at === -1 || wasInVain(record, halt, at)) return undefined;
  return { path: at === 0 ? 1 : 2, why: safe.why(record) };
}

function wasInVain({ lastChoice, history }: TaskRecord, { trip }: Halt, at: number): boolean {
  if (lastChoice?.path !== at + 1 || trip.breaker === 'budget') return false;
  const [before, last] = history.filter(({ event }) => event === 'circuit_breaker_halt').slice(-2);
  return last !== undefined && before?.reason.startsWith(`${trip.breaker}:`) === true;
}

/** Dollars of one more round, by the last calls at each station of this task; undefined = unknown. */
export function estimateRoundUsd({ calls }: TaskRecord): number | undefined {
  const sums = (['implementer', 'local-reviewer', 'judge'] as const).flatMap(
    (station) => findLargestUse(calls, station)?.usd ?? [],
  );
  const usd = sums.reduce((sum, one) => sum + one, 0);
  return usd > 0 ? usd : undefined;
}

function round(why: string): (record: TaskRecord) => string {
  return (record) => {
    const usd = estimateRoundUsd(record);
    return usd === undefined
      ? why
      : `${why}; one more round costs ${usd < 0.005 ? 'less than $0.01' : `about $${usd.toFixed(2)}`}`;
  };
}
