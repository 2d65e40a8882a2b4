import { z } from 'zod';
import { BREAKERS, type BreakerId } from '../../line/record/trip.ts';
import { acts, files, parts } from './acts.ts';
import { FIGURES } from './figures.ts';
import { furtherChecksSchema } from './check-further.ts';
import type { Stations } from './scenario.ts';

/** A deliberate fault in a real run of the line, with its expected result: one file, one drill. */
export interface Drill {
  readonly name: string;
  /** The breaker that must trip; undefined where the line must recover by itself. */
  readonly breaker: BreakerId | undefined;
  /** The fault in words, for the list. */
  readonly injects: string;
  readonly situations: readonly Situation[];
}

/** One run of the line: its fault and its expected end. A neighbour is one step below the threshold. */
export type Situation = Omit<DrillFile['situations'][number], 'agents' | 'halt'> & {
  readonly agents?: Stations | undefined;
  readonly halt?: ExpectedHalt | undefined;
};

/** An expected halt, the path to choose, and the user's actions before it. */
export type ExpectedHalt = NonNullable<DrillFile['situations'][number]['halt']> & { readonly breaker: BreakerId };
export type ExpectedEnd = Situation['end'];
/** The stand-ins' answers as in the drill's file, by station. */
export type Scripted = NonNullable<DrillFile['situations'][number]['agents']>;

type DrillFile = z.infer<ReturnType<typeof drillSchema>>;

const figures = () =>
  z.strictObject(
    Object.fromEntries(FIGURES.map((name) => [name, z.number().optional()])) as Record<
      (typeof FIGURES)[number],
      z.ZodOptional<z.ZodNumber>
    >,
  );

/** How often an answer is given, and further keys of `stand-ins/README.md`. */
const anyAnswer = {
  times: z.int().positive().optional(),
  does: z.array(z.union([z.string(), z.record(z.string(), z.unknown())])).optional(),
  chunk: z.int().positive().optional(),
  every_ms: z.int().positive().optional(),
};
const oneFinding = () => z.union([z.string(), z.record(z.string(), z.unknown())]);

/** An agent's answer in short form; `all-drills.ts` expands it. */
const agents = () =>
  z.strictObject({
    /** `writes`: the text of the requested document, or files by path (null deletes one); `says`: any words. */
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
    /** Without a verdict there is no report. `issues` are blocking; `report` holds other fields. */
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

export const drillSchema = () =>
  z.strictObject({
    /** Needed only where the drill is not named after its breaker; absent where none must trip. */
    breaker: z.enum(BREAKERS).optional(),
    injects: z.string().min(1),
    situations: z
      .array(
        z.strictObject({
          injects: z.string().min(1),
          /** Additional files of the sample project. */
          files: z.record(z.string(), z.string()).optional(),
          /** `.andon/config.yaml`, committed. */
          config: z.record(z.string(), z.unknown()).optional(),
          /** A station without an entry succeeds at the first try. */
          agents: agents().optional(),
          contract: parts().optional(),
          /** andon runs in its own process, which can be killed. */
          apart: z.literal(true).optional(),
          /** Before the contract is dropped. */
          before: acts().optional(),
          /** While the line runs. */
          during: acts().optional(),
          /** The expected halt; absent: none. */
          halt: z
            .strictObject({
              /** Default: that of the drill. */
              breaker: z.enum(BREAKERS).optional(),
              /** Part of the reason, with the figures of the line. */
              says: z.string().min(1),
              figures: figures().optional(),
              path: z.literal([1, 2]),
              /** The user's actions before and after the choice. */
              first: acts().optional(),
              afterwards: acts().optional(),
            })
            .optional(),
          end: z.strictObject({
            status: z.enum(['merged', 'abandoned']),
            figures: figures().optional(),
            /** Whole files on the target branch; `null` = missing. */
            holds: files().optional(),
            also: furtherChecksSchema().optional(),
          }),
        }),
      )
      .min(1),
  });
