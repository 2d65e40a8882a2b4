import { JSON_OPTION } from '../command.ts';
import type { CliCommand } from '../command.ts';

/** What a watchdog in the background takes along. */
const BACKGROUND = `It inherits the environment and the limits (ulimit) of this shell, and works in /. andon stop ends it, andon top
shows it. After a restart of the machine it does not run: andon service install sees to that.`;

/** The commands that stay and watch, or show what is watched. */
export const WATCH_COMMANDS: readonly CliCommand[] = [
  {
    usage: 'watch [folders...]',
    description: 'watch repositories and run what is dropped (the daemon)',
    options: [
      ['--dry-run', 'only say what would be admitted'],
      ['--working-config', 'try out configuration that is not committed'],
      ['--plain', 'print lines in a terminal too, as into a pipe, instead of the board'],
      ['--break-lock', 'take the lock of a machine that is gone'],
    ],
    load: () => import('./watch.ts'),
  },
  {
    usage: 'start [folders...]',
    description: 'watch in the background, also when the terminal closes',
    after: BACKGROUND,
    load: () => import('./start.ts'),
  },
  {
    usage: 'stop [folders...]',
    description: 'end the watchdog and wait until it has ended',
    load: () => import('./stop.ts'),
  },
  {
    usage: 'restart [folders...]',
    description: 'stop the watchdog, then start this version of andon',
    load: () => import('./restart.ts'),
  },
  {
    usage: 'service <install|remove|status>',
    description: 'run the watchdog as a service of systemd or launchd',
    options: [['--print', 'with install: only print the unit'], JSON_OPTION],
    load: () => import('./service.ts'),
  },
  {
    usage: 'night [folders...]',
    description: 'watch until a time of day, within what this night may use in all repositories',
    options: [
      ['--until <time>', 'nothing begins that could not be over by then, and watching ends; default: 07:00'],
      ['--usd <n>', 'the most dollars of this night, beside the ceilings of your configuration'],
      ['--tokens <n>', 'the most tokens of this night'],
      ['--dry-run', 'only say what would run, in which order, and what it would use at most'],
      ['--anyway', 'open the night although nothing that waits can begin in it'],
      ['--stop', 'end the night and the andon that it started; nothing is paid after it'],
      ['--keep-watching', 'with --stop: who watched before goes on by your configuration'],
      ['--json', 'with --dry-run: print facts for programs'],
    ],
    load: () => import('./night.ts'),
  },
  {
    usage: 'top [folders...]',
    description: 'the board of all your repositories, live in a terminal: what needs you, works, waits and has ended',
    options: [
      ['--plain', 'print it once as lines, as into a pipe'],
      ['--json', 'print facts for programs'],
    ],
    load: () => import('./top.ts'),
  },
  {
    usage: 'web',
    description: 'the same board in a browser, for whoever opens the link that it prints; halts are answered there too',
    options: [
      ['--port <n>', 'the port it listens on; default: 7390'],
      ['--bind <address>', 'another address of this machine than the loopback one; read-only without --answers'],
      ['--answers', 'with --bind: halts may be answered although nothing is encrypted'],
      ['--read-only', 'nothing can be asked for, only looked at'],
    ],
    load: () => import('./web.ts'),
  },
];
