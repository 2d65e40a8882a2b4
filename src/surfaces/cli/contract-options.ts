import { CONTRACT_FIELDS } from '../../contract/contract-fields.ts';
import type { FieldKey } from '../../contract/contract-fields.ts';

/** The help of each field that has a flag. */
const HELP: Readonly<Partial<Record<FieldKey, string>>> = {
  title: 'set the title: the subject of its commit',
  task_id: 'set the task id',
  requirements: 'add a requirement (repeatable)',
  acceptance_criteria: 'add an acceptance criterion (repeatable)',
  allowed_paths: 'allow changes to a file, a folder ending in / or a glob',
  forbidden_paths: 'forbid changes to a path',
  target_file: 'name the file to write',
  source_files: 'name a source file, whose hash goes into the contract',
  complexity: 'set the limits that are not named',
  gates: 'add a gate of this task (repeatable)',
  holdout_gates: 'add a gate that the implementer never sees',
  holdout_criteria: 'add a criterion that the implementer never sees',
  budget_usd: 'limit the cost of the whole task, in US dollars',
  budget_tokens: 'limit the tokens of the whole task',
  budget_minutes: 'limit the minutes of the whole task',
  max_rebuttals: 'halt after this many disagreements',
  max_review_cycles: 'halt after this many reviews',
  timeout_minutes: 'limit the silence of an agent',
  hard_limit_minutes: 'limit one call, however lively it is (default 60)',
  max_diff_size: 'limit the added and deleted lines',
  max_delete_ratio: "limit the share of the project's lines that may go",
  allow_deletes: 'allow files to be deleted',
  allow_shrink: 'allow a file to lose most lines or be replaced',
  allow_test_changes: 'allow a test file or a named test to break (repeatable)',
  allow_test_loss: 'allow tests to go, be skipped or have results rewritten',
  priority: 'run it before waiting contracts of a lower number',
  after: 'wait until this task is merged (repeatable)',
  not_before: 'wait until a moment, 2026-01-31T07:00:00+01:00',
  base_branch: 'name the branch to merge into (default: the project)',
  implementer: 'name the implementer (repeated: each takes over in turn)',
  local_reviewer: 'name the local reviewer (default: the project)',
  judge: 'name the judge (default: the project)',
  floor_manager: 'name who says fix or rebut: an agent, andon or human',
};

/** Further options of the gates of a task. */
const GATE_OPTIONS = [
  ['--must-fail-before <name...>', 'demand that a gate of this task is red on the base'],
  ['--gate-timeout <minutes>', 'limit a gate of this task (default 10)'],
] as const;

/** The fields that a flag sets; `--name` and notes are set otherwise. */
export const FLAG_FIELDS = CONTRACT_FIELDS.filter(({ key }) => HELP[key] !== undefined);

/** The options of every command that makes a contract. */
export const CONTRACT_OPTIONS: readonly (readonly [flags: string, text: string])[] = FLAG_FIELDS.flatMap(
  ({ key, flag: flags, default: usual }) => {
    const help = HELP[key] ?? '';
    const text = typeof usual === 'number' ? `${help} (default ${usual})` : help;
    return [[flags, text] as const, ...(key === 'gates' ? GATE_OPTIONS : [])];
  },
);

/** Where a finished contract goes, and how much is asked. */
export const HAND_IN_OPTIONS: readonly (readonly [flags: string, text: string])[] = [
  ['--queue', 'put it into the queue, as happens while the line is busy'],
  ['--save <file>', 'write it to a file instead of dropping it'],
  ['--print', 'print it instead of dropping it'],
  ['--yes', 'ask nothing'],
];

/** The flag that sets a field. */
export const flagOf = (wanted: FieldKey): string =>
  CONTRACT_FIELDS.find(({ key }) => key === wanted)?.flag.split(' ')[0] ?? wanted;
