import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../../src/app/cli/commands/index.ts';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';

/** A name that would clear the screen, forge a line and a command of a CI log, reorder and hide text. */
const HOSTILE = 'evil\u001b[2J\r\nandon: FORGED\n::error::FORGED\u202etxt.\u200b\u2066\u00ad\u{e0041}\u0007x';
/** Whatever could move a cursor, reorder or hide; a carriage return as well. */
const UNSAFE =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\u{e0000}-\u{e0fff}]/u;

test('the name of a folder moves no terminal while it is watched', async () => {
  const factory = await aFactory({ repoName: 'Project-\u202e\u001b[31mA' });
  const dog = await factory.watch();
  expect(dog.output()).toContain('Project-\\u{202e}\\u{1b}[31mA (cage');
  expect(dog.output()).not.toMatch(UNSAFE);
  await dog.stop();
});

/** Every command with the hostile name wherever a name may be given; those that are missing take none. */
const CALLS: readonly (readonly string[])[] = [
  [HOSTILE],
  ['status', `--${HOSTILE}`],
  ['status', HOSTILE],
  ['drill', HOSTILE],
  ['new', '--id', HOSTILE, '--allow', HOSTILE, '--require', HOSTILE, '--yes'],
  ['new', '--from', HOSTILE],
  ['create', HOSTILE],
  ['new', '--spec', HOSTILE],
  ['new', '--spec', HOSTILE, '--project', HOSTILE],
  ['draft', HOSTILE],
  ['agents', HOSTILE],
  ['agents', 'show', HOSTILE],
  ['review', '--agents', HOSTILE],
  ['review', '--agents', 'nobody', '--base', HOSTILE],
  ['contract', 'lint', HOSTILE],
  ['contract', 'hash', HOSTILE],
  ['contract', HOSTILE],
  ['watch', HOSTILE],
  ['watch', '--dry-run'],
  ['queue'],
  ['top'],
  ['top', HOSTILE],
  ['web', '--port', HOSTILE],
  ['web', '--bind', HOSTILE],
  ['queue', HOSTILE],
  ['queue', 'withdraw', HOSTILE],
  ['queue', 'move', HOSTILE, '--first'],
  ['queue', 'move', HOSTILE, '--before', HOSTILE],
  ['night', HOSTILE],
  ['night', '--until', HOSTILE],
  ['night', '--usd', HOSTILE],
  ['night', '--dry-run'],
  ['show', HOSTILE],
  ['diff', HOSTILE],
  ['explain', HOSTILE],
  ['report', HOSTILE, '--out', HOSTILE],
  ['cost', HOSTILE],
  ['digest'],
  ['digest', '--all', '--html'],
  ['digest', '--since', HOSTILE],
  ['digest', '--out', HOSTILE],
  ['say', HOSTILE, 'Use UTC'],
  ['comment', HOSTILE, 'src/a.ts:1', 'Use UTC'],
  ['comment', 'GIVEUP-00001', HOSTILE, HOSTILE],
  ['resume', HOSTILE, '--path', '1'],
  ['resume', 'GIVEUP-00001', '--path', HOSTILE],
  ['resume', 'GIVEUP-00001', '--decision', HOSTILE],
  ['resume', 'GIVEUP-00001', '--path', '1', '--halt', HOSTILE],
  ['halt', HOSTILE],
  ['retry', HOSTILE],
  ['undo', HOSTILE],
  ['abandon', HOSTILE],
  ['rules', 'show', HOSTILE],
  ['rules', 'lint', HOSTILE],
  ['rules', 'test', HOSTILE],
  ['rules', 'new', HOSTILE],
  ['rules', HOSTILE],
  ['check', '--file', HOSTILE],
  ['check', '--plan', HOSTILE],
  ['validate', '--plan', HOSTILE],
  ['validate', '--file', HOSTILE],
  ['check', '--diff', HOSTILE],
  ['check', '--contract', HOSTILE],
  ['ci', '--base', HOSTILE],
  ['messages', HOSTILE],
  ['messages', 'stats'],
  ['messages', 'check', HOSTILE],
  ['messages', 'check', 'README.md', '--from', HOSTILE],
  ['messages', 'check', 'README.md', '--task', HOSTILE, '--from', 'judge'],
  ['messages', 'check', 'README.md', '--changed', HOSTILE],
  ['hook', HOSTILE],
  ['enforce', '--file', HOSTILE],
  ['enforce', '--mode', HOSTILE],
  ['completion', HOSTILE],
  ['feedback', HOSTILE, HOSTILE],
  ['mcp', '--http', '--port', HOSTILE],
  ['logs', '--task', HOSTILE],
  ['init', HOSTILE],
  ['start', HOSTILE],
  ['stop', HOSTILE],
  ['start', '--restart', HOSTILE],
  ['start', '--service', HOSTILE],
  ['start', '--service', 'status', HOSTILE],
  ['clean', '--older-than', HOSTILE],
  ['list'],
  ['status'],
];
/** Commands that are given no name and show none. */
const NAMELESS = ['demo', 'doctor', 'pause'];

test('a hostile name cannot move a cursor, hide, or forge a line, whatever command is given it', async () => {
  const factory = await aFactory();
  const { dog } = await factory.run(aContract({ task_id: 'GIVEUP-00001', 'constraints.max_diff_size': 3 }));
  await dog.stop();
  mkdirSync(join(factory.handoff, 'queue'), { recursive: true });
  writeFileSync(join(factory.handoff, 'queue', `${HOSTILE}.json`), '{"schema_version": "9.9"}');
  for (const call of CALLS) {
    const { stdout, stderr } = await factory.andon(...call);
    const said = stdout + stderr;
    const name = `andon ${call.join(' ').replaceAll(HOSTILE, '<name>')}`;
    expect(said, name).not.toBe('');
    expect(said.match(UNSAFE)?.[0].codePointAt(0)?.toString(16), name).toBeUndefined();
    expect(
      said.split('\n').filter((line) => /^\s*(?:andon: FORGED|::)/.test(line)),
      name,
    ).toEqual([]);
  }
});

test('of all commands none is left out of those that are given a hostile name', () => {
  const named = new Set([...CALLS.map(([name]) => name), ...NAMELESS]);
  expect(commands.map(({ usage }) => usage.split(' ')[0]).filter((name) => !named.has(name))).toEqual([]);
});
