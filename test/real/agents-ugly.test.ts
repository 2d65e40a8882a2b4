import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Factory } from '../support/factory.ts';
import { modelApis } from '../support/model-apis.ts';
import { FINAL } from '../support/scenario.ts';
import { HERE, PATH, WRITES, aLine, callsOf, does, endOf, signalInTool } from './editing-line.ts';
import { LEAK, hostileFiles } from './hostile-repository.ts';

// What each real program does when something goes wrong while it edits, and that the line never takes it for a change.

const rows: string[] = [];
afterAll(() => console.log(rows.join('\n')));

/** What happened, kept for the table that is printed at the end. */
async function told(factory: Factory, program: string, what: string, end: string): Promise<string> {
  const calls = await callsOf(factory);
  const { task } = await factory.status();
  const holds = JSON.stringify(task?.hold ?? null);
  const said = [...calls.map(({ ok, why }) => (ok ? 'ok' : (why ?? '').slice(0, 250))), holds];
  rows.push(`${program} | ${what} | ${end} | ${said.join(' ; ')}`);
  return end;
}

const written = (factory: Factory): string => factory.git('show', `main:${PATH}`);

describe.each(HERE)('the real %s in the cage', (program) => {
  test('with a key that is not taken halts the line with what to do', async () => {
    const { factory, name } = await aLine(program, () => ({ status: 401 }));
    expect(await told(factory, program, '401', await endOf(factory, name))).toBe('halted');
    expect(factory.breaker()).toBe('fault');
    expect(factory.paper('ERIK_HALT.md')).toContain('check its key');
  });

  test('at a limit that names its end is waited for until then, soon', async () => {
    const { factory, name, api } = await aLine(program, () => ({ status: 429, headers: { 'retry-after': '3600' } }));
    const since = Date.now();
    expect(await told(factory, program, '429 with a reset time', await endOf(factory, name))).toBe('held');
    const { task } = await factory.status();
    const minutes = (Date.parse(task?.hold?.until ?? '') - since) / 60_000;
    expect(minutes).toBeGreaterThan(58);
    expect(minutes).toBeLessThan(64);
    expect(api.asked.length).toBeLessThan(8);
  });

  test('at a limit without a word about its end is waited for', async () => {
    const { factory, name } = await aLine(program, () => ({ status: 429 }));
    expect(await told(factory, program, '429 without one', await endOf(factory, name))).toBe('held');
  });

  test('whose model cannot be reached is waited for', async () => {
    const { factory, name } = await aLine(program, () => 'x', { url: 'http://127.0.0.1:9' });
    expect(await told(factory, program, 'dead upstream', await endOf(factory, name))).toBe('held');
  });

  test('whose tool is refused, and that changed nothing, has not done its work', async () => {
    const evil = join('/etc', 'andon-evil');
    const { factory, name } = await aLine(program, does([`echo x > ${evil}`], [WRITES]));
    const end = await told(factory, program, 'refused tool', await endOf(factory, name));
    expect(existsSync(evil)).toBe(false);
    expect((await callsOf(factory))[0]?.ok).toBe(false);
    expect(end).toBe('merged');
    expect(written(factory)).toBe(FINAL.trimEnd());
  });

  test('that is ended by SIGTERM in the middle of a tool counts for nothing, and leaves nothing', async () => {
    const waits = `node -e 'setTimeout(() => {}, 987000)'`;
    const begins = `${WRITES}; echo half >> ${PATH}; ${waits}`;
    const { factory, name } = await aLine(program, does([begins, waits, waits], [WRITES]));
    const [ended] = await Promise.all([endOf(factory, name), signalInTool(factory, 'SIGTERM', '987000')]);
    const end = await told(factory, program, 'SIGTERM', ended);
    expect((await callsOf(factory))[0]?.ok).toBe(false);
    expect(end).toBe('merged');
    expect(written(factory)).toBe(FINAL.trimEnd());
    expect(factory.processes().filter(({ command }) => command.includes('987000'))).toEqual([]);
  });

  test('runs nothing of a hostile repository, and asks nobody else', async () => {
    const elsewhere = await modelApis(() => 'x');
    onTestFinished(() => elsewhere.close());
    const lasts = `node -e 'setTimeout(() => {}, 8000)'`; // a plugin is loaded in the background, after seconds
    const { factory, name, api } = await aLine(program, does([lasts, lasts, WRITES]), {
      files: hostileFiles(elsewhere.url),
    });
    expect(await told(factory, program, 'hostile repository', await endOf(factory, name))).toBe('merged');
    expect(written(factory)).toBe(FINAL.trimEnd());
    expect(factory.git('ls-tree', '-r', '--name-only', 'main')).not.toContain(LEAK);
    expect(new Set(api.asked.map(({ model }) => model))).toEqual(new Set(['m1']));
    expect(elsewhere.asked).toEqual([]);
  });
});
