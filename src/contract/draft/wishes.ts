import type { Complexity } from '../task-contract-shape.ts';

/** A gate as a contract writes it. */
export interface WrittenGate {
  readonly name: string;
  readonly run: string;
  readonly timeout_minutes?: number;
  readonly must_fail_before?: boolean;
}

/** What a user says about a new task, by flags, in a conversation or in a spec; a contract is made of it. */
export interface Wishes {
  readonly taskId: string;
  readonly project: string;
  readonly title: string | undefined;
  readonly notes: string | undefined;
  readonly requirements: readonly string[];
  readonly criteria: readonly string[];
  readonly target: string | undefined;
  readonly allowed: readonly string[];
  readonly forbidden: readonly string[];
  readonly sources: readonly string[];
  readonly allowDeletes: boolean | undefined;
  readonly allowTestLoss: boolean | undefined;
  readonly maxDiffSize: number | undefined;
  readonly maxDeleteRatio: number | undefined;
  readonly complexity: Complexity | undefined;
  readonly priority: number | undefined;
  readonly after: readonly string[];
  readonly notBefore: string | undefined;
  readonly branch: string | undefined;
  readonly implementers: readonly string[];
  readonly reviewer: string;
  readonly judge: string;
  readonly floorManager: string | undefined;
  readonly gates: readonly WrittenGate[];
  readonly holdoutGates: readonly WrittenGate[];
  readonly holdoutCriteria: readonly string[];
  readonly usd: number | undefined;
  readonly tokens: number | undefined;
  readonly minutes: number | undefined;
  readonly maxRebuttals: number | undefined;
  readonly maxReviewCycles: number | undefined;
  readonly timeoutMinutes: number | undefined;
}

/** Wishes of which some are still to come. */
export type PartialWishes = { readonly [Key in keyof Wishes]?: Wishes[Key] | undefined };

/** What the place says where nobody wishes otherwise. */
export type StandardWishes = Pick<Wishes, 'project' | 'implementers' | 'reviewer' | 'judge'>;

/** The wishes that a project has by its name and the roles of its configuration. */
export const standardWishes = (
  project: string,
  {
    implementers,
    localReviewer,
    reviewers = [localReviewer],
    judge,
    judges = [judge],
  }: {
    readonly implementers: readonly string[];
    readonly localReviewer: string;
    readonly reviewers?: readonly string[];
    readonly judge: string;
    readonly judges?: readonly string[];
  },
): StandardWishes => ({ project, implementers, reviewer: reviewers.join(','), judge: judges.join(',') });

/** Fills what nobody wished for: nothing, or what the place says. */
export function completeWishes(wishes: PartialWishes, standard: StandardWishes): Wishes {
  return {
    taskId: wishes.taskId ?? '',
    project: wishes.project ?? standard.project,
    title: wishes.title,
    notes: wishes.notes,
    requirements: wishes.requirements ?? [],
    criteria: wishes.criteria ?? [],
    target: wishes.target,
    // A task that writes one file may touch that one.
    allowed: wishes.allowed ?? (wishes.target === undefined ? [] : [wishes.target]),
    forbidden: wishes.forbidden ?? [],
    sources: wishes.sources ?? [],
    allowDeletes: wishes.allowDeletes,
    allowTestLoss: wishes.allowTestLoss,
    maxDiffSize: wishes.maxDiffSize,
    maxDeleteRatio: wishes.maxDeleteRatio,
    complexity: wishes.complexity,
    priority: wishes.priority,
    after: wishes.after ?? [],
    notBefore: wishes.notBefore,
    branch: wishes.branch,
    implementers: wishes.implementers ?? standard.implementers,
    reviewer: wishes.reviewer ?? standard.reviewer,
    judge: wishes.judge ?? standard.judge,
    floorManager: wishes.floorManager,
    gates: wishes.gates ?? [],
    holdoutGates: wishes.holdoutGates ?? [],
    holdoutCriteria: wishes.holdoutCriteria ?? [],
    usd: wishes.usd,
    tokens: wishes.tokens,
    minutes: wishes.minutes,
    maxRebuttals: wishes.maxRebuttals,
    maxReviewCycles: wishes.maxReviewCycles,
    timeoutMinutes: wishes.timeoutMinutes,
  };
}

/** Where in a contract each wish ends up: what is wrong there is wrong with that wish. */
export const PLACE_OF_WISH: Readonly<Partial<Record<keyof Wishes, string>>> = {
  taskId: '$.task_id',
  project: '$.project',
  complexity: '$.complexity',
  priority: '$.priority',
  after: '$.after',
  notBefore: '$.not_before',
  branch: '$.git',
  implementers: '$.roles.implementer',
  reviewer: '$.roles.local_reviewer',
  judge: '$.roles.judge',
  floorManager: '$.roles.floor_manager',
  maxRebuttals: '$.limits.max_rebuttals',
  maxReviewCycles: '$.limits.max_review_cycles',
  timeoutMinutes: '$.limits.timeout_minutes',
  usd: '$.limits.budget.usd',
  tokens: '$.limits.budget.tokens',
  minutes: '$.limits.budget.minutes',
  allowed: '$.constraints.allowed_paths',
  forbidden: '$.constraints.forbidden_paths',
  maxDiffSize: '$.constraints.max_diff_size',
  maxDeleteRatio: '$.breaker.max_delete_ratio',
  sources: '$.specification.source_files',
  target: '$.specification.target_file',
  requirements: '$.specification.requirements',
  criteria: '$.specification.acceptance_criteria',
  gates: '$.gates',
  holdoutGates: '$.holdout.gates',
  holdoutCriteria: '$.holdout.criteria',
};
