/** What the name of a transition means beyond its arrow in the state machine. */
export type EventClass =
  | {
      /** What the outcome settles: the fate of a change, or an answer of an agent that does not count. */
      readonly of?: 'change' | 'answer';
      /** Who or what sends something back; left out for an agent's failure, whose strike names the station. */
      readonly by?: EventSource;
      readonly rejects?: false;
    }
  /** The change counts as rejected, and costs a review cycle. */
  | { readonly of: 'change'; readonly by: 'gates' | 'rules' | 'reviewer' | 'judge'; readonly rejects: true };
export type EventSource = 'gates' | 'rules' | 'reviewer' | 'judge' | 'implementer' | 'target' | 'human';

/** Every name of a transition. `circuit_breaker_halt` replaces the step's own name in a task's history. */
const EVENTS = {
  abandon: {},
  answer_refused: { of: 'answer', by: 'implementer' },
  base_red: {},
  budget_refused: {},
  canary_missed: {},
  circuit_breaker_halt: {},
  claim_returned: {},
  code_written: { of: 'change' },
  cord: {},
  fail_agree: { of: 'change', by: 'judge', rejects: true },
  fail_disagree: { of: 'change', by: 'judge' },
  fault: {},
  gate_red: { of: 'change', by: 'gates', rejects: true },
  gate_weakened: { of: 'change', by: 'gates' }, // counted by itself: the second one halts
  gates_again: { of: 'change', by: 'target' },
  judge_complete: { of: 'change' },
  local_fail: { of: 'change', by: 'reviewer', rejects: true },
  local_pass: { of: 'change' },
  merge_blocked: { of: 'change' },
  pass: { of: 'change' },
  quick_fix: { of: 'change', by: 'rules' }, // counted by itself
  report_unproven: { of: 'answer', by: 'judge' },
  report_unreadable: { of: 'answer', by: 'judge' },
  resume: {},
  review_started: {},
  review_unreadable: { of: 'answer', by: 'reviewer' },
  reviewer_heard: {},
  rule_red: { of: 'change', by: 'rules', rejects: true },
  rule_violated: { of: 'change' },
  rules_checked: {},
  sent_back: { of: 'change', by: 'human' },
  strike: { of: 'answer' },
  tampered: {},
  target_moved: { of: 'change', by: 'target' },
  timeout: { of: 'answer' },
  unavailable: {},
} as const satisfies Readonly<Record<string, EventClass>>;
export type StepEvent = keyof typeof EVENTS;

/** A journal of another version may have other names: they have no class. */
export const classifyEvent = (event: StepEvent): EventClass => (Object.hasOwn(EVENTS, event) ? EVENTS[event] : {});
