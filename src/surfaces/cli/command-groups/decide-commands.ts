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
      description: 'Choose a path at a halt, or try a task again',
      options: [
        ['--path <1|2>', 'Take this path'],
        ['--decision <gemini|claude>', 'Side with the floor manager (gemini) or the judge (claude)'],
        ['--halt <id>', 'Refuse unless the current halt has this id'],
        ['--confirm <task_id>', 'Confirm a path that asks for the task id'],
        ['--reason <text>', 'Record why. Some paths need it'],
        ['--say <text>', 'Tell the agents a sentence'],
        ['--allow <path...>', 'Allow changes to more paths'],
        ['--model <name>', 'Continue with this model as implementer'],
        ['--budget-usd <n>', 'Set the ceiling of the task in US dollars'],
        ['--max-diff <lines>', 'Set the most added and deleted lines'],
        ['--again', 'Retry a waiting call now, or resubmit an abandoned task'],
        JSON_OPTION,
      ],
      refusesWords: true,
      load: () => import('../commands/resume.ts'),
    },
    {
      usage: 'say <task> <text>',
      description: 'Tell the agents of a running task a sentence',
      options: [JSON_OPTION],
      after: 'Every later prompt of the task has it. At a halt, `andon resume --say` chooses a path as well.',
      load: async () => ({ run: (await import('../commands/task-requests.ts')).requestSay }),
    },
    {
      usage: 'comment <task> <words...>',
      description: 'Comment on a change and send it back',
      options: [['--halt <id>', 'Refuse unless the current halt has this id'], JSON_OPTION],
      after: COMMENT,
      load: async () => ({ run: (await import('../commands/task-requests.ts')).requestComment }),
    },
    {
      usage: 'halt [task]',
      description: 'Stop the line now (the cord), or one task',
      options: [['--reason <text>', 'Record why'], JSON_OPTION],
      after: 'A file STOP in _handoff/ stops the line as well.',
      load: async () => ({ run: (await import('../commands/task-requests.ts')).requestHalt }),
    },
    {
      usage: 'pause',
      description: 'Start nothing more, finish the step that runs',
      options: [['--off', 'Let a paused line go on'], JSON_OPTION],
      load: async () => ({ run: (await import('../commands/task-requests.ts')).requestPause }),
    },
    {
      usage: 'queue [move|withdraw] [contract]',
      description: 'Show the queue, move or withdraw a contract',
      options: [
        ['--first', 'Move it before all others'],
        ['--before <contract>', 'Move it before this one'],
        ['--last', 'Move it behind all others'],
        JSON_OPTION,
      ],
      after: QUEUE,
      load: () => import('../commands/queue.ts'),
    },
    {
      usage: 'abandon <task>',
      description: 'Give a task up, keep its branch and attempts',
      options: [JSON_OPTION],
      load: async () => ({ run: (await import('../commands/task-requests.ts')).requestAbandon }),
    },
    {
      usage: 'undo <task>',
      description: 'Take a merged task out again, by a gated revert commit',
      options: [JSON_OPTION],
      load: async () => ({ run: (await import('../commands/task-requests.ts')).requestUndo }),
    },
  ],
};
