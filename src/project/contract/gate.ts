import { z } from 'zod';
import { lazy } from '../../base/lazy.ts';
import { commandText, file, hasControls, refused } from './task-contract-fields.ts';

/** One gate as a contract or a configuration writes it: a command that decides by its exit code. */
export const gateSchema = lazy(() =>
  z
    .strictObject({
      name: z
        .string()
        .trim()
        .min(1)
        .max(80)
        .check(refused(hasControls))
        .describe('Shown in reports; unique within the task; one line.'),
      run: commandText()
        .trim()
        .min(1)
        .max(4000)
        .describe("A shell command, run in the root of the task's tree. Exit 0 is green."),
      timeout_minutes: z.number().positive().max(1440).optional().describe('Default 10.'),
      must_fail_before: z
        .boolean()
        .optional()
        .describe(
          'Demand that the gate is red on the base and green after. Default false; in a contract true where what it runs is not on the base yet.',
        ),
      results: file()
        .optional()
        .describe(
          'A file with test results that the gate writes (JUnit XML, TAP, JSON), or a folder of JUnit XML files; without it, results in its output are read, and otherwise the count is unknown.',
        ),
    })
    .describe('A gate: a command that decides by its exit code.'),
);

/** A gate with its defaults filled in. */
export interface GateCommand {
  readonly name: string;
  readonly run: string;
  readonly timeoutMinutes: number;
  /** Undefined: not set; then the run on the base decides. */
  readonly mustFailBefore?: boolean | undefined;
  /** A file, or folder of `.xml` files, in the tree that holds the results of its tests. */
  readonly results?: string | undefined;
}

/** A gate of a task: the project's must be green on the base, a contract's checks the change. */
export interface TaskGate extends GateCommand {
  readonly of: 'project' | 'contract';
}

/** The key of a gate: a contract may use a name of the project's. */
export const gateKey = ({ of, name }: TaskGate): string => `${of} ${name}`;

/** Whether a gate may be red, or impossible, before the change. */
export const isAcceptance = ({ of, mustFailBefore }: TaskGate): boolean => of === 'contract' || mustFailBefore === true;

/** Fills in a gate's defaults: ten minutes. */
export function toGate(written: z.infer<ReturnType<typeof gateSchema>>): GateCommand {
  return {
    name: written.name,
    run: written.run,
    timeoutMinutes: written.timeout_minutes ?? 10,
    ...(written.must_fail_before === undefined ? {} : { mustFailBefore: written.must_fail_before }),
    ...(written.results === undefined ? {} : { results: written.results }),
  };
}

/** Reads a gate that is typed as `name=command`; undefined of another text. */
export function parseGate(text: string): { readonly name: string; readonly run: string } | undefined {
  const at = text.indexOf('=');
  const [name, run] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  return at < 1 || name === '' || run === '' ? undefined : { name, run };
}
