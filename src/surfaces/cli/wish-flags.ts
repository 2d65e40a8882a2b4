import type { Wishes } from '../../contract/draft/wishes.ts';

/** The flags that say what a contract holds, and which wish each of them says; those without one say more of its gates. */
export const WISH_FLAGS = [
  ['--id <task_id>', 'the task id', 'taskId'],
  ['--title <text>', 'a title: the subject of its commit', 'title'],
  ['--require <text...>', 'a requirement (may be repeated)', 'requirements'],
  ['--criterion <text...>', 'an acceptance criterion (may be repeated)', 'criteria'],
  ['--allow <path...>', 'a file, a folder ending in /, or a glob that may be changed', 'allowed'],
  ['--forbid <path...>', 'what must not be changed', 'forbidden'],
  ['--target <path>', 'the file to write', 'target'],
  ['--source <path...>', 'a source file; its hash is written into the contract', 'sources'],
  ['--complexity <trivial|minor|major|critical>', 'sets the limits that are not named', 'complexity'],
  ['--gate <name=command...>', 'a gate of this task (may be repeated)', 'gates'],
  ['--must-fail-before <name...>', 'a gate of this task that must be red on the base'],
  ['--gate-timeout <minutes>', 'how long a gate of this task may take; default 10'],
  ['--holdout-gate <name=command...>', 'a gate that the implementer never sees', 'holdoutGates'],
  ['--holdout-criterion <text...>', 'a criterion that the implementer never sees', 'holdoutCriteria'],
  ['--budget-usd <n>', 'a ceiling for the whole task, in US dollars', 'usd'],
  ['--budget-tokens <n>', 'a ceiling in tokens', 'tokens'],
  ['--budget-minutes <n>', 'a ceiling in minutes', 'minutes'],
  ['--max-rebuttals <n>', 'disagreements before the line halts; default 2', 'maxRebuttals'],
  ['--max-review-cycles <n>', 'reviews before the line halts; default 5', 'maxReviewCycles'],
  ['--timeout <minutes>', 'how long an agent may be silent; default 10', 'timeoutMinutes'],
  ['--hard-limit <minutes>', 'how long one call may take, however lively; default 60', 'hardLimitMinutes'],
  ['--max-diff-size <lines>', 'added and deleted lines; default 200', 'maxDiffSize'],
  ['--max-delete-ratio <share>', "the share of the project's lines that may go; default 0.05", 'maxDeleteRatio'],
  ['--allow-deletes', 'files may be deleted', 'allowDeletes'],
  ['--allow-shrink', 'a file may lose most of its lines or be replaced', 'allowShrink'],
  [
    '--allow-test-changes <test...>',
    'a test file or the name of a test that the change may break (may be repeated)',
    'allowTestChanges',
  ],
  ['--allow-test-loss', 'tests and assertions may go, be skipped or have stored results rewritten', 'allowTestLoss'],
  ['--priority <n>', 'higher runs first among waiting contracts; default 0', 'priority'],
  ['--after <task...>', 'a task that must be merged before this one begins (may be repeated)', 'after'],
  ['--not-before <moment>', 'not before then: 2026-01-31T07:00:00+01:00, with its zone', 'notBefore'],
  ['--branch <name>', 'the branch to merge into; default: that of the project', 'branch'],
  [
    '--implementer <model...>',
    'may be repeated: each takes over from the one before; default: that of the project',
    'implementers',
  ],
  ['--reviewer <model>', 'default: that of the project, else deepseek-r1', 'reviewer'],
  ['--judge <agent>', 'default: that of the project, else claude-code-cli', 'judge'],
  [
    '--floor-manager <agent>',
    'who says fix or rebut: a driver or a profile; andon: nobody is asked; human: wait for DECISION.json',
    'floorManager',
  ],
] as const satisfies readonly (readonly [flags: string, text: string, wish?: keyof Wishes])[];

/** The same as options of every command that makes a contract. */
export const WISH_OPTIONS = WISH_FLAGS.map(([flags, text]) => [flags, text] as const);

/** Where a finished contract goes, and how much is asked. */
export const HAND_IN_OPTIONS: readonly (readonly [flags: string, text: string])[] = [
  ['--queue', 'put it into the queue; so it does by itself while the line is busy'],
  ['--save <file>', 'write it to a file instead of dropping it'],
  ['--print', 'print it instead of dropping it'],
  ['--yes', 'ask nothing'],
];

/** Wishes that no flag says, by what they are called where one is refused; the compiler names a wish that has neither. */
const WITHOUT_FLAG: Readonly<Record<Exclude<keyof Wishes, Flagged>, string>> = { project: '--name', notes: 'notes' };
type Flagged = Extract<(typeof WISH_FLAGS)[number], { readonly 2: keyof Wishes }>[2];

const FLAG_OF = {
  ...WITHOUT_FLAG,
  ...Object.fromEntries(WISH_FLAGS.map(([flags, , wish]) => [wish, flags.split(' ')[0]])),
} as Readonly<Record<keyof Wishes, string>>;

/** The flag that says a wish. */
export const flagOf = (wish: keyof Wishes): string => FLAG_OF[wish];
