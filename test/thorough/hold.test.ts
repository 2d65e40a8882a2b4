/** @module-tag thorough */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually, type Factory } from '../support/factory.ts';

const OFTEN = { hold: { retry_minutes: 0.005 } };

/** Starts or stops the ollama server of a factory. */
function serverOf(factory: Factory, runs: boolean): void {
  const file = join(factory.folder, 'agents/scenario.json');
  const scenario = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(`${file}.new`, JSON.stringify({ ...scenario, ollama_server: runs }));
  renameSync(`${file}.new`, file); // a stand-in may be reading it
}

/** What the line waits for, as `andon status --json` says it. */
const holdOf = async (factory: Factory) => (await factory.status()).task?.hold;

describe('an ollama server that is down', () => {
  test('is still waited for after a kill -9 and a restart', async () => {
    const factory = await aFactory({ apart: true, projectConfig: OFTEN });
    serverOf(factory, false);
    const dog = await factory.begin(aContract());
    const pauses = (): number => (dog.output().match(/tries implementer again/g) ?? []).length;
    await dog.until(() => pauses() >= 3);
    const { since } = (await holdOf(factory)) ?? {};
    const before = pauses();
    await dog.until(() => pauses() > before); // one has just begun, more than a second long: the kill meets no call
    await dog.kill9();
    const again = await factory.watch();
    await again.until(/implementer: waits/);
    expect(await holdOf(factory)).toMatchObject({ since });
    serverOf(factory, true);
    expect(await factory.end(again)).toBe('merged');
    expect((await factory.show('DOC-001')).attempt).toBe(1);
  });

  test('is tried at once by a restarted andon whose configuration makes the wait shorter than it was already', async () => {
    const factory = await aFactory({ projectConfig: { hold: { retry_minutes: 600 } } });
    serverOf(factory, false);
    const dog = await factory.begin(aContract());
    await dog.until(/tries implementer again at/);
    await dog.stop();
    const unchanged = await factory.watch();
    await unchanged.until(/tries implementer again at/);
    expect((await factory.show('DOC-001')).story.filter(({ text }) => text.includes('waits'))).toHaveLength(1);
    await unchanged.stop();
    serverOf(factory, true);
    factory.write('.andon/config.yaml', 'hold: {retry_minutes: 0.0001}\n');
    const again = await factory.watch();
    expect(await factory.end(again)).toBe('merged');
    expect(again.output()).not.toContain('tries implementer again at');
  });

  test('is tried at once when a human says so', async () => {
    const factory = await aFactory(); // without a word it would be a minute until the next try
    serverOf(factory, false);
    const dog = await factory.begin(aContract());
    await dog.until(/tries implementer again at/);
    serverOf(factory, true);
    expect((await factory.andon('retry', 'DOC-001')).code).toBe(0);
    expect(await factory.end(dog)).toBe('merged');
    expect((await factory.andon('retry', 'DOC-001')).stderr).toContain('is merged');
  });

  test('is not asked while the line is paused, also when the time of the next try has come', async () => {
    const factory = await aFactory({ projectConfig: OFTEN });
    serverOf(factory, false);
    const dog = await factory.begin(aContract());
    await dog.until(/implementer: waits/);
    expect((await factory.andon('pause')).code).toBe(0);
    await eventually(
      async () => (await factory.show('DOC-001')).working === null,
      'a try that was under way has ended',
    );
    const asked = factory.calls('implementer').length;
    serverOf(factory, true);
    const retry = await factory.andon('retry', 'DOC-001');
    expect(retry).toMatchObject({ code: 2, stderr: expect.stringMatching(/paused by/) as string });
    await sleep(1500); // the next try was due after 300 ms
    expect(factory.calls('implementer').length).toBe(asked);
    expect((await factory.andon('unpause')).code).toBe(0);
    expect(await factory.end(dog)).toBe('merged');
  });

  test('while the line waits, Ctrl-C ends andon at once', async () => {
    const factory = await aFactory();
    serverOf(factory, false);
    const dog = await factory.begin(aContract());
    await dog.until(/tries implementer again at/);
    expect((await dog.stop()).ms).toBeLessThan(15_000); // the next try is a minute away
    await eventually(() => factory.processes().length === 0, 'nothing is left running');
  });
});
