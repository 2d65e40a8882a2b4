import { z } from 'zod';

/** One gate as a contract or a configuration writes it: a command that decides by its exit code. */
export const gateSchema = z
  .strictObject({
    name: z.string().trim().min(1).max(80).describe('Shown in reports; unique within the task.'),
    run: z
      .string()
      .trim()
      .min(1)
      .max(4000)
      .describe("A shell command, run in the root of the task's tree. Exit 0 is green."),
    timeout_minutes: z.number().positive().max(1440).optional().describe('Default 10.'),
    must_fail_before: z
      .boolean()
      .optional()
      .describe('Demand that the gate is red on the base and green after. Default false.'),
  })
  .describe('A gate: a command that decides by its exit code.');

/** A gate with its defaults filled in. */
export interface GateCommand {
  readonly name: string;
  readonly run: string;
  readonly timeoutMinutes: number;
  readonly mustFailBefore: boolean;
}

/** Fills in a gate's defaults: ten minutes, may be green before. */
export function toGate(written: z.infer<typeof gateSchema>): GateCommand {
  return {
    name: written.name,
    run: written.run,
    timeoutMinutes: written.timeout_minutes ?? 10,
    mustFailBefore: written.must_fail_before ?? false,
  };
}
