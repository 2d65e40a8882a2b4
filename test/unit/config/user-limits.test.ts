import { describe, expect, it } from 'vitest';
import { readLimits } from '../../../src/config/user-limits.ts';

const read = (text: string | undefined) => readLimits({ name: 'config.yaml', text });

describe('hours and ceilings, read again', () => {
  it('are those of the file', () => {
    expect(read('ceilings: {night: {usd: 3}}\nhours: {open: ["22:00-07:00"]}')).toMatchObject({
      ok: true,
      value: { ceilings: { all: { night: { usd: 3 } } }, hours: { open: [{ begins: 22 * 60, ends: 7 * 60 }] } },
    });
  });

  it('are none where the file says nothing of them', () => {
    expect(read('cage: none')).toEqual({
      ok: true,
      value: { hours: { open: [], closed: [] }, ceilings: { call: {}, all: {}, accounts: {} } },
    });
  });

  it.each([
    ['gone', undefined, 'config.yaml is gone'],
    ['empty', '\n', 'config.yaml is empty'],
    ['cut off', 'ceilings: {night: {usd: 3', 'config.yaml: '],
    ['mistyped', 'ceilings: {nigth: {usd: 3}}', 'did you mean night?'],
    ['wrong elsewhere', 'cage: wood', 'config.yaml: '],
  ])('are not believed where the file is %s', (_what, text, why) => {
    const limits = read(text);
    expect(limits.ok ? '' : limits.why.join('\n')).toContain(why);
  });
});
