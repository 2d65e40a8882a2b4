import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isOnPath, isProgram, programName } from '../wiring/on-path.ts';
import type { LeftOutGate, ProposedGate, Stack } from './stack.ts';

/**
 * Leaves out what cannot run on this machine, with a note: it would halt the line at its first gate. Programs are looked
 * for on PATH and in the project. Packages that a setup installs are believed to bring theirs.
 */
export function checkPrograms(folder: string, stack: Stack, path: string | undefined): Stack {
  const notes: string[] = [];
  const setup = stack.setup.filter((run) => {
    const program = programName(run);
    if (program === undefined || isOnPath(program, path)) return true;
    notes.push(`setup \`${run}\` is left out: ${program} is not installed. Install it and run \`andon init\` again.`);
    return false;
  });
  const share = stack.share.filter((name) => setup.length > 0 || existsSync(join(folder, name)));
  const place: Place = { folder, path, installs: setup.length > 0 ? share : [] };
  const leftOut: LeftOutGate[] = [];
  const gates = stack.gates.filter((gate) => {
    const missing = missingFor(gate, place);
    if (missing !== undefined) leftOut.push({ name: gate.name, run: gate.run, why: `${missing} is not installed` });
    return missing === undefined;
  });
  return { ...stack, setup, share, gates, leftOut, notes: [...stack.notes, ...notes] };
}

interface Place {
  readonly folder: string;
  readonly path: string | undefined;
  /** Shared folders that a setup fills. */
  readonly installs: readonly string[];
}

/** The first missing program of a gate; undefined if it can run as far as visible. */
function missingFor({ run, calls = [] }: ProposedGate, place: Place): string | undefined {
  const [first = ''] = run.replace(/^(?:\w+=(?:'[^']*'|\S*)\s+)+/, '').split(/\s/);
  if (first.includes('/') ? !isInProject(first, place) : !isOnPath(first, place.path)) return first;
  return calls.find((program) => !isOnPath(program, place.path) && !isPackageProgram(program, place));
}

const isInProject = (program: string, { folder, installs }: Place): boolean =>
  isProgram(join(folder, program)) || installs.some((share) => program.startsWith(`${share}/`));

/** A program of a package that is installed, or may be by a setup. */
const isPackageProgram = (program: string, { folder, installs }: Place): boolean =>
  installs.includes('node_modules') || existsSync(join(folder, 'node_modules/.bin', program));
