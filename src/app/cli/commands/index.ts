import type { CliCommand, CommandGroup } from '../command.ts';
import { AGENT_COMMANDS } from '../command-groups/agent-commands.ts';
import { DECIDE_COMMANDS } from '../command-groups/decide-commands.ts';
import { LOOK_COMMANDS } from '../command-groups/look-commands.ts';
import { RULE_COMMANDS } from '../command-groups/rule-commands.ts';
import { START_COMMANDS } from '../command-groups/start-commands.ts';
import { UPKEEP_COMMANDS } from '../command-groups/upkeep-commands.ts';

/** Every command by what a person does with it, in the order of the help text. */
export const commandGroups: readonly CommandGroup[] = [
  START_COMMANDS,
  LOOK_COMMANDS,
  DECIDE_COMMANDS,
  RULE_COMMANDS,
  AGENT_COMMANDS,
  UPKEEP_COMMANDS,
];

export const commands: readonly CliCommand[] = commandGroups.flatMap((group) => group.commands);
