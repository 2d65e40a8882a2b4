import { assert, constantFrom, dictionary, jsonValue, nat, pre, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  getNodeKey,
  findJsonNode,
  parseJsonTree,
  withChild,
  withValue,
  withoutChild,
} from '../../../src/base/json-edit.ts';

const INDENTS = [undefined, 2, 4, '\t'] as const;
const objects = dictionary(
  string().filter((key) => key !== '__proto__'),
  jsonValue(),
);

describe('editing JSON as text', () => {
  test('adds a member behind the others, written as they are', () => {
    expect(withChild('{\n\t"a": 1\n}\n', parseJsonTree('{\n\t"a": 1\n}\n'), ['x'], 'b')).toBe(
      '{\n\t"a": 1,\n\t"b": [\n\t\t"x"\n\t]\n}\n',
    );
    expect(withChild('{"a":1}', parseJsonTree('{"a":1}'), 2, 'b')).toBe('{"a":1,"b":2}');
    expect(withChild('{ "a": 1 }', parseJsonTree('{ "a": 1 }'), 2, 'b')).toBe('{ "a": 1, "b": 2 }');
    expect(withChild('{}\r\n', parseJsonTree('{}\r\n'), 2, 'b')).toBe('{\r\n  "b": 2\r\n}\r\n');
  });

  test('finds what stands deep inside, also behind keys and texts that look like signs', () => {
    const text = '{"a]}": ["\\"}", {"b": {"c": null}}]}';
    const node = findJsonNode(text, ['a]}', 1, 'b', 'c']);
    expect(text.slice(node?.offset, node === undefined ? 0 : node.offset + node.length)).toBe('null');
    expect(node === undefined ? '' : withValue(text, node, 'new')).toBe('{"a]}": ["\\"}", {"b": {"c": "new"}}]}');
    expect(findJsonNode(text, ['a]}', 2])).toBeUndefined();
  });

  test('whatever the file holds and however it is indented: one member more is one member more, and taking it out gives the old text', () => {
    assert(
      property(objects, constantFrom(...INDENTS), jsonValue(), (value, indent, added) => {
        pre(!('added by us' in value) && Object.keys(value).length > 0);
        const text = JSON.stringify(value, null, indent);
        const longer = withChild(text, parseJsonTree(text), added, 'added by us');
        expect(JSON.parse(longer)).toEqual(JSON.parse(JSON.stringify({ ...value, 'added by us': added })));
        const node = parseJsonTree(longer);
        expect(withoutChild(longer, node, (node.children?.length ?? 0) - 1)).toBe(text);
      }),
    );
  });

  test('whatever member is taken out, the others stay as they were', () => {
    assert(
      property(objects, constantFrom(...INDENTS), nat(), (value, indent, which) => {
        const keys = Object.keys(value);
        pre(keys.length > 0);
        const text = JSON.stringify(value, null, indent);
        const key = keys[which % keys.length] ?? '';
        const { [key]: _gone, ...rest } = value;
        const node = parseJsonTree(text);
        const index = (node.children ?? []).findIndex((child) => getNodeKey(child) === key);
        expect(JSON.parse(withoutChild(text, node, index))).toEqual(JSON.parse(JSON.stringify(rest)));
      }),
    );
  });
});
