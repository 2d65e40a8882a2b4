import { FORMATS } from '../../../rules/model/rule-words.ts';
import { AGENT_ROLES, MODES } from '../../../project/config/config-words.ts';
import { JSON_OPTION, type CommandGroup } from '../command.ts';
import { INSPECTION_OPTIONS, LOOK_OPTIONS } from './rule-commands.ts';

/** A diff need not be a file where agents review. */
const REVIEW_OPTIONS = LOOK_OPTIONS.map(([flags, text]) =>
  flags === '--diff <file>'
    ? (['--diff [file]', 'Check a diff. Default: the change of this branch'] as const)
    : ([flags, text] as const),
);

/** The commands about agents and the programs that ask andon. */
export const AGENT_COMMANDS: CommandGroup = {
  title: 'Agents',
  commands: [
    {
      usage: 'agents <list|show|add|run|test|stats|judge> [name]',
      description: 'Manage, test and measure agent profiles',
      options: [
        [`--role <${AGENT_ROLES.join('|')}...>`, 'add: set a role (repeatable)'],
        ['--rule <pattern...>', 'add: name rules, such as security/*. Default: all'],
        [`--enforcement <${MODES.join('|')}>`, 'add: set the mode. Default: that of the project'],
        ['--driver <name>', 'add: name the driver, such as codex'],
        ['--model <name>', 'add: name the model'],
        ['--edits', 'add: let it edit the files itself, in the cage'],
        ['--reviewers', 'stats: show what reviewers and judges found and cost'],
        ['--watch', 'judge: take every request until Ctrl-C. Default: one'],
        ...LOOK_OPTIONS,
        ['--base <branch>', 'run: check what this branch changed. The default'],
        ...INSPECTION_OPTIONS,
      ],
      after: `run applies the rules of one profile. test asks its agent a question. judge answers the review requests of a
repository with an external judge (judge: external).`,
      load: () => import('../commands/agents.ts'),
    },
    {
      usage: 'review',
      description: 'Review a change by several agent profiles',
      options: [
        ['--agents <names>', 'Name the profiles: claude,claude-admin'],
        ...REVIEW_OPTIONS,
        ['--base <branch>', 'Review what this branch changed. The default'],
        ['--task <task>', 'Review the change of a task, with contract and gates'],
        ['--rules-only', 'Ask no model'],
        [`--format <${FORMATS.join('|')}>`, 'Choose the format of the report. Default: text'],
        ['--llm', 'Ask a model where the rules cannot decide'],
        JSON_OPTION,
      ],
      load: () => import('../commands/review.ts'),
    },
    {
      usage: 'mcp',
      description: 'Serve the rules and the tasks over MCP',
      options: [
        ['--http', 'Listen on 127.0.0.1, with a token that is printed once'],
        ['--port <n>', 'With --http: use this port. Default: a free one'],
        ['--allow-register', 'Let the client register rules while it is connected'],
        ['--allow-comments', 'Let the client send changes back, also at a halt'],
      ],
      load: () => import('../commands/mcp.ts'),
    },
  ],
};
