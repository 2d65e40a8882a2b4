import { z } from 'zod';
import { STATUSES } from '../base/names.ts';
import { lazy } from '../base/lazy.ts';
import { gateSchema } from './gate.ts';
import {
  countField,
  digest,
  file,
  floorManager,
  foreign,
  minutes,
  momentField,
  pattern,
  predecessors,
  sentenceField,
  targetBranch,
  taskId,
  describeField,
  title,
  tokens,
  usd,
  reviewers,
  workers,
} from './task-contract-fields.ts';
import { bookkeeping } from './task-contract-bookkeeping.ts';

/** The complexity of a task; it sets the missing limits. */
export const COMPLEXITIES = ['trivial', 'minor', 'major', 'critical'] as const;
export type Complexity = (typeof COMPLEXITIES)[number];

/** Every status in a contract, with the names of schema 2.0: andon writes it and never trusts it. */
const KNOWN_STATUSES = [
  ...STATUSES,
  'implementation_in_progress',
  'judge_review_in_progress',
  'pending_rebuttal',
  'timeout_implementer',
  'timeout_judge',
] as const;

const timeouts = lazy(() =>
  z.strictObject({
    implementer: minutes().optional(),
    local_review: minutes().optional(),
    judge: minutes().optional(),
  }),
);

const shape = lazy(() => ({
  $schema: z.string().optional(),
  task_id: taskId(),
  project: sentenceField('the name of the project', 'Project-A'),
  title: title().optional(),
  priority: describeField(z.int(), 'a whole number; higher runs first', 0).optional(),
  after: predecessors().optional(),
  not_before: momentField().optional(),
  spec: describeField(
    z.strictObject({
      name: sentenceField('the name that all parts of the spec say alike', 'login'),
      part: countField('a whole number from 0: its place among them', 1).optional(),
    }),
    'an object with name and, if wanted, part: parts of one spec begin in the order of their numbers, else as they were dropped',
    { name: 'login', part: 1 },
  ).optional(),
  status: describeField(
    z.enum(KNOWN_STATUSES),
    'left out, or "pending_implementer": andon writes the status',
    'pending_implementer',
  ).optional(),
  status_reason: foreign('written by andon').optional(),
  last_transition_id: foreign('written by andon').optional(),
  attempt: countField('a whole number from 0; written by andon', 1).optional(),
  timestamps: describeField(
    z.strictObject({
      created_at: foreign('written by andon').optional(),
      updated_at: foreign('written by andon').optional(),
      deadline_at: foreign('informative').optional(),
    }),
    'an object with created_at, updated_at and deadline_at',
    { created_at: '2026-01-16T12:00:00Z' },
  ).optional(),
  git: describeField(
    z.strictObject({
      repo_root: foreign('informative').optional(),
      base_branch: targetBranch().optional(),
      task_branch: foreign('informative').optional(),
      base_commit: foreign('informative').optional(),
    }),
    'an object with repo_root, base_branch, task_branch and base_commit',
    { base_branch: 'main' },
  ).optional(),
  roles: describeField(
    z.strictObject({
      implementer: workers('the model that writes the change', 'qwen2.5-coder').optional(),
      local_reviewer: reviewers('the model or agent that reviews it first', 'deepseek-r1').optional(),
      judge: reviewers('the model or agent that judges it', 'claude-code-cli').optional(),
      floor_manager: floorManager().optional(),
    }),
    'an object naming implementer, local_reviewer and judge; one that is left out is that of the configuration',
    { implementer: 'qwen2.5-coder', local_reviewer: 'deepseek-r1', judge: 'claude-code-cli' },
  ).optional(),
  limits: describeField(
    z.strictObject({
      max_rebuttals: countField('a whole number from 0: rebuttals before the line halts', 2).optional(),
      max_review_cycles: countField('a whole number from 0: reviews before the line halts', 5).optional(),
      max_stalls: countField('a whole number from 0: stalls that are retried before the line halts', 1).optional(),
      timeout_minutes: describeField(
        z.union([minutes(), timeouts()]),
        'minutes above 0, or an object with implementer, local_review and judge',
        10,
      ).optional(),
      hard_limit_minutes: describeField(
        minutes(),
        'minutes above 0: the longest that one call may take, however lively it is; by default six times its timeout_minutes, and at least 60',
        60,
      ).optional(),
      token_budget: tokens().optional(),
      cost_ceiling_usd: usd().optional(),
      budget: describeField(
        z.strictObject({ usd: usd().optional(), tokens: tokens().optional(), minutes: minutes().optional() }),
        'an object with usd, tokens and minutes: ceilings over the whole task',
        { usd: 0.5 },
      ).optional(),
    }),
    'an object with the limits of the task',
    { max_rebuttals: 2 },
  ).optional(),
  constraints: describeField(
    z.strictObject({
      allowed_paths: describeField(z.array(pattern()).min(1).max(1000), 'a list of 1 to 1000 paths, folders or globs', [
        'docs/',
      ]),
      forbidden_paths: describeField(z.array(pattern()).max(1000), 'a list of at most 1000 paths, folders or globs', [
        '.env',
      ]).optional(),
      allow_deletes: describeField(z.boolean(), 'true or false', false).optional(),
      delete_allowed: describeField(z.boolean(), 'true or false', false).optional(),
      allowed_operations: describeField(
        z.array(
          describeField(z.enum(['create', 'edit', 'delete', 'rename']), 'create, edit, delete or rename', 'edit'),
        ),
        'a list of create, edit, delete, rename',
        ['edit', 'create'],
      ).optional(),
      allow_shrink: describeField(
        z.boolean(),
        'true or false: whether a file may lose most of its lines',
        false,
      ).optional(),
      allow_test_changes: describeField(
        z.array(sentenceField('a path, a glob, or the name of a test', 'test/date.test.js')).min(1).max(200),
        'a list of test files (paths or globs) or names of tests that may come to expect something else',
        ['test/date.test.js'],
      ).optional(),
      allow_test_loss: describeField(
        z.boolean(),
        'true or false: whether tests and assertions may go',
        false,
      ).optional(),
      max_diff_size: countField('a whole number from 0: added + deleted lines', 200).optional(),
      max_diff_lines: countField('a whole number from 0: added + deleted lines', 200).optional(),
      max_files: countField('a whole number from 0: files that may change', 100).optional(),
    }),
    'an object with at least allowed_paths',
    { allowed_paths: ['docs/'] },
  ),
  specification: describeField(
    z.strictObject({
      source_files: describeField(
        z.array(
          describeField(
            z.strictObject({ path: file(), hash: digest().optional(), sha256: digest().optional() }),
            'an object with path and, if wanted, hash',
            { path: 'docs/auth.md', hash: '' },
          ),
        ),
        'a list of objects with path and, if wanted, hash',
        [{ path: 'docs/auth.md', hash: '' }],
      ).optional(),
      target_file: file().optional(),
      requirements: describeField(
        z.array(sentenceField('a sentence that says what is wanted', 'Merge core logic')).min(1),
        'a list of at least one sentence',
        ['Merge core logic'],
      ),
      acceptance_criteria: describeField(
        z.array(sentenceField('a sentence that can be checked', 'Links resolve')),
        'a list of sentences',
        ['Links resolve'],
      ).optional(),
    }),
    'an object with at least requirements',
    { requirements: ['Merge core logic'] },
  ),
  gates: describeField(z.array(gateSchema()).max(100), 'a list of gates', [
    { name: 'tests', run: 'npm test' },
  ]).optional(),
  holdout: describeField(
    z.strictObject({
      gates: describeField(z.array(gateSchema()).max(100), 'a list of gates', [
        { name: 'tests', run: 'npm test' },
      ]).optional(),
      criteria: describeField(
        z.array(sentenceField('a sentence that can be checked', 'Links resolve')),
        'a list of sentences',
        ['Links resolve'],
      ).optional(),
    }),
    'an object with gates and criteria that the implementer never sees',
    { criteria: ['Links resolve'] },
  ).optional(),
  ...bookkeeping(),
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
