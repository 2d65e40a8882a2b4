import * as fc from '../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { forMarkdown } from '../../../src/base/plain-text.ts';
import { confirmLine, readTicks, reasonLine, tickBox } from '../../../src/line/documents/ticks.ts';

const report = (quoted = 'nothing', one = tickBox(1), two = tickBox(2)): string =>
  `---\nhalt: "DOC-001-3"\ntask: "DOC-001"\n---\n\n# The line is stopped\n\n${forMarkdown(quoted, 'text')}\n\n${one}\n\n${two}\n\nend\n`;
const ticked = (path: 1 | 2): string => tickBox(path).replace('[ ]', '[x]');

describe('the boxes of a halt report', () => {
  it('say nothing until one is ticked', () => {
    expect(readTicks(report())).toBeUndefined();
    expect(readTicks('')).toBeUndefined();
  });

  it('name the halt and the path', () => {
    expect(readTicks(report('x', ticked(1)))).toEqual({ halt: 'DOC-001-3', path: 1 });
    expect(readTicks(report('x', tickBox(1), ticked(2).replace('x', 'X')))).toEqual({ halt: 'DOC-001-3', path: 2 });
    expect(readTicks(`\uFEFF${report('x', ticked(1)).replaceAll('\n', '\r\n')}`)).toEqual({
      halt: 'DOC-001-3',
      path: 1,
    });
    expect(readTicks(report('x', ticked(1).replace('-', '*')))).toEqual({ halt: 'DOC-001-3', path: 1 });
  });

  it('do not count both', () => {
    expect(readTicks(report('x', ticked(1), ticked(2)))).toEqual({ unclear: 'both paths are ticked; leave one' });
  });

  it.each([
    ['a box is missing', report('x', ticked(1), '')],
    ['a box is there twice', report('x', ticked(1), ticked(1))],
    ['the head is gone', report('x', ticked(1)).replace('halt: "DOC-001-3"\n', '')],
  ])('do not count when %s', (_, text) => {
    expect(readTicks(text)).toHaveProperty('unclear');
  });

  it.each([
    '- [✓] Take path 1',
    '- [ x ] Take path 1',
    '- [x ] Take path 1',
    '- []x Take path 1',
    '- [yes] Take path 1',
    '- [x]Take path 1',
    '-[x] Take path 1',
    '[x] Take path 1',
    '1. [x] Take path 1',
    '> - [x] Take path 1',
    '     - [x] Take path 1',
    '- [x] take path 1',
    '- [x] **Take path 1**',
    '- [x] Take path 1 (Erik)',
    '- [ ] Take path 1 x',
    '- [ ] Take path 1 <- this one',
    'x [ ] Take path 1',
    '☑ Take path 1',
    '- [x] I take path 1',
    '- [x] Path 1',
    '- [x] 1',
    '[X]',
    '✓',
    '### Path 1: Try again [x]',
    '### [x] Path 1: Try again',
  ])('say that "%s" is an answer nobody can read, wherever it stands', (odd) => {
    const sentence = { unclear: expect.stringContaining(`"${odd.trim()}" is not how a box is ticked`) as string };
    expect(readTicks(report('x', odd))).toEqual(sentence);
    expect(readTicks(report('x', `${tickBox(1)}\n\n${odd}`))).toEqual(sentence);
    expect(readTicks(report('x', `${odd}\n\n${tickBox(1)}`, ticked(2)))).toEqual(sentence);
    expect(readTicks(report(odd))).toBeUndefined();
  });

  it.each(['- [x] asked Bob', '* [ ] Take path 1', 'I will take path 1 tomorrow', '| Take path 1 ✓ | green |'])(
    'leave "%s" alone: it ticks nothing',
    (note) => {
      expect(readTicks(report('x', note))).toBeUndefined();
      expect(readTicks(report('x', `${ticked(1)}\n\n- [x] asked Bob`))).toMatchObject({ path: 1 });
    },
  );

  it('take what is written where a path asks for the task id or a reason', () => {
    const asks = (id: string, why: string): string =>
      `${ticked(2)}\n\n${confirmLine(2)}${id}\n\n${reasonLine(2)}${why}`;
    expect(readTicks(report('x', tickBox(1), asks('', '')))).toMatchObject({ path: 2, confirm: '', reason: '' });
    expect(readTicks(report('x', tickBox(1), asks(' `DOC-001` ', ' It is *fine*. ')))).toMatchObject({
      confirm: 'DOC-001',
      reason: 'It is *fine*.',
    });
    expect(readTicks(report('x', tickBox(1), `${asks('a', 'b')}\n${confirmLine(2)} c`))).toHaveProperty('unclear');
    expect(readTicks(report(`${confirmLine(1)} DOC-001`, ticked(1)))).toMatchObject({ confirm: undefined });
  });

  it('cannot be ticked by anything an agent said', () => {
    const lines = fc.constantFrom(ticked(1), ticked(2), '```', '````', '`````text', '---', 'halt: "X"', 'words', '');
    fc.assert(
      fc.property(fc.array(lines, { maxLength: 12 }), (said) => {
        expect(readTicks(report(said.join('\n')))).toBeUndefined();
        expect(readTicks(report(said.join('\n'), ticked(1)))).toEqual({ halt: 'DOC-001-3', path: 1 });
      }),
    );
  });
});
