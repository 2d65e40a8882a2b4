import { constants, accessSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether a folder of PATH holds a program of this name. */
export const isOnPath = (program: string, path = ''): boolean =>
  path.split(delimiter).some((folder) => isProgram(join(folder, program)));

/** The first word behind any variables that are set for the command. */
export const programName = (command: string): string | undefined =>
  /^(?:\w+=\S*\s+)*([\w.+-]+)(?=\s|$)/.exec(command.trim())?.[1];

/** Whether a file is one that can be started. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
