import { JSON_OPTION, type CommandGroup } from '../command.ts';

/** The commands that show the line and its tasks, and change nothing. */
export const LOOK_COMMANDS: CommandGroup = {
  title: 'Look',
  commands: [
    {
      usage: 'status',
      description: 'Show what runs now and what waits for you',
      options: [JSON_OPTION],
      load: () => import('../commands/status.ts'),
    },
    {
      usage: 'list',
      description: 'List every task of this repository',
      options: [JSON_OPTION],
      load: () => import('../commands/list.ts'),
    },
    {
      usage: 'show [task]',
      description: 'Show the story, the change or the cost of a task',
      options: [
        ['--diff', 'Print the change as a patch'],
        ['--explain', 'Ask all breakers again on the record, and compare the halts'],
        ['--report', 'Print a report of the whole task, as a page'],
        ['--cost', 'Show what agents used, in this task or in all'],
        ['--prompt [call]', 'Print the prompt of a call. Default: the last one'],
        ['--answer [call]', 'Print the answer of a call. Default: the last one'],
        ['--html', 'With --report: HTML, the default and only form'],
        ['--out <file>', 'With --report: write here. An older report is replaced'],
        ['--since <date>', 'With --cost: count only calls from then on'],
        JSON_OPTION,
      ],
      load: () => import('../commands/show.ts'),
    },
    {
      usage: 'logs',
      description: 'Print the steps of every task, as a log',
      options: [['--follow', 'Go on as it happens'], ['--task <task>', 'Print only this task'], JSON_OPTION],
      load: () => import('../commands/logs.ts'),
    },
    {
      usage: 'digest',
      description: 'Show what happened since the last digest',
      options: [
        ['--since <moment>', 'Begin at this time. Default: last (the last digest)'],
        ['--all', 'Cover all repositories. Default: this one'],
        ['--html', 'Print an HTML page. Default: text'],
        ['--out <file>', 'Write the HTML page here. An older digest is replaced'],
        JSON_OPTION,
      ],
      load: () => import('../commands/digest.ts'),
    },
    {
      usage: 'top [folders...]',
      description: 'Show the board of all repositories in the terminal',
      options: [['--plain', 'Print it once as lines'], JSON_OPTION],
      load: () => import('../commands/top.ts'),
    },
    {
      usage: 'web',
      description: 'Serve the board of all repositories to a browser',
      options: [
        ['--port <n>', 'Listen on this port. Default: 7390'],
        ['--bind <address>', 'Listen on another address, read-only without --answers'],
        ['--answers', 'With --bind: accept answers over an unencrypted line'],
        ['--read-only', 'Accept no requests'],
      ],
      load: () => import('../commands/web.ts'),
    },
  ],
};
