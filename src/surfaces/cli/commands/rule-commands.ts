import { AGENT_ROLES, FORMATS, MODES, PHASES } from '../../../rule-model/rule-words.ts';
import { JSON_OPTION } from '../command.ts';
import type { CliCommand } from '../command.ts';

/** The options that every command which applies rules takes. */
const INSPECTION_OPTIONS: readonly (readonly [flags: string, text: string])[] = [
  [`--format <${FORMATS.join('|')}>`, 'how the report is written; default: text'],
  ['--out <file>', 'write the report there, and text to the screen'],
  ['--waivers <file>', 'waivers in place of .andon/waivers.yaml'],
  ['--update-baseline', 'take what is found into .andon/baseline.json, so that only new findings count'],
  ['--llm', 'ask a language model too, where the rules leave something open'],
  ['--trace', 'show every step for every rule'],
  ['--json', 'the same as --format json'],
];

/** An answer of an agent, and what is known besides. */
const RESPONSE_OPTIONS: readonly (readonly [flags: string, text: string])[] = [
  ['--response <file>', 'what an agent answered, in words or a file that holds it; - reads it from standard input'],
  ['--query <file>', 'with --response: what was asked, in words or a file; decides which rules are about it'],
  ['--context <file...>', 'with --response: what the answer may rest on, in words or files'],
  ['--var <value...>', 'with --response: a variable of the session, such as user_tier=VIP'],
  ['--profile-var <value...>', 'with --response: the same of whom the answer is for; it goes before --var'],
  ['--scenario <name...>', 'with --response: scenarios and steps that are in force'],
  ['--remediate', 'with --response: have one that fails written anew (with --llm), then try the fallback texts'],
];

/** What is looked at, in as many words as there are. */
const LOOK_OPTIONS: readonly (readonly [flags: string, text: string])[] = [
  ['--plan <file>', 'a plan in words, or a file that holds one; - reads it from standard input'],
  ['--contract <file>', 'a TASK_CONTRACT.json'],
  ['--file <file...>', 'whole files, every line of them'],
  ['--diff <file>', 'a unified diff, its new lines; - reads it from standard input'],
  ['--allow-empty', 'a diff may be empty'],
  ['--staged', 'what git would commit now'],
];

/** The same, where a diff need not be a file. */
const REVIEW_LOOKS = LOOK_OPTIONS.map(([flags, text]) =>
  flags === '--diff <file>'
    ? (['--diff [file]', `${text}; without a file: what this branch changed`] as const)
    : ([flags, text] as const),
);

/** The commands about rules, in the order of the help text. */
export const RULE_COMMANDS: readonly CliCommand[] = [
  {
    usage: 'rules <list|show|lint|test|new|import|stats> [names-or-files...]',
    description: 'the rulebook of this project: what it holds, whether it is sound, and what came of it',
    options: [
      ['--as <yaml|markdown|gitleaks|prose>', 'import: how the file is written; default: as its name says'],
      ['--print', 'import: print the rules instead of writing them'],
      JSON_OPTION,
    ],
    load: () => import('./rules.ts'),
  },
  {
    usage: 'check',
    description: 'apply the rules to a plan, a contract, a response, files, a diff, or what is staged',
    options: [
      ...LOOK_OPTIONS,
      ...RESPONSE_OPTIONS,
      ['--task <text>', 'the task in words; narrows which rules are relevant'],
      [`--phase <${PHASES.join('|')}>`, 'only what may act in this phase acts'],
      ...INSPECTION_OPTIONS,
    ],
    load: () => import('./check.ts'),
  },
  {
    usage: 'validate',
    description: 'apply the rules to a plan before it is carried out; the same as check --plan',
    options: [
      ['--plan <text>', 'the plan in words; - reads it from standard input'],
      ['--file <file>', 'a file that holds the plan'],
      ['--task <text>', 'the task in words; narrows which rules are relevant'],
      ...INSPECTION_OPTIONS,
    ],
    load: () => import('./validate.ts'),
  },
  {
    usage: 'ci',
    description: 'apply the rules to everything that this branch changed since it left its base',
    options: [['--base <branch>', 'the branch it will go into; default: the target, or main'], ...INSPECTION_OPTIONS],
    load: () => import('./ci.ts'),
  },
  {
    usage: 'agents <list|show|add|run|test|stats> [name]',
    description:
      'agent profiles: rules, driver and model of each; run applies the rules of one, test asks it something, stats tells how all did',
    options: [
      ['--role <role...>', `add: from whose point of view it looks, of ${AGENT_ROLES.join(', ')} (may be repeated)`],
      ['--rule <pattern...>', 'add: `all`, an id, or a glob such as security/* (may be repeated); default: all'],
      [`--enforcement <${MODES.join('|')}>`, "add: how hard; default: the project's"],
      ['--driver <name>', 'add: who does its work, such as codex; andon agents list shows all'],
      ['--model <name>', 'add: the model that is asked'],
      ['--edits', 'add: as an implementer it works on the files itself, in the cage'],
      ['--reviewers', 'stats: what came of what each reviewer and judge found, and what it cost'],
      ...LOOK_OPTIONS,
      ['--base <branch>', 'run: what this branch changed since it left that one; the default, as in andon ci'],
      ...INSPECTION_OPTIONS,
    ],
    load: () => import('./agents.ts'),
  },
  {
    usage: 'review',
    description:
      'hold a change against the rules of several agent profiles, ask the models of those that name a driver, and decide by their roles',
    options: [
      ['--agents <names>', 'the profiles, with commas: claude,claude-admin'],
      ...REVIEW_LOOKS,
      ['--base <branch>', 'what this branch changed since it left that one; the default, as in andon ci'],
      ['--task <task>', 'the change of a task, with its contract and its gates'],
      ['--rules-only', 'ask no model, whatever the profiles name'],
      [`--format <${FORMATS.join('|')}>`, 'how the report is written; default: text'],
      ['--waivers <file>', 'waivers in place of .andon/waivers.yaml'],
      ['--llm', 'ask a language model too, where the rules leave something open'],
      ['--json', 'print facts for programs'],
    ],
    load: () => import('./review.ts'),
  },
  {
    usage: 'messages <check|stats> [file]',
    description:
      'check: hold what one agent says to another against the guards of messages (without a file: standard input); stats: what came of it on the line',
    options: [
      ['--from <architect|implementer|local_reviewer|judge|floor_manager|human>', 'who said it; default: implementer'],
      [
        '--to <architect|implementer|local_reviewer|judge|floor_manager|human>',
        'who is told; what a human is told is left alone',
      ],
      ['--task <task>', 'the id of a task of the journal, a file, or the delegation in words (EXPECTED OUTCOME)'],
      ['--changed <file>', 'what git printed of the files that were changed; - reads it from standard input'],
      ['--refused <n>', 'so often this message went back already in its turn; default: 0'],
      JSON_OPTION,
    ],
    load: () => import('./messages.ts'),
  },
  {
    usage: 'hook <install|remove|claude> [install|remove|status|run]',
    description:
      'let git apply the rules to what is staged at every `git commit`; claude: let Claude Code have the end of every turn checked',
    options: [
      ['--local', 'claude: in .claude/settings.local.json, which is yours; default: .claude/settings.json'],
      ['--user', 'claude: in your own settings, for every project'],
      JSON_OPTION,
    ],
    load: () => import('./hook.ts'),
  },
  {
    usage: 'enforce',
    description: 'how hard the rules are enforced; with options: change it in .andon/config.yaml',
    options: [
      [`--mode <${MODES.join('|')}>`, 'the mode from now on'],
      ['--threshold <score>', 'the least score that passes, 0 to 100'],
      JSON_OPTION,
    ],
    load: () => import('./enforce.ts'),
  },
  {
    usage: 'feedback <rule> <finding>',
    description:
      'say that a rule was wrong about something; the finding by its id or as file:line; of a message check the task',
    options: [['--false <reason>', 'why it was wrong'], JSON_OPTION],
    load: () => import('./feedback.ts'),
  },
  {
    usage: 'mcp',
    description: 'the rules and the state of the line over MCP, for a program that asks; on standard input and output',
    options: [
      ['--http', 'listen on 127.0.0.1 instead; who asks needs the token that is printed once'],
      ['--port <n>', 'with --http: the port; default: a free one'],
      ['--allow-register', 'let the program register rules of its own, for as long as it is there'],
    ],
    load: () => import('./mcp.ts'),
  },
];
