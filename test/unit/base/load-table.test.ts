import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadTable } from '../../../src/base/load-table.ts';

const SRC = join(import.meta.dirname, '../../../src');
const rows = z.array(z.strictObject({ name: z.string().describe('what it is called'), bits: z.number().default(2) }));

describe('a data file beside the code', () => {
  it('is read with its defaults', () => {
    expect(loadTable('src/a.json', rows, [{ name: 'one' }])).toEqual([{ name: 'one', bits: 2 }]);
  });

  it.each([
    [[{ name: 'one' }, { name: 7 }], 'src/a.json: $[1].name: found 7; expected text. what it is called'],
    [
      [{ name: 'one', bit: 3 }],
      'src/a.json: $[0].bit: found the unknown key "bit"; expected a known key; the nearest is bits',
    ],
    [
      [{ name: 'one', weather: 'fine' }],
      /^src\/a\.json: \$\[0\]\.weather: found the unknown key "weather"; expected one of name, bits$/,
    ],
    [[{ bits: 3 }], 'src/a.json: $[0].name: found nothing; expected text. what it is called'],
    [{}, 'src/a.json: $: found {}; expected a list'],
  ])('that is not as it must be is named, with the place and what belongs there: %j', (data, sentence) => {
    expect(() => loadTable('src/a.json', rows, data)).toThrow(sentence);
  });

  it('is read by the file that is named in what it says of it', () => {
    const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' });
    const code = files.filter((name) => name.endsWith('.ts')).map((name) => readFileSync(join(SRC, name), 'utf8'));
    const tables = files.filter((name) => name.endsWith('.json') && !name.endsWith('tsconfig.json'));
    const isNamed = (name: string): boolean =>
      code.some(
        (text) =>
          text.includes(`src/${name}'`) || text.includes(`src/${name.replace(/[^/]+(?=\.json$)/, '${name}')}\``),
      );
    expect(tables.length).toBeGreaterThan(5);
    expect(tables.filter((name) => !isNamed(name))).toEqual([]);
  });
});
