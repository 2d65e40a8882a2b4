import { constants, accessSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs with which commands begin and which no folder of PATH holds; one with a path of its own is not looked for. */
export function missingPrograms(commands: readonly string[], path = ''): readonly string[] {
  const programs = new Set(commands.flatMap((command) => programOf(command) ?? []));
  const folders = path.split(delimiter);
  return [...programs].filter((program) => !folders.some((folder) => isProgram(join(folder, program))));
}

/** The first word behind any variables that are set for the command. */
export const programOf = (command: string): string | undefined =>
  /^(?:\w+=\S*\s+)*([\w.+-]+)(?=\s|$)/.exec(command.trim())?.[1];

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
