import { z } from 'zod';
import { BREAKERS, type BreakerId } from '../../line/record/trip.ts';
import { FIGURES } from './figures.ts';
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

/** What a drill may wait for. */
const MOMENTS = [
  'an agent is at work',
  'the implementer is done',
  'the line waits',
  'the line waits until a known time',
  'the line halts',
  'the review is asked for',
] as const;

/** Files by path; `null` = missing. */
const files = () => z.record(z.string(), z.string().nullable());
/** The fields in which a contract differs from the usual one. */
const parts = () =>
  z.strictObject({
    limits: z.record(z.string(), z.unknown()).optional(),
    constraints: z.record(z.string(), z.unknown()).optional(),
    specification: z.record(z.string(), z.unknown()).optional(),
    roles: z.record(z.string(), z.unknown()).optional(),
    git: z.record(z.string(), z.unknown()).optional(),
  });

const act = () =>
  z.strictObject({
    until: z.enum(MOMENTS).optional(),
    /** Writes files of the checkout; null removes one. */
    write: files().optional(),
    move: z.strictObject({ from: z.string(), to: z.string() }).optional(),
    /** Commits files as the user. */
    commit: z.record(z.string(), z.string()).optional(),
    /** Checks out a new branch that starts before the last commit. */
    older_branch: z.string().optional(),
    /** Edits the contract on disk; other fields stay. */
    edit_contract: parts().optional(),
    /** Saves the contract on disk again without a change. */
    save_contract: z.literal('unchanged').optional(),
    /** Drops a newer contract, and waits until the task has its requirements. */
    newer_contract: parts().optional(),
    halt: z.string().optional(),
    /** A second contract that waits. */
    queue: z.strictObject({ task_id: z.string(), ...parts().shape }).optional(),
    /** Waits until this many tasks are merged; their order is checked at the end. */
    merged: z.int().positive().optional(),
    ask: z.enum(['pause', 'unpause', 'abandon']).optional(),
    /** Gives the signal that a stand-in waits for. */
    give: z.string().optional(),
    server: z.enum(['up', 'down']).optional(),
    take_away: z.enum(['ollama', 'claude']).optional(),
    put_back: z.enum(['ollama', 'claude']).optional(),
    andon: z.enum(['is killed', 'starts', 'is killed while an agent works, and starts']).optional(),
    /** A person takes the request and writes this report. */
    judge_by_hand: z.record(z.string(), z.unknown()).optional(),
  });
export type Act = z.infer<ReturnType<typeof act>>;

/** The actions of a drill in order; each is one key and its argument. */
const acts = () =>
  z.array(act().refine((one) => Object.keys(one).length === 1, 'expected one act: a list has one key in each entry'));

/** Further checks at the end, beyond status, figures and target files. */
const furtherChecks = () =>
  z.strictObject({
    /** Whole files of the checkout: the user's uncommitted work. */
    checkout: files().optional(),
    /** Of the merged contract. */
    requirements: z.array(z.string()).optional(),
    allow_deletes: z.boolean().optional(),
    allowed_paths: z.array(z.string()).optional(),
    /** From the edited version of the contract on disk; the journal keeps it. */
    edited_contract: z.string().optional(),
    /** The merged tree is the approved one. */
    approved_tree: z.literal('merged').optional(),
    /** Seconds since 1970: the end of the line's wait. */
    waited_until: z.number().optional(),
    waits: z.literal(false).optional(),
    merged_in_order: z.array(z.string()).optional(),
  });
export type FurtherChecks = z.infer<ReturnType<typeof furtherChecks>>;

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
            also: furtherChecks().optional(),
          }),
        }),
      )
      .min(1),
  });
