import type { z } from 'zod';
import type { gateSchema } from './gate.ts';
import { DEFAULT_CONTRACT_LIMITS } from './task-contract-defaults.ts';
import type { Complexity } from './task-contract-shape.ts';

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
  /** Written into a contract that does not name the field. */
  readonly default?: number | boolean;
  /** Asked by `andon new` where a person wants to change the field, or nothing tells it. */
  readonly question?: string;
}

const USUAL = DEFAULT_CONTRACT_LIMITS;

/**
 * Every field that a user may set, in the order of questions and flags. Flags, spec names, questions, the written contract
 * and the places of faults derive from this table; `task-contract-shape.ts` checks the values.
 */
const ROWS = {
  title: { kind: 'text', question: 'What is it about?' },
  task_id: { kind: 'text', aliases: 'id', flag: '--id <task_id>', question: 'Task id' },
  project: { kind: 'text', aliases: 'target_project', flag: '--name <project>' },
  requirements: {
    kind: 'texts',
    in: 'specification',
    flag: '--require <text...>',
    question: 'What must hold afterwards?',
  },
  acceptance_criteria: {
    kind: 'texts',
    in: 'specification',
    aliases: 'acceptance',
    flag: '--criterion <text...>',
    question: 'How can a judge tell that it is done?',
  },
  allowed_paths: {
    kind: 'paths',
    in: 'constraints',
    aliases: 'allowed',
    flag: '--allow <path...>',
    question: 'What may be changed? Files, folders ending in / or globs, from the root of the repository',
  },
  forbidden_paths: {
    kind: 'paths',
    in: 'constraints',
    aliases: 'forbidden',
    flag: '--forbid <path...>',
    question: 'What of that must not be changed?',
  },
  target_file: {
    kind: 'path',
    in: 'specification',
    aliases: 'target target_output',
    flag: '--target <path>',
    question: 'Which file is to be written?',
  },
  source_files: {
    kind: 'paths',
    in: 'specification',
    aliases: 'sources',
    flag: '--source <path...>',
    question: 'Which files is it made from? Their hashes are written into the contract',
  },
  complexity: { kind: 'complexity', question: 'How hard is it? It sets the limits' },
  gates: { kind: 'gates', flag: '--gate <name=command...>', question: 'A gate of this task alone, as name=command' },
  holdout_gates: { kind: 'gates', path: 'holdout.gates', flag: '--holdout-gate <name=command...>' },
  holdout_criteria: { kind: 'texts', path: 'holdout.criteria', flag: '--holdout-criterion <text...>' },
  budget_usd: {
    kind: 'number',
    path: 'limits.budget.usd',
    aliases: 'cost_ceiling_usd',
    question: 'The most it may cost, in US dollars?',
  },
  budget_tokens: {
    kind: 'number',
    path: 'limits.budget.tokens',
    aliases: 'token_budget',
    question: 'The most tokens it may take?',
  },
  budget_minutes: {
    kind: 'number',
    path: 'limits.budget.minutes',
    question: 'The most minutes agents may work on it?',
  },
  max_rebuttals: { kind: 'number', in: 'limits', default: USUAL.rebuttals },
  max_review_cycles: { kind: 'number', in: 'limits', default: USUAL.reviewCycles },
  timeout_minutes: { kind: 'number', in: 'limits', flag: '--timeout <minutes>', default: USUAL.timeoutMinutes },
  hard_limit_minutes: { kind: 'number', in: 'limits', flag: '--hard-limit <minutes>' },
  max_diff_size: { kind: 'number', in: 'constraints', aliases: 'max_diff_lines', default: USUAL.maxDiffSize },
  max_delete_ratio: {
    kind: 'number',
    in: 'breaker',
    flag: '--max-delete-ratio <share>',
    default: USUAL.maxDeleteRatio,
  },
  allow_deletes: { kind: 'boolean', in: 'constraints', aliases: 'deletions_allowed delete_allowed', default: false },
  allow_shrink: { kind: 'boolean', in: 'constraints' },
  allow_test_changes: { kind: 'texts', in: 'constraints', flag: '--allow-test-changes <test...>' },
  allow_test_loss: { kind: 'boolean', in: 'constraints' },
  priority: { kind: 'number', default: 0 },
  after: { kind: 'texts', flag: '--after <task...>' },
  not_before: { kind: 'text', flag: '--not-before <moment>' },
  base_branch: { kind: 'text', in: 'git', aliases: 'branch', flag: '--branch <name>' },
  implementer: { kind: 'texts', in: 'roles', flag: '--implementer <model...>' },
  local_reviewer: { kind: 'text', in: 'roles', aliases: 'reviewer', flag: '--reviewer <model>' },
  judge: { kind: 'text', in: 'roles', flag: '--judge <agent>' },
  floor_manager: { kind: 'text', in: 'roles', flag: '--floor-manager <agent>' },
  notes: { kind: 'text', in: 'metadata', aliases: 'notes_for_implementer' },
} as const satisfies Readonly<Record<string, FieldRow>>;

type Rows = typeof ROWS;
export type FieldKey = keyof Rows;

/** One field of a contract that a user may set: by a flag, in a spec, in answer to a question. */
interface ContractField extends FieldRow {
  /** Its name in a draft and in a spec, in the spelling of the file. */
  readonly key: FieldKey;
  readonly path: string;
  readonly flag: string;
}

const VALUES = { text: ' <text>', number: ' <n>', complexity: ' <trivial|minor|major|critical>' } as const;

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
