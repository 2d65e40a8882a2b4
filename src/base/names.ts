/** The states of the line; the state's name is the contract's `status`. */
export const STATUSES = [
  'pending_implementer',
  'pending_local_review',
  'pending_judge_review',
  'review_in_progress',
  'review_complete',
  'merged',
  'erik_consultation',
  'abandoned',
] as const;
export type Status = (typeof STATUSES)[number];

/** Statuses a task never leaves by itself. */
export const TERMINAL: readonly Status[] = ['merged', 'abandoned'];

/** The workers of the line, in the order in which a contract meets them. */
export const STATIONS = ['implementer', 'local-reviewer', 'judge', 'floor-manager'] as const;
export type StationId = (typeof STATIONS)[number];

/** The stations that a contract's roles name a worker for; what the floor manager does, a policy of andon's can do. */
export type RoleStation = Exclude<StationId, 'floor-manager'>;

/** A verdict as the judge writes it; NEEDS_REVIEW is what andon makes of a PASS without evidence. */
export const VERDICTS = ['PASS', 'CONDITIONAL', 'FAIL', 'CRITICAL_HALT'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What `task_id` must look like: it becomes a branch, a folder and a file name. */
export const TASK_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Ids that some file system or git would read as something else (compared in lower case). */
export const RESERVED_TASK_IDS = [
  'con',
  'prn',
  'aux',
  'nul',
  'head',
  'rollback',
  'main',
  'master',
  'com1',
  'com2',
  'com3',
  'com4',
  'com5',
  'com6',
  'com7',
  'com8',
  'com9',
  'lpt1',
  'lpt2',
  'lpt3',
  'lpt4',
  'lpt5',
  'lpt6',
  'lpt7',
  'lpt8',
  'lpt9',
];

/** The folder that is andon's inbox and face in every project. */
export const HANDOFF = '_handoff';

/** The file names inside `_handoff/`; `_handoff/README.md` says who writes and reads each. */
export const FILES = {
  contract: 'TASK_CONTRACT.json',
  lock: 'TASK_CONTRACT.json.lock',
  rejected: 'CONTRACT_REJECTED.md',
  proposal: 'PROPOSAL.md',
  proposalDraft: 'PROPOSAL_DRAFT.md',
  proposalFinal: 'PROPOSAL_FINAL.md',
  proposalRejected: 'PROPOSAL_REJECTED.md',
  /** An approved proposal whose contracts are being written. */
  proposalTaken: 'queue/PROPOSAL_TAKEN.md',
  /** The contracts that it becomes, decided before the first of them is written. */
  proposalPlan: 'queue/PROPOSAL_TAKEN.contracts',
  reviewRequest: 'REVIEW_REQUEST.md',
  reviewInProgress: 'REVIEW_IN_PROGRESS.md',
  judgeReport: 'JUDGE_REPORT.md',
  judgeReportJson: 'JUDGE_REPORT.json',
  rebuttal: 'REBUTTAL.md',
  decision: 'DECISION.json',
  stallReport: 'STALL_REPORT.md',
  halt: 'ERIK_HALT.md',
  stop: 'STOP',
  transitions: 'transition.ndjson',
  queue: 'queue',
  withdrawn: 'withdrawn',
  archive: 'archive',
  tasks: 'tasks',
} as const;

/** Where an approved proposal is kept until its task has ended. */
export const keptProposal = (taskId: string): string => `${FILES.archive}/PROPOSAL_FINAL_${taskId}.md`;

/** What the journal knows the line as a whole by; no task can be called so. */
export const LINE = '(line)';

/** What the journal knows the project's rules by. */
export const RULES = '(rules)';

/** A branch as people write it, from its full name. */
export const branchName = (ref: string): string => ref.replace(/^refs\/heads\//, '');

/** The branch a task works on. */
export const taskBranch = (taskId: string): string => `refs/heads/task/${taskId}`;

/** Tells a task's branch, which no other task is merged into, from the branches of people. */
export const isTaskBranch = (ref: string): boolean => ref.startsWith(taskBranch(''));

/** Where an attempt stays reachable for good. */
export const attemptRef = (taskId: string, attempt: number): string => `refs/andon/${taskId}/${attempt}`;

/** A contract that names this floor manager leaves the decision to a human, who writes `DECISION.json`. */
export const HUMAN = 'human';

/** What leaves the decision to andon's own policy, and asks no agent. */
export const POLICY = 'andon';

/** The default floor manager, for reports and for proposals in prose: a driver. */
export const FLOOR_MANAGER = 'gemini';

/** The second line of andon's own pre-commit hook begins with this. */
export const HOOK_MARK = '# andon pre-commit hook';
/** andon's own name in commits that hold an agent's work. */
export const ANDON_IDENTITY = 'andon <andon@localhost>';

/** In which header a page of the board shows that its browser was let in. */
export const SESSION_HEADER = 'x-andon-session';
