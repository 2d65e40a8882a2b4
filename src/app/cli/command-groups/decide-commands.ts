import { JSON_OPTION, type CommandGroup } from '../command.ts';

const QUEUE = `A contract is named by its task or its file. A contract that you moved keeps its place until it begins or is withdrawn.
Contracts that it depends on still go before it. A withdrawn contract goes to _handoff/withdrawn/.`;

const COMMENT = `The words are a place and a comment, as often as you like: andon comment FIX-1 src/a.ts:12 "Use a map" README.md "Name it".
A comment alone is about the whole change. Each is a required fix of the next attempt. At a halt it is the answer.
While the task is under way, the change goes back at its next step, at the latest before the merge.`;

/** The commands that decide what becomes of the line and its tasks. */
export const DECIDE_COMMANDS: CommandGroup = {
  title: 'Decide',
  commands: [
    {
      usage: 'resume [task]',
      description: 'Answer a halt with one of its paths, or retry a task',
      options: [
        ['--path <1|2>', 'Take this path'],
        ['--decision <floor-manager|judge>', 'Take this side, in place of --path (rebuttal_limit halt)'],
        ['--halt <id>', 'Name the halt you read, so that no newer one is answered'],
        ['--confirm <task_id>', 'Type the task id, where the halt report asks for it'],
        ['--reason <text>', 'Record why, where the halt report asks for it'],
        ['--say <text>', 'Tell the agents a sentence'],
        ['--allow <path...>', 'Allow changes to more paths'],
        ['--model <name>', 'Continue with this model as implementer'],
        ['--budget-usd <n>', 'Set the budget of the task in US dollars'],
        ['--budget-minutes <n>', "Set the budget of the task in minutes of agents' time"],
        ['--max-diff-size <lines>', 'Set how many lines may be added and deleted, together'],
        ['--again', 'Call the agent now, or queue an abandoned task again'],
        JSON_OPTION,
      ],
      refusesWords: true,
      load: () => import('../commands/resume.ts'),
    },
    {
      usage: 'say <task> <text>',
      description: 'Send a sentence to the agents of a running task',
      options: [JSON_OPTION],
      after: 'Every later prompt of the task has it. At a halt, use `andon resume --say`, which also takes a path.',
      load: async () => ({ run: (await import('../commands/task-requests.ts')).requestSay }),
    },
    {
      usage: 'comment <task> <words...>',
      description: 'Send a change back with comments',
      options: [['--halt <id>', 'Name the halt you read, so that no newer one is answered'], JSON_OPTION],
      after: COMMENT,
      load: async () => ({ run: (await import('../commands/task-requests.ts')).requestComment }),
    },
    {
      usage: 'halt [task]',
      description: 'Halt the line, or one task, at once, with a halt report',
      options: [['--reason <text>', 'Record why'], JSON_OPTION],
      after: 'A file STOP in _handoff/ stops the line as well.',
      load: async () => ({ run: (await import('../commands/task-requests.ts')).requestHalt }),
    },
    {
      usage: 'pause',
      description: 'Finish the step that runs, then start nothing more',
      options: [['--off', 'Let a paused line go on'], JSON_OPTION],
      load: async () => ({ run: (await import('../commands/task-requests.ts')).requestPause }),
    },
    {
      usage: 'queue [move|withdraw] [contract]',
      description: 'Show the queue of contracts, or change it',
      options: [
        ['--first', 'move: put it before all others'],
        ['--before <contract>', 'move: put it before this one'],
        ['--last', 'move: put it behind all others'],
        JSON_OPTION,
      ],
      after: QUEUE,
      load: () => import('../commands/queue.ts'),
    },
    {
      usage: 'abandon <task>',
      description: 'End a task without a merge, and keep its attempts',
      options: [JSON_OPTION],
      load: async () => ({ run: (await import('../commands/task-requests.ts')).requestAbandon }),
    },
    {
      usage: 'undo <task>',
      description: 'Revert a merged task in a commit that passes the gates',
      options: [JSON_OPTION],
      load: async () => ({ run: (await import('../commands/task-requests.ts')).requestUndo }),
    },
  ],
};
