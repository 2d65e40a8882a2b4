import { z } from 'zod';
import { STATUSES } from '../../base/names.ts';
import { lazy } from '../../base/lazy.ts';
import { gateSchema } from './gate.ts';
import { COMPLEXITIES } from './task-contract-defaults.ts';
import {
  booleanField,
  countField,
  describeField,
  digest,
  file,
  floorManager,
  handoffFile,
  ignored,
  listOf,
  minutes,
  momentField,
  patterns,
  predecessors,
  reviewers,
  section,
  sentenceField,
  targetBranch,
  taskId,
  title,
  tokens,
  usd,
  workers,
} from './task-contract-fields.ts';

/** Every status in a contract, with the names of schema 2.0: andon writes it and never trusts it. */
const KNOWN_STATUSES = [
  ...STATUSES,
  'implementation_in_progress',
  'judge_review_in_progress',
  'pending_rebuttal',
  'timeout_implementer',
  'timeout_judge',
] as const;

const gateList = () =>
  describeField(z.array(gateSchema()).max(100), 'a list of gates', [{ name: 'tests', run: 'npm test' }]);
const criteria = () => listOf(sentenceField('a sentence that can be checked', 'Links resolve'), 'sentences');
const timeouts = () =>
  z.strictObject({
    implementer: minutes().optional(),
    local_review: minutes().optional(),
    judge: minutes().optional(),
  });

const shape = lazy(() => ({
  $schema: z.string().optional(),
  task_id: taskId(),
  project: sentenceField('the name of the project', 'Project-A'),
  title: title().optional(),
  priority: describeField(z.int(), 'a whole number; higher runs first', 0).optional(),
  after: predecessors().optional(),
  not_before: momentField().optional(),
  spec: section(
    {
      name: sentenceField('the name that all parts of the spec share', 'login'),
      part: countField('its place among the parts', 1).optional(),
    },
    ', and part if wanted: parts of one spec begin in the order of their numbers',
  ).optional(),
  status: describeField(
    z.enum(KNOWN_STATUSES),
    'left out, or "pending_implementer": andon writes the status',
    'pending_implementer',
  ).optional(),
  ...ignored('status_reason', 'last_transition_id', 'attempt', 'history', 'history_omitted'),
  timestamps: section(ignored('created_at', 'updated_at', 'deadline_at')).optional(),
  git: section({
    base_branch: targetBranch().optional(),
    ...ignored('repo_root', 'task_branch', 'base_commit'),
  }).optional(),
  roles: section(
    {
      implementer: workers('the model that writes the change', 'qwen2.5-coder').optional(),
      local_reviewer: reviewers('the model or agent that reviews it first', 'deepseek-r1').optional(),
      judge: reviewers('the model or agent that judges it', 'claude-code-cli').optional(),
      floor_manager: floorManager().optional(),
    },
    '; the configuration names the others',
  ).optional(),
  limits: section({
    max_rebuttals: countField('rebuttals that are allowed', 2).optional(),
    max_review_cycles: countField('times that the work may be sent back', 5).optional(),
    max_stalls: countField('stalls that are retried before the task halts', 1).optional(),
    timeout_minutes: describeField(
      z.union([minutes(), timeouts()]),
      'minutes above 0, or an object with implementer, local_review and judge',
      10,
    ).optional(),
    hard_limit_minutes: describeField(
      minutes(),
      'minutes above 0: the longest one call may take; by default six times its timeout_minutes, and at least 60',
      60,
    ).optional(),
    token_budget: tokens().optional(),
    cost_ceiling_usd: usd().optional(),
    budget: section(
      { usd: usd().optional(), tokens: tokens().optional(), minutes: minutes().optional() },
      ': limits of the whole task',
    ).optional(),
  }).optional(),
  constraints: section({
    allowed_paths: patterns().min(1),
    forbidden_paths: patterns().optional(),
    allow_deletes: booleanField('whether files may be deleted').optional(),
    delete_allowed: booleanField('whether files may be deleted').optional(),
    allowed_operations: listOf(
      describeField(z.enum(['create', 'edit', 'delete', 'rename']), 'create, edit, delete or rename', 'edit'),
      'create, edit, delete, rename',
    ).optional(),
    allow_shrink: booleanField('whether a file may lose most of its lines').optional(),
    allow_test_changes: listOf(
      sentenceField('a path, a glob, or the name of a test', 'test/date.test.js'),
      '1 to 200 test files (paths or globs) or names of tests that may come to expect something else',
    )
      .min(1)
      .max(200)
      .optional(),
    allow_test_loss: booleanField('whether tests and assertions may go').optional(),
    max_diff_size: countField('added + deleted lines', 200).optional(),
    max_diff_lines: countField('added + deleted lines', 200).optional(),
    max_files: countField('files that may change', 100).optional(),
  }),
  specification: section({
    source_files: listOf(
      section({ path: file(), hash: digest().optional(), sha256: digest().optional() }, ', and hash if wanted'),
      'objects with path and, if wanted, hash',
    ).optional(),
    target_file: file().optional(),
    requirements: listOf(
      sentenceField('a sentence that says what is wanted', 'Merge core logic'),
      'at least one sentence',
    ).min(1),
    acceptance_criteria: criteria().optional(),
  }),
  gates: gateList().optional(),
  holdout: section(
    { criteria: criteria().optional(), gates: gateList().optional() },
    ' that the implementer never sees',
  ).optional(),
  handoff_data: section({
    judge_report_path: handoffFile().optional(),
    judge_report_json: handoffFile().optional(),
    rebuttal_path: handoffFile().optional(),
    ...ignored('implementer_notes', 'changed_files', 'artifacts', 'diff_summary'),
    ...ignored('local_review_passed', 'local_review_issues'),
  }).optional(),
  breaker: section({
    max_delete_ratio: describeField(
      z.number().min(0).max(1),
      'a share from 0 to 1 (5 % is 0.05): the part of the lines of the project that may go',
      0.05,
    ).optional(),
    ...ignored('status', 'triggered_by', 'trigger_reason', 'rebuttal_count', 'review_cycle_count'),
    ...ignored('tokens_used', 'cost_usd'),
  }).optional(),
  lock: section(ignored('held_by', 'acquired_at', 'expires_at'))
    .nullable()
    .optional(),
  metadata: z.unknown().optional(),
}));

const version = (known: '1.0' | '2.0') =>
  describeField(z.literal(known), 'a known schema version: "1.0" or "2.0", in quotes', known);
const complexity = lazy(() => describeField(z.enum(COMPLEXITIES), `one of ${COMPLEXITIES.join(', ')}`, 'minor'));

/** A contract of schema 1.0 as a user writes it; spellings of 2.0 are accepted too. */
export const contractV1 = lazy(() =>
  z
    .strictObject({ schema_version: version('1.0'), complexity: complexity().optional(), ...shape() })
    .describe('an object: a task contract of schema 1.0'),
);

/** A contract of schema 2.0 as a user writes it: `complexity` is required, spellings of 1.0 are accepted too. */
export const contractV2 = lazy(() =>
  z
    .strictObject({ schema_version: version('2.0'), complexity: complexity(), ...shape() })
    .describe('an object: a task contract of schema 2.0'),
);

/** A checked contract, not yet normalised. */
export type WrittenContract = z.output<ReturnType<typeof contractV1>> | z.output<ReturnType<typeof contractV2>>;
