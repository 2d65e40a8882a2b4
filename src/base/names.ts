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

/** Statuses that a task never leaves by itself. */
export const TERMINAL: readonly Status[] = ['merged', 'abandoned'];

/** The stations of the line, in order. */
export const STATIONS = ['implementer', 'local-reviewer', 'judge', 'floor-manager'] as const;
export type StationId = (typeof STATIONS)[number];

/** The station whose work a status waits for. */
export const STATION_AT: Readonly<Partial<Record<Status, StationId>>> = {
  pending_implementer: 'implementer',
  pending_local_review: 'local-reviewer',
  pending_judge_review: 'judge',
  review_in_progress: 'judge',
  review_complete: 'floor-manager',
};

/** The stations with workers in a contract's roles; a policy of andon can replace the floor manager. */
export type RoleStation = Exclude<StationId, 'floor-manager'>;

/** A verdict of the judge; andon turns a PASS without evidence into NEEDS_REVIEW. */
export const VERDICTS = ['PASS', 'CONDITIONAL', 'FAIL', 'CRITICAL_HALT'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The form of `task_id`: it becomes a branch, a folder and a file name. */
export const TASK_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Ids that some file system or git would misread, or that andon uses as a word itself (compared in lower case). */
export const RESERVED_TASK_IDS: readonly string[] = [
  'con',
  'prn',
  'aux',
  'nul',
  'head',
  'rollback',
  'unknown',
  'main',
  'master',
  ...['com', 'lpt'].flatMap((device) => [1, 2, 3, 4, 5, 6, 7, 8, 9].map((port) => `${device}${port}`)),
];

/** The folder of andon's inbox and reports in every project. */
export const HANDOFF = '_handoff';

/** The file names inside `_handoff/`; `_handoff/README.md` lists writers and readers. */
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

/** The file that holds a line, as people know it. */
export const STOP_FILE = `${HANDOFF}/${FILES.stop}`;

/** Papers of a task that the archive keeps when it ends. */
export const KEPT_PAPERS = [FILES.judgeReport, FILES.judgeReportJson, FILES.rebuttal, FILES.stallReport] as const;

/**
 * All papers of a task, in the order in which they move: contract and lock go last. They are in `_handoff/`, and in a
 * folder of their own while the task is parked.
 */
export const TASK_PAPERS = [
  ...KEPT_PAPERS,
  FILES.reviewRequest,
  FILES.reviewInProgress,
  FILES.halt,
  FILES.contract,
  FILES.lock,
] as const;

/** The contracts of an approved proposal, decided before the first of them is written. */
export const proposalPlanPath = (digest: string): string =>
  `${FILES.queue}/PROPOSAL_TAKEN.${digest.slice(0, 16)}.contracts`;
export const isProposalPlan = (name: string): boolean => /^queue\/PROPOSAL_TAKEN\.[0-9a-f]{16}\.contracts$/.test(name);

/** Where an approved proposal is kept until its task has ended. */
export const proposalCopyPath = (taskId: string): string => `${FILES.archive}/PROPOSAL_FINAL_${taskId}.md`;

/** The id of the line in the journal; no task may have it. */
export const LINE = '(line)';

/** The id of the project's rules in the journal. */
export const RULES = '(rules)';

/** The short name of a branch. */
export const toBranchName = (ref: string): string => ref.replace(/^refs\/heads\//, '');

/** The branch a task works on. */
export const toTaskBranch = (taskId: string): string => `refs/heads/task/${taskId}`;

/** Whether a branch belongs to a task; no other task is merged into it. */
export const isTaskBranch = (ref: string): boolean => ref.startsWith(toTaskBranch(''));

/** Keeps an attempt reachable for good. */
export const toAttemptRef = (taskId: string, attempt: number): string => `refs/andon/${taskId}/${attempt}`;
/** Whether a ref keeps an attempt, or one that was carried to a moved target (`2.2`). */
export const isAttemptRef = (ref: string): boolean => /^refs\/andon\/[^/]+\/\d+(?:\.\d+)?$/.test(ref);

/** This floor manager leaves the decision to a human, who writes `DECISION.json`. */
export const HUMAN = 'human';

/** This floor manager is andon's own policy, without an agent. */
export const POLICY = 'andon';

/** The default floor manager, for reports and for proposals in prose: a driver. */
export const FLOOR_MANAGER = 'gemini';

/** The second line of andon's own pre-commit hook begins with this. */
export const HOOK_MARK = '# andon pre-commit hook';
/** andon's own name in commits that hold an agent's work. */
export const ANDON_IDENTITY = 'andon <andon@localhost>';

/** The header by which a page of the board proves its session. */
export const SESSION_HEADER = 'x-andon-session';
