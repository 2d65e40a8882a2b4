import { createUsageError, type Problem } from '../../base/problem.ts';
import { ALIASES } from './aliases.ts';
import { commands } from './commands/index.ts';
import { describeNearest, missingArgument, runCommand, unexpectedArgument } from './usage-errors.ts';

/** A command line that the parser refused: what failed, the value, and one command to paste. */
export function explainUsage(
  { code, message }: { readonly code: string; readonly message: string },
  words: readonly string[],
): Problem {
  const name = words[0] ?? '';
  const command = commands.find(({ usage }) => usage.split(' ', 1)[0] === name);
  const help = command === undefined ? 'andon --help' : `andon ${name} --help`;
  const [, quoted = ''] = /'([^']*)'/.exec(message) ?? [];
  switch (code) {
    case 'commander.unknownCommand': {
      const known = [...commands.map(({ usage }) => usage.split(' ')[0] ?? ''), ...Object.keys(ALIASES)];
      return createUsageError(
        `Unknown command: ${quoted}.${describeNearest(quoted, known)}`,
        runCommand('andon --help', 'to see all commands'),
      );
    }
    case 'commander.unknownOption': {
      const known = (command?.options ?? []).map(([flags]) => flags.split(' ', 1)[0] ?? '');
      return createUsageError(
        `Unknown option: ${quoted}.${describeNearest(quoted, known)}`,
        runCommand(help, 'to see its options'),
      );
    }
    case 'commander.missingArgument':
      return quoted === 'task'
        ? missingArgument('task id', 'andon list', 'to see all tasks')
        : missingArgument(quoted.replaceAll('|', ', '), help, 'to see what it takes');
    case 'commander.optionMissingArgument':
      return createUsageError(`Missing value: ${quoted}.`, runCommand(help, 'to see its options'));
    case 'commander.excessArguments':
      return unexpectedArgument([message.replace(/^.*but got \d+(?:: )?/s, '').replace(/\.$/, '')], help);
    default:
      return createUsageError(message.replace(/^error: /, ''), runCommand(help));
  }
}
