import { existsSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/** Why a program did not start: it is missing, cannot run, or the machine is short of resources. */
export interface NotStarted {
  readonly kind: 'missing' | 'broken' | 'no room';
  /** Half a sentence, to follow the name of the program. */
  readonly why: string;
}

interface Beginning {
  readonly program: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Turns the code of a failed start into words with a remedy. */
export function describeStartFailure(command: Beginning, code: string): NotStarted {
  if (!isFolder(command.cwd))
    return { kind: 'broken', why: `cannot be started in ${command.cwd}, because that folder is not there` };
  const file = findProgram(command);
  if (NO_ROOM.has(code)) return { kind: 'no room', why: `cannot be started now: this machine is at a limit (${code})` };
  if (file === undefined)
    return command.program.includes('/')
      ? { kind: 'missing', why: `is not there: ${command.program}` }
      : { kind: 'missing', why: 'is not installed or not on PATH (an alias of a shell does not count)' };
  if (isFolder(file)) return { kind: 'broken', why: `cannot be started: ${file} is a folder, not a program` };
  if (code === 'EACCES') return { kind: 'broken', why: `cannot be started: ${file} is not executable (chmod +x)` };
  if (code === 'ENOENT')
    return { kind: 'broken', why: `cannot be started: what the first line of ${file} names (#!) is not there` };
  if (code === 'E2BIG')
    return { kind: 'broken', why: 'cannot be started: its arguments and environment are longer than the system takes' };
  return { kind: 'broken', why: `cannot be started: ${file} (${code})` };
}

/** Out of processes, files or memory: that passes. */
const NO_ROOM: ReadonlySet<string> = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM']);

/** The file that the name resolves to, executable or not. */
function findProgram({ program, cwd, env }: Beginning): string | undefined {
  const places = program.includes('/')
    ? [isAbsolute(program) ? program : resolve(cwd, program)]
    : (env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, program));
  return places.find((place) => existsSync(place));
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
