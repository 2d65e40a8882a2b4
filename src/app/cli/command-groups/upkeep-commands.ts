import { JSON_OPTION, type CommandGroup } from '../command.ts';

const CLEANED = `Removed are branches, attempts and archives of old tasks, old caches and logs, and states of repositories that are gone.
Merges and your own commits always stay. An attempt that exists nowhere else is removed only with --attempts.`;

const COMPLETION = `To have it in every new shell, once:
  bash  echo 'eval "$(andon completion bash)"' >> ~/.bashrc
  zsh   echo 'source <(andon completion zsh)' >> ~/.zshrc    (below compinit)
  fish  andon completion fish > ~/.config/fish/completions/andon.fish`;

/** The commands that look after an installation. */
export const UPKEEP_COMMANDS: CommandGroup = {
  title: 'Look after',
  commands: [
    {
      usage: 'doctor',
      description: 'Check that this machine and repository are ready',
      options: [
        ['--fix', 'Repair _handoff/, enlarge the context windows of models'],
        ['--load', 'Load every model and measure its window'],
        ['--no-gates', 'Do not run the gates on the target branch'],
        ['--journal', 'Verify the journal and the commits that it names'],
        ['--notify', 'Send a test event over every channel'],
        JSON_OPTION,
      ],
      load: () => import('../commands/doctor.ts'),
    },
    {
      usage: 'drill [drill...]',
      description: 'Cause faults on purpose, in temporary repositories',
      options: [
        ['--jobs <n>', 'Run this many at a time. Default: 2'],
        ['--keep', 'Keep the repositories, with their answered halts'],
        JSON_OPTION,
      ],
      after: 'Without a name it lists the drills. `andon drill all` runs every one.',
      load: () => import('../commands/drill.ts'),
    },
    {
      usage: 'clean',
      description: 'List or remove what ended tasks left behind',
      options: [
        ['--yes', 'Remove what is listed'],
        ['--older-than <age>', 'Take what is older: 30d, 12h, 8w. Default: clean.after_days'],
        ['--attempts', 'Include attempts that are kept nowhere else'],
        JSON_OPTION,
      ],
      after: CLEANED,
      load: () => import('../commands/clean.ts'),
    },
    {
      usage: 'completion <bash|zsh|fish> [words...]',
      description: 'Print the completion script of a shell',
      after: COMPLETION,
      load: () => import('../commands/completion.ts'),
    },
  ],
};
