import { JSON_OPTION, type CommandGroup } from '../command.ts';
import { CONTRACT_OPTIONS, HAND_IN_OPTIONS } from '../contract-options.ts';

const BACKGROUND = `The watchdog inherits the environment and the limits (ulimit) of this shell, and works in /. It does not outlive a restart
of the machine. A service does: \`andon start --service install\`.`;

/** The commands that set a repository up, make contracts and run the line. */
export const START_COMMANDS: CommandGroup = {
  title: 'Start',
  commands: [
    {
      usage: 'demo',
      description: 'Run the line on a sample project with stand-in agents',
      options: [['--keep', 'Keep the sample project']],
      load: () => import('../commands/demo.ts'),
    },
    {
      usage: 'init',
      description: 'Prepare this repository for andon',
      options: [
        ['--gate <name=command...>', 'Add a gate (repeatable). Default: those of the project'],
        ['--setup <command...>', 'Prepare the project with this command (repeatable)'],
        ['--share <folder...>', 'Let gates read an untracked folder, such as node_modules'],
        ['--branch <name>', 'Name the branch to merge into'],
        ['--judge <andon|external>', 'Choose who runs the judge'],
        ['--implementer <model...>', 'Write changes with this model or driver (repeatable)'],
        ['--reviewer <model>', 'Review changes first with this model or driver'],
        ['--no-detect', 'Do not look for agents and gates: use only the flags'],
        ['--no-try', 'Do not run the gates that were found'],
        ['--yes', 'Ask nothing: take what was found, and the flags'],
        ['--print', 'Print the configuration instead of writing it'],
        JSON_OPTION,
      ],
      after: 'It writes the inbox (_handoff/) and the configuration (.andon/config.yaml).',
      load: () => import('../commands/init.ts'),
    },
    {
      usage: 'new [sentence...]',
      description: 'Write the contract of a task and submit it',
      options: [
        ['--spec <file>', 'Read a spec in Markdown. No model is asked'],
        ['--project <folder>', 'Use this repository. Default: the current one'],
        ...CONTRACT_OPTIONS,
        ...HAND_IN_OPTIONS,
        JSON_OPTION,
      ],
      load: () => import('../commands/new.ts'),
    },
    {
      usage: 'draft [file]',
      description: 'Show or approve the contracts of a proposal',
      options: [['--approve', 'Make them contracts of the line'], JSON_OPTION],
      after: 'Without a file it reads _handoff/PROPOSAL.md.',
      load: () => import('../commands/draft.ts'),
    },
    {
      usage: 'watch [folders...]',
      description: 'Watch repositories and run their tasks',
      options: [
        ['--dry-run', 'Print which contracts would be accepted, and run nothing'],
        ['--working-config', 'Use configuration that is not committed'],
        ['--plain', 'Print lines instead of the board'],
        ['--break-lock', 'Take over the lock of a computer that does not run andon'],
      ],
      load: () => import('../commands/watch.ts'),
    },
    {
      usage: 'start [folders...]',
      description: 'Run tasks in the background or as a service',
      options: [
        ['--restart', 'Stop the watchdog first, such as after an upgrade'],
        ['--service <install|remove|status>', 'Manage a service of systemd'],
        ['--print', 'With --service install: print the unit, write nothing'],
        ['--json', 'With --service status: print facts for programs'],
      ],
      after: BACKGROUND,
      load: () => import('../commands/start.ts'),
    },
    {
      usage: 'stop [folders...]',
      description: 'Stop the watchdog (what runs tasks), wait for its end',
      load: async () => ({ run: (await import('../commands/start.ts')).stopWatchdogs }),
    },
    {
      usage: 'night [folders...]',
      description: 'Run tasks until a time of day, within one budget',
      options: [
        ['--until <time>', 'End at this time. Default: 07:00'],
        ['--usd <n>', 'Limit the dollars of this night'],
        ['--tokens <n>', 'Limit the tokens of this night'],
        ['--dry-run', 'Print the tasks, their order and highest possible cost'],
        ['--anyway', 'Start the night even if no task can begin before its end'],
        ['--stop', 'End the night and keep watchdogs from starting tasks'],
        ['--keep-watching', 'With --stop: older watchdogs may go on and start tasks'],
        ['--json', 'With --dry-run: print facts for programs'],
      ],
      load: () => import('../commands/night.ts'),
    },
  ],
};
