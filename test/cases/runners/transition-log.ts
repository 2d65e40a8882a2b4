import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { aContract } from '../../support/contract.ts';
import { aFactory } from '../../support/factory.ts';
import type { Facts, Runner } from '../run-cases.ts';

/** What becomes of `transition.ndjson` when a task runs to its end. */
export const transitionLog: Runner = ({ input }) => {
  if (typeof input['log_size_mb'] === 'number') return rotation(input['log_size_mb']);
  if (input['task'] === 'finished') return finished();
  if (typeof input['event'] === 'string') return reasonAt(input['event']);
  throw new Error(`nothing about the log is ${JSON.stringify(input)}`);
};

const LOG = 'transition.ndjson';

async function rotation(megabytes: number): Promise<Facts> {
  const factory = await aFactory();
  const old = `${JSON.stringify({ task_id: 'OLD', event: 'pass', status_reason: 'x'.repeat(900) })}\n`;
  mkdirSync(factory.handoff, { recursive: true });
  writeFileSync(join(factory.handoff, LOG), old.repeat(Math.ceil((megabytes * 1024 * 1024) / old.length)));
  await factory.run(aContract());
  const others = readdirSync(factory.handoff, { recursive: true })
    .map(String)
    .filter((name) => name.includes('transition') && name !== LOG);
  return { rotated_to: others[0] ?? null, tasks: [...new Set(factory.transitions().map((line) => line['task_id']))] };
}

async function finished(): Promise<Facts> {
  const factory = await aFactory();
  await factory.run(aContract());
  return {
    archived: readdirSync(join(factory.handoff, 'archive', 'DOC-001')),
    kept: readdirSync(factory.handoff),
  };
}

/** Whether a line of the log says why its own state was reached, or repeats what an earlier one said. */
async function reasonAt(event: string): Promise<Facts> {
  const factory = await aFactory();
  await factory.run(aContract());
  const lines = factory.transitions();
  const index = lines.findIndex((line) => line['event'] === event);
  const said = lines[index]?.['status_reason'];
  if (typeof said !== 'string') throw new Error(`no line of the log is about ${event}`);
  const [first] = lines;
  const earlier = ['new', 'Awaiting implementation', ...lines.slice(0, index).map((line) => line['status_reason'])];
  const isNew = said !== '' && !earlier.includes(said) && (index === 0 || said !== first?.['status_reason']);
  return { status_reason: isNew ? 'the reason of the new state' : 'the reason of an earlier state', said };
}
