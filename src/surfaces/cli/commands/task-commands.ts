import { JSON_OPTION } from '../command.ts';
import type { CliCommand } from '../command.ts';

/** What a place in the queue is. */
const QUEUE = `A contract is named by its task or by its file. Where it is put by hand it stays, also when others are dropped, until it
begins or is withdrawn; what it is to come after goes before it all the same. A withdrawn one lies in _handoff/withdrawn/.`;

/** What may go, and what stays. */
const CLEANED = `Branches, attempts and archives of tasks that ended before that age; old caches and logs; the state of repositories
that are gone. A merge and your own commits stay, and so does every attempt that is kept nowhere else.`;

/** The commands that show the line and its tasks, and say what becomes of them, in the order of the help text. */
export const TASK_COMMANDS: readonly CliCommand[] = [
  {
    usage: 'status',
    description: 'what the line is doing now',
    options: [JSON_OPTION],
    load: () => import('./status.ts'),
  },
  {
    usage: 'queue [move|withdraw] [contract]',
    description: 'what waits, in which order and for what; put a contract somewhere else, or take it out',
    options: [
      ['--first', 'move it before all others'],
      ['--before <contract>', 'move it before this one'],
      ['--last', 'move it behind all others'],
      JSON_OPTION,
    ],
    after: QUEUE,
    load: () => import('./queue.ts'),
  },
  {
    usage: 'list',
    description: 'every task of this repository',
    options: [JSON_OPTION],
    load: () => import('./list.ts'),
  },
  {
    usage: 'show <task>',
    description: 'one task: state, findings, cost, story',
    options: [
      JSON_OPTION,
      ['--prompt [call]', 'print what was sent to the agent'],
      ['--answer [call]', 'print what the agent answered'],
    ],
    load: () => import('./show.ts'),
  },
  { usage: 'diff <task>', description: 'the change of a task as a patch', load: () => import('./diff.ts') },
  {
    usage: 'logs',
    description: 'the story of all tasks',
    options: [
      ['--follow', 'go on as it happens'],
      ['--task <task>', 'only this task'],
      ['--watchdog', 'print the log of the watchdog instead, all days'],
      JSON_OPTION,
    ],
    load: () => import('./logs.ts'),
  },
  {
    usage: 'explain <task>',
    description: 'ask every breaker again over the recorded evidence',
    options: [JSON_OPTION],
    load: () => import('./explain.ts'),
  },
  {
    usage: 'verify',
    description: 'see whether the journal is whole and git still holds every attempt and merge that it names',
    options: [JSON_OPTION],
    load: () => import('./verify.ts'),
  },
  {
    usage: 'report <task>',
    description: 'print a task as one HTML page: time, cost, findings, change, halts',
    options: [
      ['--html', 'an HTML page without external files (default)'],
      ['--out <file>', 'write it there instead of printing it; only a report of andon is ever replaced'],
      JSON_OPTION,
    ],
    load: () => import('./report.ts'),
  },
  {
    usage: 'digest',
    description: 'what happened since you looked last: what needs you, merged, sent back, spent, waits, not known',
    options: [
      ['--since <moment>', 'last, or from a time on: 2026-01-31T18:00; default: last, at first 24 hours'],
      ['--all', 'all repositories that andon works in; default: this one'],
      ['--html', 'an HTML page without external files; default: text'],
      ['--out <file>', 'write it there instead of printing it; only a digest of andon is ever replaced'],
      JSON_OPTION,
    ],
    load: () => import('./digest.ts'),
  },
  {
    usage: 'cost [task]',
    description: 'what tasks have used: dollars, tokens, minutes of agents',
    options: [['--since <date>', 'only calls from then on'], JSON_OPTION],
    load: () => import('./cost.ts'),
  },
  {
    usage: 'resume [task]',
    description: 'choose a path at a halt; without a task, at the only one that stands',
    options: [
      ['--path <1|2>', 'the path to take'],
      [
        '--decision <gemini|claude>',
        'at a rebuttal halt, instead of --path: gemini = the floor manager is right (path 1), claude = the judge is (path 2)',
      ],
      ['--halt <id>', 'refuse if another halt stands'],
      ['--confirm <task_id>', 'the task id once more, for a path that asks for it'],
      ['--reason <text>', 'why, for the journal; some paths are taken only with it'],
      JSON_OPTION,
    ],
    load: () => import('./resume.ts'),
  },
  {
    usage: 'halt [task]',
    description: 'stop the line now (the cord; also: a file STOP in _handoff/), or one task: then others go on',
    options: [['--reason <text>', 'why, for the report'], JSON_OPTION],
    load: () => import('./halt.ts'),
  },
  {
    usage: 'retry <task>',
    description: 'make a call that waits now; drop a task that was given up again',
    options: [JSON_OPTION],
    load: () => import('./retry.ts'),
  },
  {
    usage: 'pause',
    description: 'start nothing more until unpause; a step that runs is finished',
    options: [JSON_OPTION],
    load: () => import('./pause.ts'),
  },
  {
    usage: 'unpause',
    description: 'let a paused line go on',
    options: [JSON_OPTION],
    load: () => import('./unpause.ts'),
  },
  {
    usage: 'judge',
    description: 'judge review requests from outside the watchdog (judge: external)',
    options: [['--watch', 'every request until Ctrl-C; default: one']],
    load: () => import('./judge.ts'),
  },
  {
    usage: 'undo <task>',
    description: 'take a merged task out again, by a gated revert commit',
    options: [JSON_OPTION],
    load: () => import('./undo.ts'),
  },
  {
    usage: 'clean',
    description: 'list what is old and may go; remove it with --yes',
    options: [
      ['--yes', 'remove it'],
      ['--older-than <age>', '30d, 12h or 8w; default: clean.after_days, 90 days'],
      ['--attempts', 'also attempts that are kept nowhere else'],
      JSON_OPTION,
    ],
    after: CLEANED,
    load: () => import('./clean.ts'),
  },
  {
    usage: 'abandon <task>',
    description: 'give a task up; branch and attempts stay',
    options: [JSON_OPTION],
    load: () => import('./abandon.ts'),
  },
];
