import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../base/sha256.ts';
import { checkPath } from '../../base/paths.ts';
import { COMPLEXITY_LIMITS, DEFAULT_LIMITS } from '../../contract/task-contract-defaults.ts';
import { asWritten } from '../../contract/task-contract-normalise.ts';
import type { Wishes } from '../../contract/draft/wishes.ts';

/**
 * A whole contract of schema 1.0 from a user's wishes; sources carry the hashes of the files as they lie there, but those
 * that another task may change before.
 */
export function composeContract(root: string, wishes: Wishes, mayChange: readonly string[] = []): object {
  const limits = wishes.complexity === undefined ? undefined : COMPLEXITY_LIMITS[wishes.complexity];
  const budget = defined({
    usd: wishes.usd ?? limits?.usd,
    tokens: wishes.tokens,
    minutes: wishes.minutes,
  });
  const holdout = defined({
    gates: some(wishes.holdoutGates),
    criteria: some(wishes.holdoutCriteria),
  });
  const metadata = defined({ notes: wishes.notes });
  return defined({
    schema_version: '1.0',
    task_id: wishes.taskId,
    project: wishes.project,
    title: wishes.title,
    complexity: wishes.complexity,
    priority: wishes.priority ?? 0,
    after: some(wishes.after),
    not_before: wishes.notBefore,
    status: 'pending_implementer',
    git: wishes.branch === undefined ? undefined : { base_branch: wishes.branch },
    roles: defined({
      implementer: asWritten(wishes.implementers),
      local_reviewer: asWritten(wishes.reviewer.split(',').map((name) => name.trim())),
      judge: asWritten(wishes.judge.split(',').map((name) => name.trim())),
      floor_manager: wishes.floorManager,
    }),
    limits: defined({
      max_rebuttals: wishes.maxRebuttals ?? limits?.rebuttals ?? DEFAULT_LIMITS.rebuttals,
      max_review_cycles: wishes.maxReviewCycles ?? limits?.reviewCycles ?? DEFAULT_LIMITS.reviewCycles,
      timeout_minutes: wishes.timeoutMinutes ?? DEFAULT_LIMITS.timeoutMinutes,
      hard_limit_minutes: wishes.hardLimitMinutes,
      budget: isEmpty(budget) ? undefined : budget,
    }),
    constraints: {
      allowed_paths: [...wishes.allowed],
      forbidden_paths: [...wishes.forbidden],
      allow_deletes: wishes.allowDeletes ?? false,
      ...(wishes.allowShrink === true ? { allow_shrink: true } : {}),
      ...(some(wishes.allowTestChanges) === undefined ? {} : { allow_test_changes: [...wishes.allowTestChanges] }),
      ...(wishes.allowTestLoss === true ? { allow_test_loss: true } : {}),
      max_diff_size: wishes.maxDiffSize ?? DEFAULT_LIMITS.maxDiffSize,
    },
    breaker: { max_delete_ratio: wishes.maxDeleteRatio ?? DEFAULT_LIMITS.maxDeleteRatio },
    specification: defined({
      source_files: some(wishes.sources)?.map((path) => ({
        path,
        hash: mayChange.includes(path) ? '' : hashOf(root, path),
      })),
      target_file: wishes.target,
      requirements: [...wishes.requirements],
      acceptance_criteria: some(wishes.criteria),
    }),
    gates: some(wishes.gates),
    holdout: isEmpty(holdout) ? undefined : holdout,
    metadata: isEmpty(metadata) ? undefined : metadata,
  });
}

/** Empty for what is no file of the project: the line says then what is wrong with the path. */
function hashOf(root: string, path: string): string {
  if (checkPath(path) !== undefined || lstatSync(join(root, path), { throwIfNoEntry: false })?.isFile() !== true)
    return '';
  return `sha256-${sha256(readFileSync(join(root, path)))}`;
}

const defined = (value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined));

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

const some = <Item>(items: readonly Item[]): readonly Item[] | undefined => (items.length === 0 ? undefined : items);
