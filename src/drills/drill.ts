import { z } from 'zod';
import { BREAKERS } from '../record/trip.ts';
import type { BreakerId } from '../record/trip.ts';
import { acts, files, parts, userConfig } from './acts.ts';
import { FIGURES } from './figures.ts';
import { alsoSchema } from './look-further.ts';
import type { Stations } from './scenario.ts';

/** One fault that is done to the real line on purpose, and what must come of it: one file, one drill. */
export interface Drill {
  readonly name: string;
  /** The breaker that must trip; undefined where the line must get through by itself. */
  readonly breaker: BreakerId | undefined;
  /** What is done to the line, for the list. */
  readonly injects: string;
  readonly situations: readonly Situation[];
}

/** One run of the line: what is done to it, and where it must end. A neighbour is one step below the boundary. */
export type Situation = Omit<DrillFile['situations'][number], 'agents' | 'halt'> & {
  readonly agents?: Stations | undefined;
  readonly halt?: ExpectedHalt | undefined;
};

/** A halt as it must be found, the path that is then chosen, and what the user does first. */
export type ExpectedHalt = NonNullable<DrillFile['situations'][number]['halt']> & { readonly breaker: BreakerId };
export type ExpectedEnd = Situation['end'];
/** What the stand-ins answer as a drill's file has it, station by station. */
export type Scripted = NonNullable<DrillFile['situations'][number]['agents']>;

/** A file in `shipped/drills/`. */
type DrillFile = z.infer<ReturnType<typeof drillSchema>>;

const figures = () =>
  z.strictObject(
    Object.fromEntries(FIGURES.map((name) => [name, z.number().optional()])) as Record<
      (typeof FIGURES)[number],
      z.ZodOptional<z.ZodNumber>
    >,
  );

/** How often an answer is given, and what the stand-in does besides: its own words, as in `stand-ins/README.md`. */
const anyAnswer = {
  times: z.int().positive().optional(),
  does: z.array(z.union([z.string(), z.record(z.string(), z.unknown())])).optional(),
  chunk: z.int().positive().optional(),
  every_ms: z.int().positive().optional(),
};
const oneFinding = () => z.union([z.string(), z.record(z.string(), z.unknown())]);

/** What an agent answers in short; `script-agents.ts` makes of it what a stand-in reads. */
const agents = () =>
  z.strictObject({
    /** `writes`: the text of the document that is asked for, or files by path (null deletes one); `says`: any words. */
    implementer: z
      .array(
        z
          .strictObject({
            writes: z.union([z.string(), files()]).optional(),
            says: z.string().optional(),
            ...anyAnswer,
          })
          .refine(({ writes, says }) => (writes === undefined) !== (says === undefined), 'expected writes or says'),
      )
      .optional(),
    reviewer: z
      .array(
        z.strictObject({
          verdict: z.enum(['PASS', 'FAIL']),
          critical: z.boolean().optional(),
          findings: z.array(oneFinding()).optional(),
          ...anyAnswer,
        }),
      )
      .optional(),
    /** Without a verdict it hands in no report. `issues` are its blocking issues, `report` any other field of it. */
    judge: z
      .array(
        z.strictObject({
          verdict: z.string().optional(),
          issues: z.array(oneFinding()).optional(),
          report: z.record(z.string(), z.unknown()).optional(),
          ...anyAnswer,
        }),
      )
      .optional(),
  });

/** The shape of such a file. */
export const drillSchema = () =>
  z.strictObject({
    /** The breaker that must trip; needed only where the drill is not named after it, and absent where none must. */
    breaker: z.enum(BREAKERS).optional(),
    injects: z.string().min(1),
    situations: z
      .array(
        z.strictObject({
          injects: z.string().min(1),
          /** Files of the sample project besides the usual ones. */
          files: z.record(z.string(), z.string()).optional(),
          /** `.andon/config.yaml`, committed. */
          config: z.record(z.string(), z.unknown()).optional(),
          /** Keys of the user's own configuration, besides cage and agents. */
          user_config: userConfig().optional(),
          /** A station that is left out does its work at the first try. */
          agents: agents().optional(),
          contract: parts().optional(),
          /** Done in the place of dropping the contract: in the end a proposal of the task is approved. */
          proposal: acts().optional(),
          /** andon runs as a process of its own, which can be killed. */
          apart: z.literal(true).optional(),
          /** Done to the place before the contract is dropped. */
          before: acts().optional(),
          /** Done while the line runs. */
          during: acts().optional(),
          /** Where the line must halt; absent: it must not. */
          halt: z
            .strictObject({
              /** By default that of the drill. */
              breaker: z.enum(BREAKERS).optional(),
              /** Part of the reason, with the figures that the line itself counted. */
              says: z.string().min(1),
              figures: figures().optional(),
              path: z.literal([1, 2]),
              /** What the user does before the path is chosen, and after it. */
              first: acts().optional(),
              afterwards: acts().optional(),
            })
            .optional(),
          end: z.strictObject({
            status: z.enum(['merged', 'abandoned']),
            figures: figures().optional(),
            /** Files on the target branch, whole; `null` = it is not there. */
            holds: files().optional(),
            also: alsoSchema().optional(),
          }),
        }),
      )
      .min(1),
  });
