/** @module-tag thorough */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openLiveBoard } from '../../src/line/readers/live-board.ts';
import { findLastLine } from '../../src/line/board/call-output.ts';
import { eventually, type Factory } from '../support/factory.ts';
import { stateOf } from '../support/places.ts';
import { TALKERS_TASK, aTalker, letAnswer } from '../support/talker.ts';

const TOKEN = 'ghp_aB3dE5gH7jK9mN1pQ3sT5vX7zA9cD1fG3hJ5';
const lent = (factory: Factory): readonly string[] => {
  const folder = join(stateOf(factory), 'live');
  return existsSync(folder) ? readdirSync(folder) : [];
};

/** How long a line took from the agent to a reader, in ms. */
const delayOf = (line: string): number => Date.now() - Number(/looked at (\d+)$/.exec(line)?.[1]);

describe('what an agent writes', () => {
  test('is seen by a board in another process within a second; nothing is left after the call', async () => {
    const factory = await aTalker();
    const dog = await factory.begin(TALKERS_TASK);
    await dog.until(() => lent(factory).length === 1);
    const live = await openLiveBoard({ env: factory.env });
    const delays = new Map<string, number>();
    const ends = live.output.follow(() => {
      const [row] = live.board().lanes.working;
      const line = row && findLastLine(live.output.calls(), row);
      if (line !== undefined && !delays.has(line)) delays.set(line, delayOf(line));
    });
    await eventually(() => delays.size >= 5, 'it has seen lines');
    expect(Math.min(...delays.values())).toBeLessThan(1000);
    expect(live.output.calls()).toMatchObject([{ station: 'implementer', call: 1 }]);
    letAnswer(factory);
    await eventually(() => factory.isMerged(), 'the task is merged');
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
    await dog.until(() => lent(factory).length === 1);
    const live = await openLiveBoard({ env: factory.env });
    const text = (): string =>
      live.output
        .calls()
        .flatMap(({ lines }) => lines)
        .join('\n');
    await eventually(() => /looked at/.test(text()), 'it is seen');
    const kept = readFileSync(join(stateOf(factory), 'live', lent(factory)[0] ?? ''), 'utf8');
    expect(kept).not.toContain(TOKEN.slice(4, 20));
    expect(kept.length).toBeLessThan(200_000);
    expect(text()).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(text()).toContain('red \\u{202e}evil \ufffd\n***\n');
    expect(text()).not.toContain('xxxx');
    live.close();
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
});
