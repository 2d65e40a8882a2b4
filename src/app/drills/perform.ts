import { existsSync } from 'node:fs';
import { FILES, HANDOFF } from '../../base/names.ts';
import type { Act } from './drill.ts';
import { TASK, drillContract } from './scenario.ts';
import type { OpenStage } from './stage.ts';

/** The conditions of a drill. `at` is a file that a stand-in touches. */
const CONDITIONS: Readonly<Record<NonNullable<Act['until']>, (stage: OpenStage) => boolean>> = {
  'an agent is at work': ({ signal }) => signal.has('at'),
  'the implementer is done': (stage) => stage.record().status === 'pending_local_review',
  'the line waits': (stage) => stage.figures().waits > 0,
  'the line waits until a known time': (stage) => stage.record().hold?.until !== undefined,
  'the line halts': (stage) => stage.record().halt !== undefined,
  'the review is asked for': (stage) => stage.paper(FILES.reviewRequest) !== undefined,
};

export async function perform(acts: readonly Act[] | undefined, stage: OpenStage): Promise<void> {
  for (const [name, what] of (acts ?? []).flatMap((one) => Object.entries(one)))
    await (DEEDS[name as keyof Act] as (stage: OpenStage, what: unknown) => void | Promise<void>)(stage, what);
}

const CONTRACT = `${HANDOFF}/${FILES.contract}`;
const written = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

const DEEDS: {
  readonly [Name in keyof Act]-?: (stage: OpenStage, what: NonNullable<Act[Name]>) => void | Promise<void>;
} = {
  until: (stage, moment) => stage.until(moment, () => CONDITIONS[moment](stage)),
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

export function mergedOn(stage: Pick<OpenStage, 'read'>): readonly string[] {
  const rows = (stage.read(`${HANDOFF}/${FILES.transitions}`) ?? '').split('\n').slice(0, -1);
  return rows
    .map((row) => JSON.parse(row) as { readonly task_id: string; readonly new_status: string })
    .flatMap((one) => (one.new_status === 'merged' ? [one.task_id] : []));
}

/**
 * Kills andon while an agent works; the next andon must end the rest and continue. The agent is read before the kill: a
 * printing agent dies soon after its reader.
 */
async function killAndRestart(stage: OpenStage): Promise<void> {
  await stage.until('an agent is at work', () => stage.signal.has('at'));
  const atWork = new Set(stage.processes().map(({ pid }) => pid));
  if (atWork.size === 0 && existsSync('/proc')) throw new Error('no agent was at work: nothing to recover');
  await stage.kill();
  await stage.start();
  await stage.until('what was left running is ended', () => !stage.processes().some(({ pid }) => atWork.has(pid)));
}
