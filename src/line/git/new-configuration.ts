import { toBranchName } from '../../base/names.ts';
import { getTouchedPaths } from '../../base/changed-file.ts';
import { classifyPath } from '../../base/paths.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { rebaseOntoTarget } from './rewritten-target.ts';
import type { StepOutcome } from '../journal/step-journal.ts';
import type { Needs, Services } from '../services/services.ts';

/**
 * A target whose configuration has changed since the base of the task: the task goes on from there before anything more is
 * paid or decided under the old one. Undefined where the configuration is the same.
 */
export const applyNewConfiguration = async (
  services: Needs<'configuration' | 'digest' | 'repository'>,
  record: TaskRecord,
  target: string,
): Promise<StepOutcome | undefined> =>
  (await services.configuration.isSame(record.base, target))
    ? undefined
    : rebaseOntoTarget(services, record, target, 'moved and its configuration changed; its gates and rules decide now');

/**
 * The refusal of a task that was admitted under another configuration than its base has now: a required gate is missing,
 * or its change edits a path that is protected since.
 */
export function findConfigurationRefusal({ settings }: Needs<'settings'>, record: TaskRecord): StepOutcome | undefined {
  const { contract, change, base } = record;
  const where = `${toBranchName(record.target)} (${base.slice(0, 7)})`;
  const gates = [...settings.gates, ...contract.gates, ...contract.holdout.gates];
  if (settings.requireGates && gates.length === 0) {
    const fault = `${where} requires a gate (\`require_gates\` in .andon/config.yaml), and neither the project nor this contract has one; commit a gate there, or give the task up and drop a contract with \`gates\``;
    return { event: 'fault', reason: fault, facts: { fault } };
  }
  const { protectedPaths: _, ...constraints } = contract.constraints;
  const allowed = { ...constraints, allowedPaths: [...constraints.allowedPaths, ...record.grants.paths] };
  const { protectedPaths } = settings;
  const closed = (change?.files ?? [])
    .flatMap(getTouchedPaths)
    .filter(
      (path) =>
        classifyPath(path, { ...allowed, ...(protectedPaths === undefined ? {} : { protectedPaths }) }) ===
          'protected' && classifyPath(path, contract.constraints) !== 'protected',
    );
  if (closed.length === 0) return undefined;
  const reason = `${where} protects ${closed.join(', ')} since this task was admitted (\`protected_paths\` in .andon/config.yaml), and the change touches it`;
  return { event: 'merge_blocked', reason, facts: { mergeBlocked: { reason, conflictsWith: base } } };
}

/** The record under the protected paths in force now: an admitted contract holds those of its admission. */
export function withProtectedPaths(record: TaskRecord, { protectedPaths }: Services['settings']): TaskRecord {
  const { protectedPaths: _, ...constraints } = record.contract.constraints;
  const now = protectedPaths === undefined ? constraints : { ...constraints, protectedPaths };
  return { ...record, contract: { ...record.contract, constraints: now } };
}
