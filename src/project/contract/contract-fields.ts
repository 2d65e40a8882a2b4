import type { z } from 'zod';
import type { gateSchema } from './gate.ts';
import { COMPLEXITIES, DEFAULT_CONTRACT_LIMITS, type Complexity } from './task-contract-defaults.ts';

/** A gate as a contract writes it. */
export type WrittenGate = Readonly<z.infer<ReturnType<typeof gateSchema>>>;

/** The values of a field, by its kind. */
export interface FieldValues {
  readonly text: string;
  readonly texts: readonly string[];
  readonly path: string;
  readonly paths: readonly string[];
  readonly number: number;
  readonly boolean: boolean;
  readonly complexity: Complexity;
  readonly gates: readonly WrittenGate[];
}

/** A row of the table below. */
interface FieldRow {
  readonly kind: keyof FieldValues;
  /** Its section in the contract; default: the root. */
  readonly in?: string;
  /** Its path in the contract, without the leading `$.`; default: the key in its section. */
  readonly path?: string;
  /** Other names in a spec. */
  readonly aliases?: string;
  /** Default: the key. */
  readonly flag?: string;
  /** The help of its flag; a field without help has none. */
  readonly help?: string;
  /** Written into a contract that does not name the field. */
  readonly default?: number | boolean;
}

const USUAL = DEFAULT_CONTRACT_LIMITS;

const field = <Kind extends keyof FieldValues>(
  kind: Kind,
  help?: string,
  more: Omit<FieldRow, 'kind' | 'help'> = {},
) => ({
  kind,
  ...(help === undefined ? {} : { help }),
  ...more,
});

/**
 * Every field that a user may set, in the order of flags. Flags, spec names, the shown and the written contract
 * and the places of faults derive from this table; `task-contract-shape.ts` checks the values.
 */
const ROWS = {
  title: field('text', 'Set the title: the subject of its commit'),
  task_id: field('text', 'Set the task id', { aliases: 'id', flag: '--id <task_id>' }),
  project: field('text', 'Name the project. Default: the name of its folder', {
    aliases: 'target_project',
    flag: '--name <project>',
  }),
  requirements: field('texts', 'Add a requirement (repeatable)', { in: 'specification', flag: '--require <text...>' }),
  acceptance_criteria: field('texts', 'Add an acceptance criterion (repeatable)', {
    in: 'specification',
    aliases: 'acceptance',
    flag: '--criterion <text...>',
  }),
  allowed_paths: field('paths', 'Allow changes to a file, a folder ending in / or a glob', {
    in: 'constraints',
    aliases: 'allowed',
    flag: '--allow <path...>',
  }),
  forbidden_paths: field('paths', 'Forbid changes to a path', {
    in: 'constraints',
    aliases: 'forbidden',
    flag: '--forbid <path...>',
  }),
  target_file: field('path', 'Name the file that the task writes', {
    in: 'specification',
    aliases: 'target target_output',
    flag: '--target-file <path>',
  }),
  source_files: field('paths', 'Name a source file, whose hash goes into the contract', {
    in: 'specification',
    aliases: 'sources',
    flag: '--source <path...>',
  }),
  complexity: field('complexity', 'Choose a preset of limits: rebuttals, cycles, dollars'),
  gates: field('gates', 'Add a gate of this task (repeatable)', { flag: '--gate <name=command...>' }),
  holdout_gates: field('gates', 'Add a gate that the implementer never sees', {
    path: 'holdout.gates',
    flag: '--holdout-gate <name=command...>',
  }),
  holdout_criteria: field('texts', 'Add a criterion that the implementer never sees', {
    path: 'holdout.criteria',
    flag: '--holdout-criterion <text...>',
  }),
  budget_usd: field('number', 'Limit the cost of the whole task, in US dollars', {
    path: 'limits.budget.usd',
    aliases: 'cost_ceiling_usd',
  }),
  budget_tokens: field('number', 'Limit the tokens of the whole task', {
    path: 'limits.budget.tokens',
    aliases: 'token_budget',
  }),
  budget_minutes: field('number', 'Limit the minutes of agents’ time in the whole task', {
    path: 'limits.budget.minutes',
  }),
  max_rebuttals: field('number', 'Halt after more than this many rebuttals', {
    in: 'limits',
    default: USUAL.rebuttals,
  }),
  max_review_cycles: field('number', 'Halt when it is sent back more often than this', {
    in: 'limits',
    default: USUAL.reviewCycles,
  }),
  timeout_minutes: field('number', 'Stop an agent that prints nothing for this long', {
    in: 'limits',
    flag: '--timeout <minutes>',
    default: USUAL.timeoutMinutes,
  }),
  hard_limit_minutes: field('number', 'Limit one call. Default: 6 × --timeout, at least 60', {
    in: 'limits',
    flag: '--hard-limit <minutes>',
  }),
  max_stalls: field('number', 'Retry this many silent or endless calls. Default: 0', { in: 'limits' }),
  max_diff_size: field('number', 'Limit the added and deleted lines', {
    in: 'constraints',
    aliases: 'max_diff_lines',
    default: USUAL.maxDiffSize,
  }),
  max_files: field('number', 'Limit the changed files', { in: 'constraints' }),
  max_delete_ratio: field('number', "Limit the share of the project's lines that may go", {
    in: 'breaker',
    flag: '--max-delete-ratio <share>',
    default: USUAL.maxDeleteRatio,
  }),
  allow_deletes: field('boolean', 'Allow files to be deleted', {
    in: 'constraints',
    aliases: 'deletions_allowed delete_allowed',
    default: false,
  }),
  allow_shrink: field('boolean', 'Allow an answer to leave out more than half of a file', { in: 'constraints' }),
  allow_test_changes: field('texts', 'Name existing tests that may change or fail (repeatable)', {
    in: 'constraints',
    flag: '--allow-test-changes <test...>',
  }),
  allow_test_loss: field('boolean', 'Allow tests to be deleted or skipped', {
    in: 'constraints',
  }),
  priority: field('number', 'Set its priority: a higher number runs first', { default: 0 }),
  after: field('texts', 'Wait until this task is merged (repeatable)', { flag: '--after <task...>' }),
  not_before: field('text', 'Start no earlier than this time (2026-01-31T07:00:00+01:00)', {
    flag: '--not-before <moment>',
  }),
  base_branch: field('text', 'Name the branch to merge into. Default: as configured', {
    in: 'git',
    aliases: 'branch',
    flag: '--branch <name>',
  }),
  implementer: field('texts', 'Name the implementer. Each further one is a fallback', {
    in: 'roles',
    flag: '--implementer <model...>',
  }),
  local_reviewer: field('text', 'Name the local reviewer. Default: as configured', {
    in: 'roles',
    aliases: 'reviewer',
    flag: '--reviewer <model>',
  }),
  judge: field('text', 'Name the judge. Default: as configured', { in: 'roles', flag: '--judge <agent>' }),
  floor_manager: field('text', 'Who decides after a FAIL: an agent, andon (rules) or human', {
    in: 'roles',
    flag: '--floor-manager <agent>',
  }),
  notes: field('text', undefined, { in: 'metadata', aliases: 'notes_for_implementer' }),
};

type Rows = typeof ROWS;
export type FieldKey = keyof Rows;

/** One field of a contract that a user may set: by a flag or in a spec. */
interface ContractField extends FieldRow {
  /** Its name in a draft and in a spec, in the spelling of the file. */
  readonly key: FieldKey;
  readonly path: string;
  readonly flag: string;
}

const VALUES = { text: ' <text>', number: ' <n>', complexity: ` <${COMPLEXITIES.join('|')}>` } as const;

export const CONTRACT_FIELDS: readonly ContractField[] = Object.entries<FieldRow>(ROWS).map(([key, row]) => ({
  path: row.in === undefined ? key : `${row.in}.${key}`,
  flag: `--${key.replaceAll('_', '-')}${(VALUES as Readonly<Record<string, string>>)[row.kind] ?? ''}`,
  ...row,
  key: key as FieldKey,
}));

/** The fields that a user set, in the spelling of the file. */
export type PartialDraft = { readonly [Key in FieldKey]?: FieldValues[Rows[Key]['kind']] | undefined };

/** A draft of a whole contract: lists and workers are filled in. */
export type ContractDraft = PartialDraft &
  Readonly<Record<'task_id' | 'project' | 'local_reviewer' | 'judge', string>> & {
    readonly [
      Key in FieldKey as Rows[Key]['kind'] extends 'texts' | 'paths' | 'gates' ? Key : never
    ]: FieldValues[Rows[Key]['kind']];
  };

/** Whether the path of a fault is that of a field. */
export const isAtField = (faultPath: string, key: FieldKey): boolean => {
  const place = `$.${CONTRACT_FIELDS.find((field) => field.key === key)?.path ?? ''}`;
  return faultPath === place || faultPath.startsWith(`${place}.`) || faultPath.startsWith(`${place}[`);
};
