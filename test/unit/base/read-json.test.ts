import * as fc from '../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import {
  MAX_JSON_BYTES,
  MAX_JSON_DEPTH,
  readJson,
  type JsonDocument,
  type JsonFault,
} from '../../../src/base/read-json.ts';
import { expectEffortBelow } from '../../support/effort.ts';

function accepted(text: string): JsonDocument {
  const read = readJson(text);
  if (!read.ok) throw new Error(`refused: ${JSON.stringify(read.why)}`);
  return read.value;
}

function fault(text: string): JsonFault {
  const read = readJson(text);
  if (read.ok) throw new Error('accepted');
  return read.why;
}

const wide = (count: number): string => `"${'ä'.repeat(count)}"`;
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const hasOddKey = (text: string): boolean => /"(?:__proto__|constructor|prototype)":/.test(text);

describe('reading JSON', () => {
  it('gives the value that JSON.parse gives', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.nat(3), (compact, indent) => {
        fc.pre(!hasOddKey(compact));
        const text = JSON.stringify(JSON.parse(compact), null, indent);
        expect(accepted(text).value).toStrictEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  it('never accepts what JSON.parse refuses, and never calls broken what JSON.parse accepts', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b"',
      '1',
      '-',
      '0',
      '.5',
      'e3',
      'tru',
      'e',
      'null',
      ' ',
      '\n',
      '\\',
      '"',
      '\t',
      '\u0001',
      'x',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        const read = readJson(text);
        if (read.ok) expect(read.value.value).toStrictEqual(JSON.parse(text));
        else if (read.why.kind !== 'duplicate-key') expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
      }),
      { numRuns: 5000 },
    );
  });

  it('tells of every file that was cut off that more may follow', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(2), fc.nat(), (value, indent, cut) => {
        const text = JSON.stringify(value, null, indent);
        fc.pre(!hasOddKey(text));
        expect(fault(text.slice(0, cut % text.length)).kind).toBe('incomplete');
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    '',
    ' \n\t ',
    '\uFEFF',
    '{"task_id": ',
    '[-',
    '[1.',
    '[1e',
    '[1e+',
    '"\\',
    '"\\u00',
    'tru',
    '[{"a":1}',
    '{"a"',
  ])('waits for the rest of %j', (text) =>
    expect(fault(text)).toMatchObject({ kind: 'incomplete', found: 'the end of the file' }),
  );

  it.each([
    ['[1,2', '$', 'a comma or the closing bracket'],
    ['{"a": [{"b": 1}', '$.a', 'a comma or the closing bracket'],
    ['{"a": {"b": 1', '$.a', 'a comma or the closing brace'],
    ['{"a": {"b":', '$.a.b', 'a value'],
    ['{"a": {"b"', '$.a.b', 'a colon after the key'],
  ])('says of %j where it ends, and what is missing there', (text, path, expected) => {
    const why = fault(text);
    expect(why).toMatchObject({ kind: 'incomplete', path });
    expect(why.expected).toContain(expected);
  });

  it.each([
    ["{'a': 1}", 'a key in double quotes'],
    ['{"a": 1,}', 'a key in double quotes'],
    ['[1,]', 'a value'],
    ['{"a": 1 "b": 2}', 'a comma'],
    ['{"a" 1}', 'a colon'],
    ['{"a": NaN}', 'a value'],
    ['{"a": Infinity}', 'a value'],
    ['{"a": 01}', 'a comma'],
    ['{"a": -x}', 'a number'],
    ['{"a": 1e400}', 'a number'],
    ['// note\n{}', 'a value'],
    ['{} {}', 'nothing after the end'],
    ['"a\nb"', 'ends in a double quote'],
    ['"\\x41"', 'the escapes of JSON'],
    ['"\\u12g4"', 'the escapes of JSON'],
    ['{"a": "one\ttwo"}', 'on one line'],
    ['\uFFFD\uFFFD{\0}\0', 'text in UTF-8'],
  ])('refuses %j', (text, expected) => {
    expect(fault(text)).toMatchObject({ kind: 'invalid', expected: expect.stringContaining(expected) });
  });

  it.each([
    ['not json', 'not json'],
    ['{"a": nul}', 'nul}'],
    ['[true, flase]', 'flase]'],
    ['{{{', '{{'],
    ['{[', '['],
  ])('shows the whole word of %j, not what is left of it', (text, found) => {
    const why = fault(text);
    expect(why.found).toBe(found);
    expect(why.expected).toMatch(/^a (?:value|key in double quotes)/);
  });

  it('names path and both lines of a key that stands there twice, also when one is written with escapes', () => {
    const why = fault('{\n "limits": {\n  "max": 1,\n  "m\\u0061x": 2\n }\n}');
    expect(why).toMatchObject({ kind: 'duplicate-key', path: '$.limits.max', line: 4 });
    expect(why.found).toContain('lines 3 and 4');
  });

  it.each(['__proto__', 'constructor', 'prototype'])('refuses the key %s and changes no object', (key) => {
    expect(fault(`{"a": [{"${key}": {"polluted": true}}]}`)).toMatchObject({
      kind: 'reserved-key',
      path: `$.a[0].${key}`,
    });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('reads 64 levels, and refuses the 65th and the 100,000th', () => {
    expect(accepted(nested(MAX_JSON_DEPTH)).lineOf([0, 0, 0])).toBe(1);
    expect(fault(nested(MAX_JSON_DEPTH + 1)).kind).toBe('too-deep');
    expect(fault(nested(100_000)).kind).toBe('too-deep');
  });

  it('counts the size in bytes of UTF-8', () => {
    expect(accepted(wide(MAX_JSON_BYTES / 2 - 1)).lineOf([])).toBe(1);
    expect(fault(wide(MAX_JSON_BYTES / 2)).kind).toBe('too-big');
    expect(fault(`"${'😀'.repeat(MAX_JSON_BYTES / 4)}"`).kind).toBe('too-big');
  });

  it('refuses 100 MB at once', () => {
    const text = ' '.repeat(100_000_000);
    expectEffortBelow(20, () => {
      expect(fault(text).kind).toBe('too-big');
    });
  });

  it('reads 1 MB of anything in linear time', () => {
    const long = `{"${'k'.repeat(500_000)}": [${'0,'.repeat(200_000)}0]}`;
    expectEffortBelow(100, () => {
      accepted(long);
      accepted(`["${'\\u0041'.repeat(170_000)}"]`);
      fault(`[${'1'.repeat(1_000_000)}`);
      fault(`["${'a\\n'.repeat(340_000)}\\x"]`);
      fault(`["${'a'.repeat(1_000_000)}\n"]`);
    });
  });

  it('knows the line of every key and element, with any line ending', () => {
    const text = '\uFEFF{\n  "a": 1,\r\n  "b": [\n    true,\n    {"c":\n 2}\n  ]\n}';
    const document = accepted(text);
    expect(document.value).toStrictEqual({ a: 1, b: [true, { c: 2 }] });
    const lines = [[], ['a'], ['b'], ['b', 0], ['b', 1], ['b', 1, 'c']].map((path) => document.lineOf(path));
    expect(lines).toStrictEqual([1, 2, 3, 4, 5, 5]);
    expect(document.lineOf(['b', 2])).toBeUndefined();
    expect(document.lineOf(['toString'])).toBeUndefined();
  });

  it('shows nothing of a broken file that could steer a terminal', () => {
    expect(fault('{"a": \u001b]0;owned\u0007\u202e}').found).toBe('\\u{1b}]0;owned\\u{7}\\u{202e}}');
  });
});
