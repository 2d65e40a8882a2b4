import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../../../src/base/read-json.ts';
import { aContract } from '../../support/contract.ts';
import { aFactory } from '../../support/factory.ts';
import type { Facts, Runner } from '../run-cases.ts';

/** What becomes of `transition.ndjson` when a task runs to its end. */
export const transitionLog: Runner = ({ input }) => {
  if (typeof input['log_size_mb'] === 'number') return rotation(input['log_size_mb']);
  if (input['crash'] === 'during append') return torn();
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
  const isSmall = statSync(join(factory.handoff, LOG)).size < 1024 * 1024;
  return {
    rotated_to: others[0] ?? null,
    new_log_small: isSmall,
    tasks: [...new Set(factory.transitions().map((line) => line['task_id']))],
  };
}

/** A log whose last line a crash has torn, and a line that goes on after it. */
async function torn(): Promise<Facts> {
  const factory = await aFactory();
  mkdirSync(factory.handoff, { recursive: true });
  writeFileSync(join(factory.handoff, LOG), '{"task_id":"OLD","event":"pass"}\n{"task_id":"OLD","ev');
  const { status } = await factory.run(aContract());
  const lines = readFileSync(join(factory.handoff, LOG), 'utf8').trimEnd().split('\n');
  const unread = lines.flatMap((line, at) => (readJson(line).ok ? [] : [at]));
  const skipped = status === 'merged' && lines.length > 2 && unread.join() === '1';
  return { reader: skipped ? 'skips the torn last line' : `lines ${unread.join()} do not parse`, status };
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
