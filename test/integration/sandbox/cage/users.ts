import type { RunProgram } from '../../../../src/sandbox/processes/run.ts';
import { ENVIRONMENT, NOBODY } from './attacks.ts';

/** The same runner, as an ordinary user. */
export const asNobody =
  (run: RunProgram): RunProgram =>
  (command) =>
    run({
      ...command,
      program: 'setpriv',
      args: [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', command.program, ...command.args],
      env: { ...command.env, PATH: ENVIRONMENT.PATH },
    });

/** Everybody as whom a cage is tried: whoever runs the tests, and where that is root also an ordinary user. */
export const USERS: readonly (readonly [string, (run: RunProgram) => RunProgram])[] = [
  ['whoever runs the tests', (run) => run],
  ...(process.getuid?.() === 0 ? [['nobody', asNobody] as const] : []),
];
