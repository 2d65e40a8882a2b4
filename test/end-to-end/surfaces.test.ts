import type { Status } from '../../src/base/names.ts';
import { STATUS_PHRASES } from '../../src/line/words/view-activity.ts';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, type Factory } from '../support/factory.ts';
import { formatLocalTime } from '../../src/base/local-time.ts';

interface Facts {
  readonly watchdog: { readonly pid: number } | null;
  readonly blocked: string | null;
  readonly task: {
    readonly task_id: string;
    readonly status: string;
    readonly since: string;
    readonly halt: { readonly reason: string } | null;
  } | null;
  readonly waiting: readonly string[];
  readonly refusals: readonly { readonly file: string }[];
}

/** Asks every surface about the same moment, and holds what they say against the facts of `status --json`. */
async function agree(factory: Factory): Promise<Facts> {
  const [json, status, list, doctor] = await Promise.all([
    factory.andon('status', '--json'),
    factory.andon('status'),
    factory.andon('list'),
    factory.andon('doctor', '--no-gates'),
  ]);
  const facts = JSON.parse(json.stdout) as Facts;
  const { watchdog, blocked, task, waiting, refusals } = facts;
  expect(status.stdout.includes('no watchdog is running')).toBe(watchdog === null);
  for (const name of waiting) expect(status.stdout).toContain(name);
  for (const { file } of refusals) expect(status.stdout).toContain(`${file}: `);
  expect(doctor.stdout.includes('refused')).toBe(refusals.length > 0);
  if (blocked !== null)
    for (const { stdout } of [status, doctor]) expect(stdout).toContain(blocked.split(' since ')[0]);
  expect(status.stdout).not.toMatch(/\d{4}-\d\d-\d\dT\d\d:/);
  expect(list.stdout).not.toMatch(/\d{4}-\d\d-\d\dT\d\d:/);
  if (task === null) return facts;
  for (const { stdout } of [status, list, doctor]) expect(stdout).toContain(task.task_id);
  expect(list.stdout).toContain(STATUS_PHRASES[task.status as Status]);
  expect(list.stdout).toContain(formatLocalTime(task.since, new Date()));
  if (task.halt !== null)
    for (const { stdout } of [status, list, doctor]) expect(stdout).toContain(task.halt.reason.slice(0, 80));
  return facts;
}

test('status, list and doctor say the same at every moment, as text and as JSON', { tags: 'thorough' }, async () => {
  const factory = await aFactory({ scenario: { implementer: [] } });
  factory.drop(aContract({ project: '' }));
  factory.drop(aContract({ task_id: 'DOC-009' }), 'queue/9.json');
  factory.drop('{"a": 1}', 'queue/bad.json');
  expect(await agree(factory)).toMatchObject({ watchdog: null, task: null, waiting: { length: 3 } });
  const dog = await factory.watch();
  await dog.until(() => factory.paper('CONTRACT_REJECTED.md')?.includes('2 contracts rejected'));
  expect((await factory.andon('pause')).code).toBe(0);
  const paused = await agree(factory);
  expect(paused).toMatchObject({
    waiting: ['_handoff/queue/9.json'],
    queue: [
      { file: '_handoff/TASK_CONTRACT.json', waits_for: 'a correction' },
      { file: '_handoff/queue/9.json', task_id: 'DOC-009', priority: 0, waits_for: 'a place' },
      { file: '_handoff/queue/bad.json', task_id: null, priority: 0, waits_for: 'a correction' },
    ],
    refusals: { length: 2 },
  });
  expect(paused.blocked).toContain('paused by');
  expect((await factory.andon('status')).stdout).toContain('behind the refused one');
  rmSync(join(factory.handoff, 'TASK_CONTRACT.json'));
  expect((await factory.andon('unpause')).code).toBe(0);
  await dog.until(factory.isHalted);
  expect(await agree(factory)).toMatchObject({ task: { task_id: 'DOC-009' }, waiting: [], refusals: { length: 1 } });
});
