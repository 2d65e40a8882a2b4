import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isOnPath, isProgram, programName } from '../wiring/on-path.ts';
import { readPlainFile } from '../wiring/files.ts';
import type { ProposedGate, Stack } from './stack.ts';

/**
 * What of a proposal can run on this machine: programs are looked for on PATH, in the project, and among what a setup
 * that can run will install. What cannot run would halt the line at its first gate; it is left out, and said.
 */
export function checkPrograms(folder: string, stack: Stack, path: string | undefined): Stack {
  const notes: string[] = [];
  const leave = (what: string, program: string): false => {
    notes.push(
      `${program} is not here, so ${what} is left out; install it and run \`andon init\` again, or name it yourself`,
    );
    return false;
  };
  const setup = stack.setup.filter((run) => {
    const program = programName(run);
    return program === undefined || isOnPath(program, path) || leave(`setup \`${run}\``, program);
  });
  const share = stack.share.filter((name) => setup.length > 0 || existsSync(join(folder, name)));
  const place: Place = { folder, path, installs: setup.length > 0 ? share : [] };
  const gates = stack.gates.flatMap((gate): readonly ProposedGate[] => {
    const missing = missingFor(gate, place);
    if (missing === undefined) return [gate];
    const other = gate.module?.or;
    if (other !== undefined && isOnPath(programName(other) ?? '', path)) {
      const { name, results } = gate;
      return [{ name, run: other, ...(results !== undefined && { results }) }];
    }
    leave(`gate \`${gate.name}\` (${gate.run})`, missing);
    return [];
  });
  return { ...stack, setup, share, gates, notes: [...stack.notes, ...notes] };
}

interface Place {
  readonly folder: string;
  readonly path: string | undefined;
  /** Shared folders that a setup fills. */
  readonly installs: readonly string[];
}

/** The first missing program of a gate; undefined if it can run as far as visible. */
function missingFor({ run, calls = [], module }: ProposedGate, place: Place): string | undefined {
  const [first = ''] = run.replace(/^(?:\w+=(?:'[^']*'|\S*)\s+)+/, '').split(/\s/);
  if (first.includes('/') ? !isInProject(first, place) : !isOnPath(first, place.path)) return first;
  const call = calls.find((program) => !isOnPath(program, place.path) && !isPackageProgram(program, place));
  if (call !== undefined) return call;
  return module === undefined || hasModule(module.name, first, place) ? undefined : module.name;
}

const isInProject = (program: string, { folder, installs }: Place): boolean =>
  isProgram(join(folder, program)) || installs.some((share) => program.startsWith(`${share}/`));

/** A program of a package that is installed, or that the lock file says will be; other lock files do not tell programs. */
function isPackageProgram(program: string, { folder, installs }: Place): boolean {
  if (existsSync(join(folder, 'node_modules/.bin', program))) return true;
  if (!installs.includes('node_modules')) return false;
  const lock = readPlainFile(join(folder, 'package-lock.json'), LOCK_CAP);
  if (!lock.ok) return true;
  return [...lock.value.toString('utf8').matchAll(/"bin":\s*\{([^}]*)\}/g)].some(([, names = '']) =>
    names.includes(`"${program}":`),
  );
}

/** Large projects have lock files of some megabytes. */
const LOCK_CAP = 32 * 1024 * 1024;

/** Whether an interpreter will find a module: a setup installs it, or it is among its packages. */
function hasModule(module: string, python: string, { folder, path = '', installs }: Place): boolean {
  if (installs.some((share) => python.startsWith(`${share}/`))) return true;
  const roots = python.includes('/')
    ? [join(folder, python, '../..')]
    : path.split(':').map((place) => join(place, '..'));
  return roots.some((root) => packageFolders(root).some((packages) => existsSync(join(packages, module))));
}

/** Where an installation of Python keeps its packages. */
function packageFolders(root: string): readonly string[] {
  try {
    return readdirSync(join(root, 'lib'))
      .filter((name) => name.startsWith('python3'))
      .flatMap((name) => ['site-packages', 'dist-packages'].map((packages) => join(root, 'lib', name, packages)));
  } catch {
    return [];
  }
}
