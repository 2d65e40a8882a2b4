/** @module-tag thorough */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Digest } from '../../src/line/digest/digest.ts';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually, type Factory } from '../support/factory.ts';
import { HALTING, TELL, aToldFactory, events, noted } from '../support/told-factory.ts';

const configOf = ({ folder }: Factory): string => join(folder, 'config/andon/config.yaml');
const markOf = ({ folder }: Factory): string => join(folder, 'state/andon/digest-sent.json');

/** The user wants a digest at a time that was an hour ago. */
function wantDigest(factory: Factory): string {
  const ago = new Date(Date.now() - 3_600_000);
  const at = [ago.getHours(), ago.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
  const config = parse(readFileSync(configOf(factory), 'utf8')) as object;
  writeFileSync(configOf(factory), stringify({ ...config, digest: { at } }));
  return at;
}

/** As if the last digest had been told the day before yesterday, and no andon had run since. */
function missed(factory: Factory): void {
  const at = new Date(Date.now() - 50 * 3_600_000).toISOString();
  writeFileSync(markOf(factory), JSON.stringify({ at, heads: {}, day: at.slice(0, 10) }));
}

describe('a digest at a time of day', () => {
  test('that was missed is told at the next start, whole and late, over the channels of notifications, and once', async () => {
    const { factory, told } = await aToldFactory();
    const { dog } = await factory.run(aContract(HALTING));
    await eventually(() => told().length === 1, 'the halt is told');
    await dog.stop();
    const at = wantDigest(factory);
    missed(factory);

    const again = await factory.watch();
    await eventually(() => told().length === 2, 'the digest is told');
    await eventually(() => noted(factory).includes('digest command'), 'that is noted');
    await again.until('digest: Late: it was due');
    const [, digest] = told();
    expect(digest).toMatchObject({ event: 'digest', priority: 'normal', task_id: null });
    expect(digest?.sentence).toMatch(
      /^Late: it was due at .*Z, when no andon watched or the machine slept\. 1 needs? you, 0 merged/,
    );
    expect(digest?.next).toMatch(/^andon digest --all --since \d{4}-/);
    const { text = '', facts = {} } = digest?.digest ?? {};
    expect(text).toMatch(new RegExp(`^Late: it was due at (?:\\d+ \\w+ )?${at}`));
    expect(text).toContain(`cd ${factory.repo} &&\n        andon resume DOC-001 --path 1 --halt DOC-001-1`);
    expect((facts as Digest).needs_you).toMatchObject([{ kind: 'halt', task_id: 'DOC-001' }]);
    const words = (digest?.next ?? '').split(' ').slice(1);
    const shown = JSON.parse((await factory.andon(...words, '--json')).stdout) as Digest;
    expect(shown.needs_you).toEqual((facts as Digest).needs_you);
    await again.stop();

    const last = await factory.watch();
    await last.until('is halted, and waits for your answer');
    await last.stop();
    expect(events(told())).toEqual(['halt', 'digest']);
    // What was sent is no digest that somebody has read in a terminal.
    const typed = JSON.parse((await factory.andon('digest', '--json')).stdout) as Digest;
    expect(typed.spent.together.calls).toBeGreaterThan(0);
  });

  test('is told by one of two andons that watch two repositories', async () => {
    const { factory: one, told } = await aToldFactory(TELL, {}, { repoName: 'one' });
    const two = await aFactory({ repoName: 'two' });
    for (const name of ['XDG_STATE_HOME', 'XDG_CONFIG_HOME'] as const) two.env[name] = one.env[name] ?? '';
    wantDigest(one);
    const first = await one.watch();
    await eventually(() => existsSync(markOf(one)), 'it is wanted from now on');
    expect(told()).toEqual([]);
    await first.stop();
    missed(one);
    const dogs = [await one.watch(), await two.watch()];
    await eventually(() => told().length === 1, 'the digest is told');
    const facts = told()[0]?.digest?.facts as Digest;
    expect(facts.repositories.map(({ name }) => name)).toContain('one');
    for (const dog of dogs) await dog.stop();
    const again = [await two.watch(), await one.watch()];
    for (const dog of again) await dog.stop();
    expect(events(told())).toEqual(['digest']);
  });

  test('is nothing that a repository may want, and a time that is none is refused', async () => {
    const factory = await aFactory({ projectConfig: { digest: { at: '07:00' } } });
    const dog = await factory.watch();
    await dog.until('sets `digest`, which a repository may not decide');
    await dog.stop();
    writeFileSync(configOf(factory), 'digest: { at: "7 am" }\n');
    const { code, stderr } = await factory.andon('status');
    expect([code, stderr]).toEqual([2, expect.stringContaining('digest.at: expected a time of day such as 07:00')]);
  });
});
