import { CONTRACT_FIELDS } from '../../contract/contract-fields.ts';
import type { FieldKey } from '../../contract/contract-fields.ts';

/** The help of each field that has a flag. */
const HELP: Readonly<Partial<Record<FieldKey, string>>> = {
  title: 'Set the title: the subject of its commit',
  task_id: 'Set the task id',
  requirements: 'Add a requirement (repeatable)',
  acceptance_criteria: 'Add an acceptance criterion (repeatable)',
  allowed_paths: 'Allow changes to a file, a folder ending in / or a glob',
  forbidden_paths: 'Forbid changes to a path',
  target_file: 'Name the file to write',
  source_files: 'Name a source file, whose hash goes into the contract',
  complexity: 'Set the limits that are not named',
  gates: 'Add a gate of this task (repeatable)',
  holdout_gates: 'Add a gate that the implementer never sees',
  holdout_criteria: 'Add a criterion that the implementer never sees',
  budget_usd: 'Limit the cost of the whole task, in US dollars',
  budget_tokens: 'Limit the tokens of the whole task',
  budget_minutes: 'Limit the minutes of the whole task',
  max_rebuttals: 'Halt after this many disagreements',
  max_review_cycles: 'Halt after this many reviews',
  timeout_minutes: 'Limit the silence of an agent',
  hard_limit_minutes: 'Limit the whole duration of one call. Default: 60',
  max_diff_size: 'Limit the added and deleted lines',
  max_delete_ratio: "Limit the share of the project's lines that may go",
  allow_deletes: 'Allow files to be deleted',
  allow_shrink: 'Allow a file to lose most lines or be replaced',
  allow_test_changes: 'Allow a test file or a named test to break (repeatable)',
  allow_test_loss: 'Allow tests to go, be skipped or have results rewritten',
  priority: 'Run it before waiting contracts of a lower number',
  after: 'Wait until this task is merged (repeatable)',
  not_before: 'Wait until a moment, 2026-01-31T07:00:00+01:00',
  base_branch: 'Name the branch to merge into. Default: the project',
  implementer: 'Name the implementer (repeated: each takes over in turn)',
  local_reviewer: 'Name the local reviewer. Default: the project',
  judge: 'Name the judge. Default: the project',
  floor_manager: 'Name who says fix or rebut: an agent, andon or human',
};

/** Further options of the gates of a task. */
const GATE_OPTIONS = [
  ['--must-fail-before <name...>', 'Demand that a gate of this task is red on the base'],
  ['--gate-timeout <minutes>', 'Limit a gate of this task. Default: 10'],
] as const;

/** The fields that a flag sets; `--name` and notes are set otherwise. */
export const FLAG_FIELDS = CONTRACT_FIELDS.filter(({ key }) => HELP[key] !== undefined);

/** The options of every command that makes a contract. */
export const CONTRACT_OPTIONS: readonly (readonly [flags: string, text: string])[] = FLAG_FIELDS.flatMap(
  ({ key, flag: flags, default: usual }) => {
    const help = HELP[key] ?? '';
    const text = typeof usual === 'number' ? `${help}. Default: ${usual}` : help;
    return [[flags, text] as const, ...(key === 'gates' ? GATE_OPTIONS : [])];
  },
);

/** Where a finished contract goes, and how much is asked. */
export const HAND_IN_OPTIONS: readonly (readonly [flags: string, text: string])[] = [
  ['--queue', 'Put it into the queue, as happens while the line is busy'],
  ['--save <file>', 'Write it to a file instead of dropping it'],
  ['--print', 'Print it instead of dropping it'],
  ['--yes', 'Ask nothing, take the proposed files and id'],
];

/** The flag that sets a field. */
export const flagOf = (wanted: FieldKey): string =>
  CONTRACT_FIELDS.find(({ key }) => key === wanted)?.flag.split(' ')[0] ?? wanted;
