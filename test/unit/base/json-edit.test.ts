import { assert, constantFrom, dictionary, jsonValue, nat, pre, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editJson } from '../../../src/base/json-edit.ts';

const INDENTS = [undefined, 2, 4, '\t'] as const;
const objects = dictionary(
  string().filter((key) => key !== '__proto__'),
  jsonValue(),
);
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('editing JSON as text', () => {
  test.each([
    ['{\n\t"a": 1\n}\n', ['b'], ['x'], '{\n\t"a": 1,\n\t"b": [\n\t\t"x"\n\t]\n}\n'],
    ['{"a":1}', ['b'], 2, '{"a":1,"b": 2}'],
    ['{}\r\n', ['b'], 2, '{\r\n  "b": 2\r\n}\r\n'],
    ['{"a": [1]}', ['a', -1], 2, '{"a": [1,2]}'],
    ['{"a]}": ["\\"}", {"b": null}]}', ['a]}', 1, 'b'], 'new', '{"a]}": ["\\"}", {"b": "new"}]}'],
  ])('keeps the style of %j', (text, path, value, after) => {
    expect(editJson(text, path, value)).toBe(after);
  });

  test('adds one member to any object, and takes it out again', () => {
    assert(
      property(objects, constantFrom(...INDENTS), jsonValue(), (value, indent, added) => {
        pre(!('added' in value));
        const longer = editJson(JSON.stringify(value, null, indent), ['added'], added);
        expect(JSON.parse(longer)).toEqual(plain({ ...value, added }));
        expect(JSON.parse(editJson(longer, ['added'], undefined))).toEqual(plain(value));
      }),
    );
  });

  test('takes out any member, and leaves the others', () => {
    assert(
      property(objects, constantFrom(...INDENTS), nat(), (value, indent, which) => {
        const keys = Object.keys(value);
        pre(keys.length > 0);
        const key = keys[which % keys.length] ?? '';
        const { [key]: _gone, ...rest } = value;
        expect(JSON.parse(editJson(JSON.stringify(value, null, indent), [key], undefined))).toEqual(plain(rest));
      }),
    );
  });
});
