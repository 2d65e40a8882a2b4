import { existsSync } from 'node:fs';
import { z } from 'zod';
import { FILES, HANDOFF } from '../../base/names.ts';
import type { JournalEntry } from '../../line/record/journal-entry.ts';
import type { TaskRecord } from '../../line/record/task-record.ts';
import type { Request } from '../../project/requests/request.ts';
import type { Figures } from './figures.ts';
import type { LiveProcess } from './processes.ts';
import { TASK, drillContract, type Call, type Stations } from './scenario.ts';

/** The workspace of a situation, and the actions in it. */
export interface Stage {
  readonly repository: string;
  /** The task from the journal on disk; throws before its admission. */
  record(): TaskRecord;
  entries(): readonly JournalEntry[];
  figures(): Figures;
  /** Polls a condition; fails with `what` after the timeout. */
  until(what: string, isSo: () => boolean, ms?: number): Promise<void>;
  /** A file beside the scenario, for `touch` and `wait-for` of a stand-in. */
  readonly signal: { has(name: string): boolean; give(name: string): void };
  /** Runs a change by the user; its result is the checkout that no other process may change. */
  asUser(deed: () => void | Promise<void>): Promise<void>;
  /** Writes a file of the checkout; `null` removes it. */
  write(path: string, text: string | null): void;
  /** A file of the checkout; undefined when it is missing. */
  read(path: string): string | undefined;
  /** Commits files as the user. */
  commit(files: Readonly<Record<string, string>>): Promise<void>;
  /** Checks out a new branch that starts before the last commit, as the user. */
  checkOutOlder(branch: string): Promise<void>;
  /** Sends a request to the running andon, as commands do; throws when it is refused. */
  ask(request: Request): Promise<void>;
  /** Replaces the scenario of the stand-ins. */
  script(agents: Stations, more?: Call): void;
  /** Removes or restores the program of an agent. */
  program(name: 'ollama' | 'claude', isThere: boolean): void;
  /** Live processes of this workspace, without andon itself. */
  processes(): readonly LiveProcess[];
  start(): Promise<void>;
  /** Kills andon with SIGKILL, but none of its children. */
  kill(): Promise<void>;
}

/** The conditions of a drill. `at` is a file that a stand-in touches. */
const MOMENTS = {
  'an agent is at work': (stage: Stage) => stage.signal.has('at'),
  'the implementer is done': (stage: Stage) => stage.record().status === 'pending_local_review',
  'the line waits': (stage: Stage) => stage.figures().waits > 0,
  'the line waits until a known time': (stage: Stage) => stage.record().hold?.until !== undefined,
  'the line halts': (stage: Stage) => stage.record().halt !== undefined,
  'the review is asked for': (stage: Stage) => stage.read(`${HANDOFF}/${FILES.reviewRequest}`) !== undefined,
} as const;

/** Files by path; `null` = missing. */
export const files = () => z.record(z.string(), z.string().nullable());
/** The fields in which a contract differs from the usual one. */
export const parts = () =>
  z.strictObject({
    limits: z.record(z.string(), z.unknown()).optional(),
    constraints: z.record(z.string(), z.unknown()).optional(),
    specification: z.record(z.string(), z.unknown()).optional(),
    roles: z.record(z.string(), z.unknown()).optional(),
    git: z.record(z.string(), z.unknown()).optional(),
  });

const act = () =>
  z.strictObject({
    until: z.enum(Object.keys(MOMENTS) as (keyof typeof MOMENTS)[]).optional(),
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
type Act = z.infer<ReturnType<typeof act>>;

/** The actions of a drill in order; each is one key and its argument. */
export const acts = () =>
  z.array(act().refine((one) => Object.keys(one).length === 1, 'expected one act: a list has one key in each entry'));
type Acts = z.infer<ReturnType<typeof acts>>;

export async function perform(acts: Acts | undefined, stage: Stage): Promise<void> {
  for (const [name, what] of (acts ?? []).flatMap((one) => Object.entries(one)))
    await (DEEDS[name as keyof Act] as (stage: Stage, what: unknown) => void | Promise<void>)(stage, what);
}

const CONTRACT = `${HANDOFF}/${FILES.contract}`;
const written = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

const DEEDS: {
  readonly [Name in keyof Act]-?: (stage: Stage, what: NonNullable<Act[Name]>) => void | Promise<void>;
} = {
  until: (stage, moment) => stage.until(moment, () => MOMENTS[moment](stage)),
  write(stage, texts) {
    for (const [path, text] of Object.entries(texts)) stage.write(path, text);
  },
  move(stage, { from, to }) {
    stage.write(to, stage.read(from) ?? null);
    stage.write(from, null);
  },
  commit: (stage, texts) => stage.commit(texts),
  older_branch: (stage, branch) => stage.checkOutOlder(branch),
  edit_contract(stage, changed) {
    const contract = JSON.parse(stage.read(CONTRACT) ?? '{}') as Record<string, object>;
    for (const [part, keys] of Object.entries(changed)) contract[part] = { ...contract[part], ...keys };
    stage.write(CONTRACT, written(contract));
  },
  save_contract: (stage) => stage.write(CONTRACT, stage.read(CONTRACT) ?? ''),
  newer_contract(stage, changed) {
    stage.write(CONTRACT, written(drillContract(changed)));
    const expected = JSON.stringify(changed.specification?.['requirements']);
    const current = (): string => JSON.stringify(stage.record().contract.specification.requirements);
    return stage.until(`${TASK} runs with the newer contract`, () => current() === expected);
  },
  halt: (stage, reason) => stage.ask({ do: 'halt', taskId: TASK, by: 'drill', reason }),
  queue: (stage, { task_id: id, ...changed }) =>
    stage.write(`${HANDOFF}/${FILES.queue}/${id}.json`, written({ ...drillContract(changed), task_id: id })),
  // A merge may fast-forward the checkout.
  merged: (stage, count) =>
    stage.asUser(() => stage.until(`${count} tasks are merged`, () => mergedOn(stage).length >= count)),
  ask: (stage, what) =>
    stage.ask(what === 'abandon' ? { do: what, taskId: TASK, by: 'drill' } : { do: what, by: 'drill' }),
  give: (stage, sign) => stage.signal.give(sign),
  server: (stage, is) => stage.script({}, is === 'up' ? {} : { ollama_server: false }),
  take_away: (stage, program) => stage.program(program, false),
  put_back: (stage, program) => stage.program(program, true),
  andon(stage, what) {
    if (what === 'is killed') return stage.kill();
    return what === 'starts' ? stage.start() : killAndRestart(stage);
  },
  judge_by_hand(stage, report) {
    const request = `${HANDOFF}/${FILES.reviewRequest}`;
    stage.write(`${HANDOFF}/${FILES.reviewInProgress}`, stage.read(request) ?? null);
    stage.write(request, null);
    stage.write(`${HANDOFF}/${FILES.judgeReportJson}`, written({ task_id: TASK, ...report }));
  },
};

/** Merged tasks in order. */
export function mergedOn(stage: Pick<Stage, 'read'>): readonly string[] {
  const rows = (stage.read(`${HANDOFF}/${FILES.transitions}`) ?? '').split('\n').slice(0, -1);
  return rows
    .map((row) => JSON.parse(row) as { readonly task_id: string; readonly new_status: string })
    .flatMap((one) => (one.new_status === 'merged' ? [one.task_id] : []));
}

/**
 * Kills andon while an agent works; the next andon must end the rest and continue. The agent is read before the kill: a
 * printing agent dies soon after its reader.
 */
async function killAndRestart(stage: Stage): Promise<void> {
  await stage.until('an agent is at work', () => stage.signal.has('at'));
  const atWork = new Set(stage.processes().map(({ pid }) => pid));
  if (atWork.size === 0 && existsSync('/proc')) throw new Error('no agent was at work: nothing to recover');
  await stage.kill();
  await stage.start();
  await stage.until('what was left running is ended', () => !stage.processes().some(({ pid }) => atWork.has(pid)));
}
