import type { CliCommand } from '../command.ts';
import { RULE_COMMANDS } from './rule-commands.ts';
import { SETUP_COMMANDS } from './setup-commands.ts';
import { TASK_COMMANDS } from './task-commands.ts';
import { WATCH_COMMANDS } from './watch-commands.ts';

/** One line for each shell; what each reads at its start. */
const INSTALL = `To have it in every new shell, once:
  bash  echo 'eval "$(andon completion bash)"' >> ~/.bashrc
  zsh   echo 'source <(andon completion zsh)' >> ~/.zshrc    (below compinit)
  fish  andon completion fish > ~/.config/fish/completions/andon.fish`;

/** Every command, in the order of the help text. */
export const commands: readonly CliCommand[] = [
  ...SETUP_COMMANDS,
  ...WATCH_COMMANDS,
  ...TASK_COMMANDS,
  ...RULE_COMMANDS,
  {
    usage: 'completion <bash|zsh|fish>',
    description: 'print what lets your shell complete commands, options, task ids and files',
    after: INSTALL,
    load: () => import('./completion.ts'),
  },
];
