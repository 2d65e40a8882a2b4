import { PHASES, FORMATS, SPEAKERS } from '../../../rules/model/rule-words.ts';
import { MODES } from '../../../project/config/config-words.ts';
import { JSON_OPTION, type CommandGroup, type OptionRow } from '../command.ts';

export const INSPECTION_OPTIONS: readonly OptionRow[] = [
  [`--format <${FORMATS.join('|')}>`, 'Choose the format of the report. Default: text'],
  ['--out <file>', 'Write the report there, and text to the screen'],
  ['--update-baseline', 'Accept all findings into .andon/baseline.json'],
  ['--llm', 'Ask a model where the rules cannot decide'],
  ['--trace', 'Show every step for every rule'],
  ['--json', 'Print facts for programs, as --format json'],
];

export const LOOK_OPTIONS: readonly OptionRow[] = [
  ['--plan <file>', 'Check a plan: words, a file, or - for stdin'],
  ['--contract <file>', 'Check a TASK_CONTRACT.json'],
  ['--file <file...>', 'Check whole files'],
  ['--diff <file>', 'Check the new lines of a diff, - for stdin'],
  ['--allow-empty', 'Accept an empty diff'],
  ['--staged', 'Check what git would commit now'],
];

/** The commands that apply rules and keep the rulebook. */
export const RULE_COMMANDS: CommandGroup = {
  title: 'Rules',
  commands: [
    {
      usage: 'check',
      description: 'Apply the rules to a plan, files, a diff or a response',
      options: [
        ...LOOK_OPTIONS,
        ['--base [branch]', 'Check what this branch changed. Default: the target'],
        ['--response <file>', 'Check an answer: words, a file, or - for stdin'],
        ['--query <file>', 'With --response: say what was asked'],
        ['--context <file...>', 'With --response: name the sources that it may use'],
        ['--var <value...>', 'With --response: set a variable, such as user_tier=VIP'],
        ['--profile-var <value...>', 'With --response: set a variable of the receiver'],
        ['--scenario <name...>', 'With --response: name the scenarios and steps it is in'],
        ['--remediate', 'With --response: rewrite a failed answer'],
        ['--task <text>', 'Narrow the rules to this task, in words'],
        [`--phase <${PHASES.join('|')}>`, 'Apply only rules of this phase'],
        ...INSPECTION_OPTIONS,
      ],
      load: () => import('../commands/check.ts'),
    },
    {
      usage: 'rules <list|show|lint|test|new|import|stats|feedback|enforce> [names-or-files...]',
      description: 'Manage the rulebook and how strictly it is enforced',
      options: [
        ['--false <reason>', 'feedback: say why the rule was wrong'],
        [`--mode <${MODES.join('|')}>`, 'enforce: set the mode'],
        ['--threshold <score>', 'enforce: set the least score that passes, 0 to 100'],
        JSON_OPTION,
      ],
      after: `lint takes files and test rule ids, any number; show, new and import take one. feedback takes a rule and a finding: its id, its file:line, or the task of a message check.`,
      load: () => import('../commands/rules.ts'),
    },
    {
      usage: 'messages <check|stats> [file]',
      description: 'Check what one agent writes to another, or print statistics',
      options: [
        [`--from <${SPEAKERS.join('|')}>`, 'check: name the sender. Default: implementer'],
        [`--to <${SPEAKERS.join('|')}>`, 'check: name the receiver. A human is never checked'],
        ['--task <task>', 'check: name a task, a file, or the delegation in words'],
        ['--changed <file>', 'check: read what git printed of changed files, or -'],
        ['--refused <n>', 'check: count the earlier rejections in this turn'],
        JSON_OPTION,
      ],
      load: () => import('../commands/messages.ts'),
    },
    {
      usage: 'hook <install|remove|claude> [install|remove|status|run]',
      description: 'Install a git hook, or a hook for Claude Code',
      options: [
        ['--local', 'claude: use .claude/settings.local.json'],
        ['--user', 'claude: use your own settings, for every project'],
        JSON_OPTION,
      ],
      load: () => import('../commands/hook.ts'),
    },
    {
      usage: 'contract <lint|hash|schema> [files...]',
      description: 'Check a contract, print file hashes or the JSON Schema',
      options: [JSON_OPTION],
      load: () => import('../commands/contract.ts'),
    },
  ],
};
