/** @module-tag thorough */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually, type Factory } from '../support/factory.ts';
import { stateOf } from '../support/places.ts';

/** A repository in which a task was merged, and nobody watches any more. */
async function aQuietOne(options: NonNullable<Parameters<typeof aFactory>[0]> = { apart: true }): Promise<Factory> {
  const factory = await aFactory(options);
  const { dog } = await factory.run(aContract());
  await dog.stop();
  return factory;
}

const journalOf = (factory: Factory): string => join(stateOf(factory), 'journal.sqlite');

describe('andon logs --follow', () => {
  test.skipIf(process.platform !== 'linux')('ends with its reader, also where nothing more is written', async () => {
    const script = 'case " $* " in *" --follow "*) "$@" | true ;; *) exec "$@" ;; esac';
    const factory = await aQuietOne({ through: () => ['/bin/bash', '-o', 'pipefail', '-c', script, 'bash'] });
    for (const words of [[], ['--json', '--task', 'DOC-002']])
      expect(await factory.andon('logs', '--follow', ...words)).toMatchObject({ code: 0, stdout: '' });
  });

  test('says what it waits for where the task is not known', async () => {
    const factory = await aQuietOne();
    const logs = factory.start(['logs', '--follow', '--task', 'DOC-002']);
    await eventually(() => logs.output() !== '', 'it says so');
    logs.child.kill('SIGINT');
    expect(await logs.ended).toMatchObject({
      code: 0,
      stdout: '',
      stderr:
        'andon: Waits for task DOC-002, which is not known here yet (known tasks: DOC-001). Press Ctrl-C to end.\n',
    });
  });

  test('says so too where there is no journal yet', async () => {
    const factory = await aFactory({ apart: true });
    const logs = factory.start(['logs', '--follow', '--task', 'DOC-002', '--json']);
    await eventually(() => logs.output() !== '', 'it says so');
    logs.child.kill('SIGINT');
    expect((await logs.ended).stderr).toBe(
      'andon: Waits for task DOC-002, which is not known here yet. Press Ctrl-C to end.\n',
    );
  });

  test.each([
    ['the journal', (factory: Factory) => journalOf(factory)],
    ['the folder it lies in', (factory: Factory) => stateOf(factory)],
  ])('ends in words when somebody moves %s away', async (_, what) => {
    const factory = await aQuietOne();
    const logs = factory.start(['logs', '--follow']);
    await eventually(() => logs.output().includes('merged into main'), 'it tells what happened');
    const place = what(factory);
    renameSync(place, `${place}.away`);
    const { code, stderr } = await logs.ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^andon: the journal \S+ was moved, removed or replaced while it was followed\n {7}run the command again.*\n$/,
    );
  });

  test('ends in words where the journal is damaged, as every other command does that reads it', async () => {
    const factory = await aQuietOne();
    const bytes = readFileSync(journalOf(factory));
    writeFileSync(journalOf(factory), bytes.fill(0xff, 4096));
    const said = /^andon: the journal \S+ cannot be read: .*malformed.*\n {7}restore it from a backup.*\n$/;
    for (const words of [
      ['logs'],
      ['logs', '--follow'],
      ['list'],
      ['status'],
      ['show', 'DOC-001'],
      ['cost'],
      ['verify'],
    ])
      expect({ words, ...(await factory.andon(...words)) }).toMatchObject({
        words,
        code: 1,
        stderr: expect.stringMatching(said),
      });
  });
});

test.each([
  ['logs', '--task', ''],
  ['logs', '--follow', '--task='],
  ['rules', 'enforce', '--threshold', ''],
  ['check', '--staged', '--phase='],
])('an option that is given nothing is refused: %s %s', async (...words) => {
  const factory = await aFactory({ apart: true });
  const { code, stdout, stderr } = await factory.andon(...words);
  const [, option = ''] = /(--\w+)=?$/.exec(words.filter((word) => word !== '').at(-1) ?? '') ?? [];
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(new RegExp(`^andon: Empty value: ${option}\\.\n {7}.*andon ${words[0]} --help.*\n$`));
});
