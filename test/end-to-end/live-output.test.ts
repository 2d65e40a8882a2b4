/** @module-tag thorough */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLiveBoard } from '../../src/line/readers/live-board.ts';
import { findLastLine } from '../../src/line/board/call-output.ts';
import { aContract } from '../support/contract.ts';
import { aFactory, eventually, type Factory } from '../support/factory.ts';
import { stateOf } from '../support/places.ts';
import { TALKERS_TASK, aTalker, letAnswer } from '../support/talker.ts';

const TOKEN = 'ghp_aB3dE5gH7jK9mN1pQ3sT5vX7zA9cD1fG3hJ5';
const lent = (factory: Factory): readonly string[] => {
  const folder = join(stateOf(factory), 'live');
  return existsSync(folder) ? readdirSync(folder) : [];
};

/** How long the lines took from the agent to a reader, in ms. */
const delaysIn = (text: string): readonly number[] =>
  [...text.matchAll(/looked at (\d+)\b/g)].map(([, at]) => Date.now() - Number(at));

describe('what an agent writes', () => {
  test('is seen by a command and by a board in other processes within a second; nothing is left after the call', async () => {
    const factory = await aTalker();
    const dog = await factory.begin(TALKERS_TASK);
    await dog.until(() => lent(factory).length === 1);
    const show = factory.start(['show', 'DOC-001', '--live']);
    const delays: number[] = [];
    show.child.stdout?.on('data', (text: string) => delays.push(...delaysIn(text)));
    const live = await openLiveBoard({ env: factory.env });
    const seen = new Set<string>();
    const ends = live.output.follow(() => {
      const [row] = live.board().lanes.working;
      const line = row && findLastLine(live.output.calls(), row);
      if (line !== undefined && !seen.has(line)) seen.add(line).add(`${delaysIn(line)[0]}`);
    });
    await eventually(() => delays.length >= 5 && seen.size >= 10, 'both have seen lines');
    expect(Math.min(...delays)).toBeLessThan(1000);
    expect(Math.min(...[...seen].map(Number).filter((ms) => ms >= 0))).toBeLessThan(1000);
    expect(show.output()).toContain('implementer, call 1\n');
    letAnswer(factory);
    await eventually(() => factory.isMerged(), 'the task is merged');
    const ended = await show.ended;
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(/DOC-001 does not work: merged\.\n$/);
    await eventually(() => live.output.calls().length === 0, 'the board has forgotten it');
    expect(lent(factory)).toEqual([]);
    ends();
    live.close();
    await dog.stop();
  });

  test('is plain text without secrets, whatever it is', async () => {
    const hostile = String.raw`printf '\033]0;title\007\033[2Jred \342\200\256evil \377\n%s\n' '${TOKEN}'; head -c 3000000 /dev/zero | tr '\0' 'x'; echo`;
    const factory = await aTalker(hostile);
    const dog = await factory.begin(TALKERS_TASK);
    const show = factory.start(['show', 'DOC-001', '--live']);
    await dog.until(() => lent(factory).length === 1);
    const again = factory.start(['show', 'DOC-001', '--live']);
    await eventually(() => /looked at/.test(again.output()), `it is seen: ${again.output()}`);
    const kept = readFileSync(join(stateOf(factory), 'live', lent(factory)[0] ?? ''), 'utf8');
    expect(kept).not.toContain(TOKEN.slice(4, 20));
    expect(kept.length).toBeLessThan(200_000);
    again.child.kill('SIGINT');
    const { stdout } = await again.ended;
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(stdout).toContain('red \\u{202e}evil \ufffd\n***\n');
    expect(stdout).not.toContain('xxxx');
    show.child.kill('SIGINT');
    await dog.stop();
  });

  test('does not survive a daemon that is killed: the next one removes it', async () => {
    const factory = await aTalker();
    const dog = await factory.begin(TALKERS_TASK);
    await dog.until(() => lent(factory).length === 1);
    expect(lent(factory)).toEqual(['DOC-001.1.json']);
    await dog.kill9();
    const next = await factory.watch();
    expect(lent(factory)).not.toContain('DOC-001.1.json');
    letAnswer(factory);
    await eventually(() => factory.isMerged(), 'the task is merged');
    await next.stop();
    expect(lent(factory)).toEqual([]);
  });

  test('is written as fast with a reader that never reads', async () => {
    const lines = 'i=0; while [ $i -lt 200 ]; do head -c 20000 /dev/zero | tr "\\0" "x"; echo; i=$((i+1)); done';
    const factory = await aTalker(lines);
    const dog = await factory.begin(TALKERS_TASK);
    await dog.until(() => lent(factory).length === 1);
    const show = factory.start(['show', 'DOC-001', '--live']);
    await eventually(() => /looked at/.test(show.output()), 'it reads');
    show.child.kill('SIGSTOP');
    letAnswer(factory);
    await eventually(() => factory.isMerged(), 'the task is merged although its reader stands still');
    expect(lent(factory)).toEqual([]);
    show.child.kill('SIGKILL');
    await dog.stop();
  });
});

test('show --live ends at once for a task that does not work', async () => {
  const factory = await aFactory();
  const { dog } = await factory.run(aContract());
  await dog.stop();
  expect(await factory.andon('show', 'DOC-001', '--live')).toMatchObject({
    code: 0,
    stdout: 'DOC-001 does not work: merged.\n',
  });
});
