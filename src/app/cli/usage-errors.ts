import { findNearestWord } from '../../base/find-nearest-word.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { createUsageError, type Problem } from '../../base/problem.ts';

const MOST_SHOWN = 80;
const shown = (value: string): string => toTerminalLine(value, MOST_SHOWN);

/** A remedy: one command to paste, and why. */
export const runCommand = (command: string, purpose = ''): string =>
  `Run \`${command}\`${purpose === '' ? '' : ` ${purpose}`}.`;

export const missingArgument = (name: string, command: string, purpose?: string): Problem =>
  createUsageError(`Missing argument: ${name}.`, runCommand(command, purpose));

export const describeNearest = (value: string, known: readonly string[]): string => {
  const near = findNearestWord(value, known);
  return near === undefined ? '' : ` The nearest is ${near}.`;
};

export function unknownWord(name: string, value: string, known: readonly string[], command: string): Problem {
  return createUsageError(
    `Unknown ${name}: ${shown(value)}.${describeNearest(value, known)} Known: ${known.join(', ')}.`,
    runCommand(command),
  );
}

export const invalidValue = (option: string, value: string, expected: string, command: string): Problem =>
  createUsageError(`Invalid value: ${option} ${shown(value)}. Expected ${expected}.`, runCommand(command));

export const conflictingOptions = (options: readonly string[], command: string): Problem =>
  createUsageError(`${options.join(' and ')} cannot be combined.`, runCommand(command));

/** An option that has a meaning only with another one. */
export const misplacedOption = (option: string, owner: string, command: string): Problem =>
  createUsageError(`${option} needs ${owner}.`, runCommand(command));

export const unexpectedArgument = (values: readonly string[], command: string): Problem =>
  createUsageError(`Unexpected argument: ${shown(values.join(' '))}.`, runCommand(command));
