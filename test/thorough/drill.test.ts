/** @module-tag thorough */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { allDrills, readDrill } from '../../src/app/drills/all-drills.ts';
import type { Drill, Situation } from '../../src/app/drills/drill.ts';
import { runDrill } from '../../src/app/drills/run-drill.ts';
import { aFactory, eventually } from '../support/factory.ts';

describe('andon drill', () => {
  test('lists every drill, with what it injects and what must trip', async () => {
    const factory = await aFactory();
    const { code, stdout } = await factory.andon('drill');
    expect(code).toBe(0);
    const drills = allDrills();
    for (const { name, injects } of drills) expect(stdout).toMatch(new RegExp(`^  ${name} .*${injects}`, 'm'));
    const listed = JSON.parse((await factory.andon('drill', '--json')).stdout) as object[];
    expect(listed).toHaveLength(drills.length);
    expect(listed).toContainEqual({ name: 'cord', injects: expect.any(String), breaker: 'cord' });
  });

  test('runs one: the real line halts where it must, goes on as promised, and nothing of yours is touched', async () => {
    const factory = await aFactory();
    const before = factory.snapshot('refs/heads/none');
    const temporary = join(factory.folder, 'temporary');
    mkdirSync(temporary);
    factory.env['TMPDIR'] = temporary;
    const { code, stdout, stderr } = await factory.andon('drill', 'judge-halt');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('STAND-INS');
    expect(stdout).toContain('erik_consultation (judge_halt: the judge wants a human to look: This leaks keys.)');
    expect(stdout).toContain('[path 1] pending_implementer');
    expect(stdout.match(/^ {2}PASS .*\n(?: {12}.*\n)*? {12}end merged$/gm)).toHaveLength(2);
    expect(stdout).not.toContain('FAIL ');
    expect(stdout).toMatch(/\n1 passed, 0 failed \(\d+\.\d s\)\n$/);
    expect(factory.snapshot('refs/heads/none')).toEqual(before);
    expect(readdirSync(join(factory.folder, 'state'))).toEqual([]);
    expect(readdirSync(temporary).filter((name) => name.startsWith('andon-'))).toEqual([]);
  });

  test('gives the same to programs, and keeps the repository where that is asked for', async () => {
    const factory = await aFactory();
    factory.env['TMPDIR'] = factory.folder;
    const { code, stdout } = await factory.andon('drill', 'hallucination_loop', '--json', '--keep');
    expect(code).toBe(0);
    const told = JSON.parse(stdout) as { drills: { situations: { kept: string; figures: object }[] }[] };
    expect(told).toMatchObject({
      passed: 1,
      failed: 0,
      drills: [{ name: 'hallucination_loop', breaker: 'hallucination_loop', passed: true }],
    });
    const [first] = told.drills[0]?.situations ?? [];
    expect(first?.figures).toMatchObject({ attempts: 4, judge_calls: 1 });
    expect(readdirSync(first?.kept ?? '')).toContain('_handoff');
  });

  test('fails, says so and ends with 1 when the line cannot work at all', async () => {
    const factory = await aFactory();
    factory.env['PATH'] = join(factory.folder, 'no-programs');
    factory.env['TMPDIR'] = join(factory.folder, 'home');
    const { code, stdout } = await factory.andon('drill', 'judge_halt');
    expect(code).toBe(1);
    expect(stdout).toMatch(/FAIL .*a place was made: expected yes, found .*git/);
    expect(stdout).toMatch(/\nfailed: judge_halt\n0 passed, 1 failed/);
    expect(readdirSync(join(factory.folder, 'home')).filter((name) => name.startsWith('andon-'))).toEqual([]);
  });
});

describe('Ctrl-C', () => {
  test('ends drills within seconds, with all that they started, and leaves nothing behind', async () => {
    const factory = await aFactory();
    const temporary = join(factory.folder, 'temporary');
    mkdirSync(temporary);
    factory.env['TMPDIR'] = temporary;
    const { child, ended } = factory.start(['drill', 'cord', 'stalled', 'crash', '--jobs', '3']);
    const places = () => readdirSync(temporary).filter((name) => name.startsWith('andon-drill-'));
    const calls = () => places().filter((name) => existsSync(join(temporary, name, 'agents/scenario.json.log')));
    await eventually(() => calls().length === 3, 'agents are at work in all three');
    const began = performance.now();
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, stderr: expect.stringContaining('interrupted') as unknown });
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(places()).toEqual([]);
    await eventually(() => factory.processes().length === 0, 'nothing is left running');
  });

  test('does the same to the demo', async () => {
    const factory = await aFactory();
    const temporary = join(factory.folder, 'temporary');
    mkdirSync(temporary);
    factory.env['TMPDIR'] = temporary;
    const { child, ended, output } = factory.start(['demo']);
    await eventually(() => output().includes('ollama qwen2.5-coder is working'), 'the implementer is at work');
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 130, stderr: expect.stringContaining('interrupted') as unknown });
    expect(readdirSync(temporary).filter((name) => name.startsWith('andon-'))).toEqual([]);
    await eventually(() => factory.processes().length === 0, 'nothing is left running');
  });
});

describe('a drill whose line does not do what it must', () => {
  const ground = { env: process.env, caged: false, signal: new AbortController().signal };
  const judgeHalt = readDrill('judge_halt');
  const [halting, neighbour] = judgeHalt.situations;
  /** The first situation of the drill, with a fault in it; what its checks then find wrong. */
  const wrong = async (fault: Partial<Situation>, of = halting, patienceMs = 30_000): Promise<readonly string[]> => {
    const drill: Drill = { ...judgeHalt, situations: [{ ...(of as Situation), ...fault }] };
    const { passed, situations } = await runDrill(drill, { ...ground, patienceMs });
    expect(passed).toBe(false);
    return situations.flatMap(({ checks }) =>
      checks.filter(({ ok }) => !ok).map(({ what, expected, found }) => `${what}: ${expected}, ${found}`),
    );
  };

  test('because the breaker does not trip fails', async () => {
    const { agents } = neighbour as Situation;
    expect(await wrong(agents === undefined ? {} : { agents })).toEqual(['breaker: judge_halt, none']);
  });

  test('because somebody writes in the checkout fails', async () => {
    const found = await wrong({ during: [{ write: { 'README.md': 'not by the user\n' } }] });
    expect(found).toEqual(['your checkout is untouched: yes, README.md']);
  });

  test('because andon does not come up again after a kill -9 fails', async () => {
    const first = { ...(readDrill('crash').situations[0] as Situation), agents: {} };
    const found = await wrong({ during: [{ andon: 'is killed' }], end: { status: 'merged' } }, first, 5000);
    expect(found).toEqual([expect.stringMatching(/the drill came to its end: yes, timeout after .* s/)]);
  });
});
