import { RULE_COMMANDS } from './rule-commands.ts';
import { WATCH_COMMANDS } from '../watch-commands.ts';
import { HAND_IN_OPTIONS, WISH_OPTIONS } from '../wish-flags.ts';
import type { CliCommand } from '../command.ts';

const JSON_OPTION = ['--json', 'print facts for programs'] as const;

/** One line for each shell; what each reads at its start. */
const INSTALL = `To have it in every new shell, once:
  bash  echo 'eval "$(andon completion bash)"' >> ~/.bashrc
  zsh   echo 'source <(andon completion zsh)' >> ~/.zshrc    (below compinit)
  fish  andon completion fish > ~/.config/fish/completions/andon.fish`;

/** What a place in the queue is. */
const QUEUE = `A contract is named by its task or by its file. Where it is put by hand it stays, also when others are dropped, until it
begins or is withdrawn; what it is to come after goes before it all the same. A withdrawn one lies in _handoff/withdrawn/.`;

/** Every command, in the order of the help text. */
export const commands: readonly CliCommand[] = [
  {
    usage: 'demo',
    description: 'run the whole line on a sample project with stand-in agents',
    options: [['--keep', 'keep the sample project']],
    load: () => import('./demo.ts'),
  },
  {
    usage: 'drill [names...]',
    description: 'do a fault to the line on purpose, in a temporary repository, and see that it stops; all = every one',
    options: [
      ['--jobs <n>', 'so many at a time; default: 2'],
      ['--keep', 'keep the temporary repositories'],
      JSON_OPTION,
    ],
    load: () => import('./drill.ts'),
  },
  {
    usage: 'init',
    description: 'set up this repository: _handoff/, .andon/config.yaml; asks in a terminal',
    options: [
      ['--gate <name=command...>', 'a gate of your own (may be repeated); default: what the project has'],
      ['--setup <command...>', 'a command that prepares the project (may be repeated)'],
      ['--share <folder...>', 'a folder that gates may read and git does not track (may be repeated)'],
      ['--target <branch>', 'the branch to merge into'],
      ['--judge <andon|external>', 'who runs the judge'],
      ['--implementer <model...>', 'the model that writes the changes; repeated: each takes over from the one before'],
      ['--reviewer <model>', 'the model that reviews them first'],
      ['--no-detect', 'propose nothing: only what the flags say'],
      ['--yes', 'ask nothing: what was found, and the flags'],
      ['--print', 'print the configuration instead of writing it'],
      JSON_OPTION,
    ],
    load: () => import('./init.ts'),
  },
  {
    usage: 'doctor',
    description: 'check programs, cage and gates, and say what to do about each',
    options: [
      JSON_OPTION,
      ['--fix', 'put right what is safe: _handoff/, and models whose window is too small for their role'],
      ['--load', 'load every model and look at the window that it really gets'],
      ['--no-gates', 'do not run the gates on the base'],
    ],
    load: () => import('./doctor.ts'),
  },
  {
    usage: 'notify',
    description: 'try the ways in which you are told of halts and merges',
    options: [['--test', 'tell a test event over every channel'], JSON_OPTION],
    load: () => import('./notify.ts'),
  },
  {
    usage: 'new',
    description: 'write a contract and drop it; asks in a terminal',
    options: [
      ['--project <name>', 'the name of the project; default: the name of the folder'],
      ...WISH_OPTIONS,
      ...HAND_IN_OPTIONS,
      JSON_OPTION,
    ],
    load: () => import('./new.ts'),
  },
  {
    usage: 'create',
    description: 'make a contract from a spec file, without any model, and drop it',
    options: [
      ['--project <folder>', 'the repository; default: where you are'],
      ['--spec <file>', 'Markdown, YAML or JSON: title, requirements, allowed paths, target'],
      ['--name <name>', 'the name of the project; default: as the spec says, else the name of the folder'],
      ...WISH_OPTIONS,
      ...HAND_IN_OPTIONS,
      JSON_OPTION,
    ],
    load: () => import('./create.ts'),
  },
  {
    usage: 'draft [file]',
    description: 'the contract that a proposal would become; default: _handoff/PROPOSAL.md',
    options: [['--approve', 'approve it: it becomes a contract of the line'], JSON_OPTION],
    load: () => import('./draft.ts'),
  },
  {
    usage: 'contract <hash|lint|schema> [files...]',
    description: 'the hashes that a contract names; every fault of a contract, without dropping it; its JSON Schema',
    options: [JSON_OPTION],
    load: () => import('./contract.ts'),
  },
  ...WATCH_COMMANDS,
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
    options: [['--follow', 'go on as it happens'], ['--task <task>', 'only this task'], JSON_OPTION],
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
    description: 'the whole of a task as one page or as Markdown: time, cost, findings, change, halts',
    options: [
      ['--html', 'one page that needs nothing else; default: Markdown'],
      ['--md', 'Markdown, whatever the file is called'],
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
      ['--html', 'one page that needs nothing else; default: text'],
      ['--md', 'Markdown'],
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
    usage: 'abandon <task>',
    description: 'give a task up; branch and attempts stay',
    options: [JSON_OPTION],
    load: () => import('./abandon.ts'),
  },
  ...RULE_COMMANDS,
  {
    usage: 'completion <bash|zsh|fish>',
    description: 'print what lets your shell complete commands, options, task ids and files',
    after: INSTALL,
    load: () => import('./completion.ts'),
  },
];
