import { getValueAt } from '../base/schema-faults.ts';
import { toGate } from './gate.ts';
import { meansAll } from './task-contract-fields.ts';
import type { StandardRoles, TaskContract } from './task-contract.ts';
import { COMPLEXITY_LIMITS, DEFAULT_CONTRACT_LIMITS } from './task-contract-defaults.ts';
import type { WrittenContract } from './task-contract-shape.ts';

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
export const asWritten = (implementers: readonly string[]): string | readonly string[] => {
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

/** Converts a contract of either version into the line's form, with every default. */
export function normaliseContract(written: WrittenContract): TaskContract {
  const { roles = {}, specification, holdout } = written;
  return {
    schemaVersion: written.schema_version,
    taskId: written.task_id,
    project: written.project,
    ...titleIn(written),
    priority: written.priority ?? 0,
    ...(written.after === undefined || written.after.length === 0 ? {} : { after: written.after }),
    ...(written.not_before === undefined ? {} : { notBefore: new Date(written.not_before).toISOString() }),
    ...(written.spec === undefined ? {} : { spec: { name: written.spec.name, part: written.spec.part ?? 0 } }),
    complexity: written.complexity,
    roles: {
      implementers: [roles.implementer ?? []].flat(),
      ...reviewersOf(roles.local_reviewer, roles.judge),
      floorManager: roles.floor_manager,
    },
    limits: limitsOf(written),
    constraints: constraintsOf(written),
    specification: {
      sourceFiles: (specification.source_files ?? []).map(({ path, hash, sha256 }) => ({
        path,
        sha256: bareDigest(sha256) ?? bareDigest(hash),
      })),
      targetFile: specification.target_file,
      requirements: specification.requirements,
      acceptanceCriteria: specification.acceptance_criteria ?? [],
    },
    gates: (written.gates ?? []).map(toGate),
    holdout: { gates: (holdout?.gates ?? []).map(toGate), criteria: holdout?.criteria ?? [] },
    targetBranch: written.git?.base_branch || undefined,
  };
}

/** Contracts of an older andon keep their title in `metadata`. */
function titleIn({ title, metadata }: WrittenContract): { readonly title?: string } {
  const kept = (Object(metadata) as { readonly title?: unknown }).title;
  const found = title ?? (typeof kept === 'string' && !kept.includes('\n') ? kept.trim() : '');
  return found === '' ? {} : { title: found };
}

function limitsOf(written: WrittenContract): TaskContract['limits'] {
  const limits = written.limits ?? {};
  const byComplexity = written.complexity && COMPLEXITY_LIMITS[written.complexity];
  const usual = DEFAULT_CONTRACT_LIMITS.timeoutMinutes;
  const timeout = limits.timeout_minutes ?? usual;
  const perStation =
    typeof timeout === 'number' ? { implementer: timeout, local_review: timeout, judge: timeout } : timeout;
  return {
    maxRebuttals: limits.max_rebuttals ?? byComplexity?.max_rebuttals ?? DEFAULT_CONTRACT_LIMITS.rebuttals,
    maxReviewCycles:
      limits.max_review_cycles ?? byComplexity?.max_review_cycles ?? DEFAULT_CONTRACT_LIMITS.reviewCycles,
    maxStalls: limits.max_stalls ?? DEFAULT_CONTRACT_LIMITS.maxStalls[written.schema_version],
    timeoutMinutes: {
      implementer: perStation.implementer ?? usual,
      localReview: perStation.local_review ?? usual,
      judge: perStation.judge ?? usual,
    },
    ...(limits.hard_limit_minutes === undefined ? {} : { hardLimitMinutes: limits.hard_limit_minutes }),
    budget: {
      usd: lowest(limits.cost_ceiling_usd, limits.budget?.usd) ?? byComplexity?.budget_usd,
      tokens: lowest(limits.token_budget, limits.budget?.tokens),
      minutes: limits.budget?.minutes,
    },
  };
}

function constraintsOf({ constraints, breaker }: WrittenContract): TaskContract['constraints'] {
  return {
    allowedPaths: constraints.allowed_paths.map(expandRoot),
    forbiddenPaths: (constraints.forbidden_paths ?? []).map(expandRoot),
    allowDeletes: mayDelete(constraints),
    ...(constraints.allow_shrink === true ? { allowShrink: true } : {}),
    ...(constraints.allow_test_changes === undefined ? {} : { allowTestChanges: constraints.allow_test_changes }),
    ...(constraints.allow_test_loss === true ? { allowTestLoss: true } : {}),
    maxDiffSize: constraints.max_diff_size ?? constraints.max_diff_lines ?? DEFAULT_CONTRACT_LIMITS.maxDiffSize,
    maxFiles: constraints.max_files ?? DEFAULT_CONTRACT_LIMITS.maxFiles,
    maxDeleteRatio: breaker?.max_delete_ratio ?? DEFAULT_CONTRACT_LIMITS.maxDeleteRatio,
  };
}

/** The repository's root as a pattern for everything in it. */
const expandRoot = (pattern: string): string => (meansAll(pattern) ? '**' : pattern);

/** Deletion must be allowed explicitly, and nothing else in the contract may contradict it. */
function mayDelete(constraints: WrittenContract['constraints']): boolean {
  const listed = constraints.allowed_operations?.includes('delete');
  return (constraints.allow_deletes ?? constraints.delete_allowed ?? listed ?? false) && listed !== false;
}

function lowest(...ceilings: readonly (number | undefined)[]): number | undefined {
  const named = ceilings.filter((ceiling) => ceiling !== undefined);
  return named.length === 0 ? undefined : Math.min(...named);
}

/** A digest without its name in front, in lower case; undefined of an empty one. */
export function bareDigest(written: string | undefined): string | undefined {
  return written?.replace(/^sha256-/, '').toLowerCase() || undefined;
}

/** Keys that andon writes, and whose values in a dropped contract it ignores. */
const OWN_KEYS = [
  'status',
  'attempt',
  'history',
  ...['status', 'rebuttal_count', 'review_cycle_count', 'tokens_used', 'cost_usd'].map((key) => `breaker.${key}`),
  ...['local_review_passed', 'changed_files'].map((key) => `handoff_data.${key}`),
];
/** The values of a fresh contract, as JSON. */
const FRESH = ['null', '0', '[]', '""', '"pending_implementer"', '"armed"'];

/** Notices about claims of a contract that andon ignores, and about requests that it does not grant. */
export function noticesOf(written: WrittenContract): string[] {
  const claimed = OWN_KEYS.filter((path) => {
    const text = JSON.stringify(getValueAt(written, path.split('.')) ?? null);
    return !FRESH.includes(text) && !(path === 'attempt' && text === '1');
  });
  const { allowed_operations: operations, allow_deletes, delete_allowed } = written.constraints;
  const unlisted = (['create', 'edit', 'delete'] as const).filter((one) => operations?.includes(one) === false);
  return [
    ...claimed.map((path) => `$.${path} is ignored: andon writes it.`),
    ...unlisted.flatMap((operation) => {
      const notice = `$.constraints.allowed_operations does not list "${operation}": `;
      if (operation !== 'delete') return [`${notice}andon does not enforce that; use paths.`];
      return (allow_deletes ?? delete_allowed) === true ? [`${notice}nothing may be deleted.`] : [];
    }),
  ];
}
