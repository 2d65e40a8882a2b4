import type { GateCommand } from './gate.ts';
import type { ProtectedChange } from '../../base/protected-paths.ts';

/**
 * The contract for the line: one form for both schema versions, every default filled in. The user's own text is kept
 * beside it as `ContractDocument`.
 */
export interface TaskContract {
  readonly schemaVersion: '1.0' | '2.0';
  readonly taskId: string;
  readonly project: string;
  /** The subject of its commit; default: made of the first requirement. */
  readonly title?: string;
  /** Higher runs first among waiting contracts; default 0. */
  readonly priority: number;
  /** Tasks that must be merged before this one begins; omitted where empty. */
  readonly after?: readonly string[];
  /** It does not begin earlier: ISO 8601, UTC; default: at once. */
  readonly notBefore?: string;
  /** Its spec, and its number there (default 0): parts keep their order. */
  readonly spec?: { readonly name: string; readonly part: number };
  readonly complexity: 'trivial' | 'minor' | 'major' | 'critical' | undefined;
  /**
   * A model (`qwen2.5-coder`) or an agent's name from the configuration; `claude-code-cli` is the built-in judge. Empty
   * until admission, where the contract has none.
   */
  readonly roles: {
    /** In order of fallback. */
    readonly implementers: readonly string[];
    readonly localReviewer: string;
    /** All reviewers of a panel, including the one above. */
    readonly reviewers?: readonly string[];
    readonly judge: string;
    /** All judges of a panel, including the one above. */
    readonly judges?: readonly string[];
    readonly floorManager: string | undefined;
  };
  readonly limits: {
    readonly maxRebuttals: number;
    readonly maxReviewCycles: number;
    /** Stalls that are retried before the line halts: 0 in schema 1.0, 1 in 2.0. */
    readonly maxStalls: number;
    /** Minutes without evidence of progress before a station counts as stalled. */
    readonly timeoutMinutes: { readonly implementer: number; readonly localReview: number; readonly judge: number };
    /** The longest duration of one call; undefined = not in the contract. */
    readonly hardLimitMinutes?: number | undefined;
    /** Of the whole task; undefined = no limit. */
    readonly budget: {
      readonly usd: number | undefined;
      readonly tokens: number | undefined;
      readonly minutes: number | undefined;
    };
  };
  readonly constraints: {
    /** Files, folders (ending in `/`) or globs, as paths from the repository root; never empty. */
    readonly allowedPaths: readonly string[];
    readonly forbiddenPaths: readonly string[];
    /** The changes to the list of protected files at admission. */
    readonly protectedPaths?: ProtectedChange | undefined;
    readonly allowDeletes: boolean;
    /** A file may shrink to less than half, or be replaced. */
    readonly allowShrink?: boolean;
    /** Test files (paths or globs) and names of tests of the base that the change may break. */
    readonly allowTestChanges?: readonly string[];
    /** Tests and assertions may be removed or skipped, and stored results rewritten. */
    readonly allowTestLoss?: boolean;
    /** Added + deleted lines; default 200. */
    readonly maxDiffSize: number;
    /** Files that may change; default 100. Missing in journals of an older version. */
    readonly maxFiles?: number;
    /** Share of the project's lines that may be removed, 0 to 1; default 0.05. */
    readonly maxDeleteRatio: number;
  };
  readonly specification: {
    readonly sourceFiles: readonly { readonly path: string; readonly sha256: string | undefined }[];
    readonly targetFile: string | undefined;
    readonly requirements: readonly string[];
    readonly acceptanceCriteria: readonly string[];
  };
  readonly gates: readonly GateCommand[];
  /** Shown to reviewer and judge, never to the implementer. */
  readonly holdout: { readonly gates: readonly GateCommand[]; readonly criteria: readonly string[] };
  /** The branch to merge into, if the contract names it (`git.base_branch`). */
  readonly targetBranch: string | undefined;
}

/** The default workers, reviewers and judge. */
export type StandardRoles = Omit<TaskContract['roles'], 'floorManager'>;

/** Fills missing roles of a contract with those of the project. */
export function withRoles(
  contract: TaskContract,
  { implementers, localReviewer, reviewers, judge, judges }: StandardRoles,
): TaskContract {
  const { roles } = contract;
  return {
    ...contract,
    roles: {
      ...roles,
      ...(roles.implementers.length === 0 ? { implementers } : {}),
      ...(roles.localReviewer === '' ? { localReviewer, ...(reviewers && { reviewers }) } : {}),
      ...(roles.judge === '' ? { judge, ...(judges && { judges }) } : {}),
    },
  };
}

/** Implementers in the file's form: one by its name, several as a list. */
export const toWritten = (implementers: readonly string[]): string | readonly string[] => {
  const [only, ...others] = implementers;
  return only === undefined || others.length > 0 ? implementers : only;
};

/** The first reviewer and the judge in the file's form: one by its name, several as a panel. */
export function reviewersOf(
  reviewer: Names | undefined,
  judge: Names | undefined,
): Omit<StandardRoles, 'implementers'> {
  const [reviewers, judges] = [[reviewer ?? []].flat(), [judge ?? []].flat()];
  return {
    localReviewer: reviewers[0] ?? '',
    ...(reviewers.length > 1 ? { reviewers } : {}),
    judge: judges[0] ?? '',
    ...(judges.length > 1 ? { judges } : {}),
  };
}

type Names = string | readonly string[];
