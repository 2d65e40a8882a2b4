import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createWorkFolders } from '../../../src/project/folders/work-folders.ts';
import { saveReceived, type Received } from '../../../src/line/calls/received-answer.ts';
import type { StepJournal } from '../../../src/line/journal/step-journal.ts';
import type { Services } from '../../../src/line/services/services.ts';

const state = mkdtempSync(join(tmpdir(), 'andon-received-'));
afterAll(() => rmSync(state, { recursive: true, force: true }));

const received = (text: string): Received => ({
  text,
  answeredBy: 'writer',
  ms: 1,
  exit: 0,
  tokensIn: 1,
  tokensOut: 1,
  usd: null,
  startedAt: '2026-01-01T00:00:00.000Z',
});

/** Keeps an answer on a real disk; gives back what lies there, what the journal was told, and how often others had a turn. */
async function keep(answer: Received) {
  const folders = createWorkFolders(mkdtempSync(join(state, 'one-')));
  const noted: { kind: string; answer?: string; lay: boolean }[] = [];
  const services = {
    folders,
    digest: (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex'),
    clock: { now: () => '2026-01-01T00:00:01.000Z' },
    handoff: { folder: '/nowhere' },
    say: () => {},
  } as unknown as Services;
  const log = {
    record: {
      taskId: 'T-1',
      openCall: { call: 1, prompt: 'digest of the prompt', station: 'implementer', agent: 'ollama', model: 'writer' },
    },
    note: (entry: { kind: string; answer?: string }) =>
      noted.push({ ...entry, lay: folders.readReceived('T-1', 1) !== undefined }),
  } as unknown as StepJournal;
  let turns = 0;
  let next: NodeJS.Immediate;
  const turn = (): void => {
    turns += 1;
    next = setImmediate(turn);
  };
  next = setImmediate(turn);
  await saveReceived(services, log, answer, new AbortController().signal);
  clearImmediate(next);
  const lies = folders.readReceived('T-1', 1) ?? '';
  return { lies, noted, turns, digest: services.digest(lies) };
}

describe('an answer that was received', () => {
  it.each([
    ['of a line', 'NO CHANGE: it is there\n'],
    ['of nothing', ''],
    ['with quotes, controls and what JSON escapes', '"\\\\n\\u2028\\u0007\\\\'],
    ['of megabytes, in which a sign of two halves stands wherever it is cut', `x${'\u{1F40C}'.repeat(600_000)}`],
  ])('lies on the disk word for word before the journal says so: one %s', async (_, text) => {
    const { lies, noted, digest } = await keep(received(text));
    expect(JSON.parse(lies)).toStrictEqual({ prompt: 'digest of the prompt', received: received(text) });
    expect(noted).toMatchObject([{ kind: 'called', answer: digest, lay: true }]);
  });

  it('does not hold up the daemon while it is kept, however long it is', async () => {
    const { turns } = await keep(received('FILE: notes/a.md\n```\n```\n'.repeat(250_000)));
    expect(turns).toBeGreaterThan(10);
  });
});
