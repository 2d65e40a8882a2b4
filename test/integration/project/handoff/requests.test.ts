import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRequestFiles } from '../../../../src/project/handoff/requests.ts';
import { identifyThisProcess } from '../../../../src/project/locks/holder.ts';

const STOP = { do: 'stop', by: 'Erik' } as const;

/** A folder with one request, as this process (`asker`) left it. */
function aRequest(asker: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'andon-requests-'));
  writeFileSync(
    join(folder, '1.ask.json'),
    JSON.stringify({ asker: { ...identifyThisProcess(), ...asker }, request: STOP }),
  );
  return { folder, requests: createRequestFiles(folder) };
}

describe('a request of a command', () => {
  test('waits for its answer while the command lives', async () => {
    const { folder, requests } = aRequest();
    expect(requests.waiting()).toEqual([{ id: '1', request: STOP }]);
    const asked = requests.ask({ do: 'pause', by: 'Erik' }, 10_000, () => true);
    const other = requests.waiting().find(({ request }) => request.do === 'pause');
    requests.answer(other?.id ?? '', { ok: true, status: 'paused', reason: '', commit: null });
    expect(await asked).toMatchObject({ ok: true, status: 'paused' });
    expect(readdirSync(folder)).toEqual(['1.ask.json']);
  });

  test.each([
    ['whose process has ended', { pid: spawnSync('true').pid }],
    ['whose process id another process has now', { startTime: '1' }],
    ['from before the last boot', { boot: 'another' }],
  ])('%s is removed and never carried out', (_, asker) => {
    const { folder, requests } = aRequest(asker);
    expect(requests.waiting()).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('without a process that asks is removed', () => {
    const { folder, requests } = aRequest();
    const path = join(folder, '1.ask.json');
    writeFileSync(path, JSON.stringify((JSON.parse(readFileSync(path, 'utf8')) as { request: object }).request));
    expect(requests.waiting()).toEqual([]);
  });
});
