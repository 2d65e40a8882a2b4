import { describe, expect, test } from 'vitest';
import { openLiveBoard } from '../../src/line/readers/live-board.ts';
import { REAL_KEY } from '../support/edit-drivers.ts';
import { FINAL } from '../support/scenario.ts';
import { HERE, PATH, WRITES, aLine, callsOf, does, endOf } from './editing-line.ts';

// From the contract to the merge by each real program that edits.

describe.each(HERE)('the real %s in the cage', (program) => {
  test('changes files itself, and the change is merged', async () => {
    const { factory, name, api } = await aLine(program, does([WRITES]));
    expect(await endOf(factory, name), factory.paper('ERIK_HALT.md')).toBe('merged');
    expect(factory.git('show', `main:${PATH}`)).toBe(FINAL.trimEnd());
    expect((await callsOf(factory))[0]).toMatchObject({ agent: program, ok: true });
    expect(new Set(api.asked.map(({ model }) => model))).toEqual(new Set(['m1']));
    expect(api.asked.every(({ headers }) => JSON.stringify(headers).includes(REAL_KEY))).toBe(true);
  });

  test('shows on the board what it does, while it does it', async () => {
    const { factory, name } = await aLine(program, does([WRITES, 'sleep 2']));
    const live = await openLiveBoard({ env: factory.env });
    const lines = new Set<string>();
    live.output.follow(() => live.output.calls().forEach((call) => call.lines.forEach((line) => lines.add(line))));
    expect(await endOf(factory, name), factory.paper('ERIK_HALT.md')).toBe('merged');
    live.close();
    expect(
      [...lines].some((line) => /^runs .*printf/.test(line)),
      [...lines].join('\n'),
    ).toBe(true);
  });
});
