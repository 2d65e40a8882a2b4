import { JSON_OPTION } from '../command.ts';
import type { CliCommand } from '../command.ts';
import { CONTRACT_OPTIONS, HAND_IN_OPTIONS } from '../contract-options.ts';

/** The commands that try andon, set a repository up and make contracts, in the order of the help text. */
export const SETUP_COMMANDS: readonly CliCommand[] = [
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
      ...CONTRACT_OPTIONS,
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
      ...CONTRACT_OPTIONS,
      ...HAND_IN_OPTIONS,
      JSON_OPTION,
    ],
    load: () => import('./create.ts'),
  },
  {
    usage: 'draft [file]',
    description: 'the contracts that a proposal would become; default: _handoff/PROPOSAL.md',
    options: [['--approve', 'approve it: it becomes contracts of the line'], JSON_OPTION],
    load: () => import('./draft.ts'),
  },
  {
    usage: 'contract <hash|lint|schema> [files...]',
    description: 'the hashes that a contract names; every fault of a contract, without dropping it; its JSON Schema',
    options: [JSON_OPTION],
    load: () => import('./contract.ts'),
  },
];
