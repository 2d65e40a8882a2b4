import * as fc from '../../support/properties.ts';
import { describe, expect, it } from 'vitest';
import { listAnswerObjects, readOnlyObject } from '../../../src/agents/json-objects.ts';
import { expectEffortBelow } from '../../support/effort.ts';

const findJsonObjects = (text: string): readonly unknown[] => listAnswerObjects({ text });
const readAny = (text: string) => readOnlyObject({ text }, 'answer', (data) => ({ success: true, data }));

describe('the JSON objects in an answer', () => {
  it.each([
    ['one among prose', 'Sure: {"a":1}. Done.', [{ a: 1 }]],
    ['two, in order', '{"a":1}\n{"b":2}', [{ a: 1 }, { b: 2 }]],
    ['only the outer one', '{"a":{"b":1}}', [{ a: { b: 1 } }]],
    ['braces in strings', '{"a":"}{\\"}"}', [{ a: '}{"}' }]],
    ['braces that are no JSON', 'if (x) { y } then {"a":1}', [{ a: 1 }]],
    ['after thoughts', '<think>{"a":0}</think>{"a":1}', [{ a: 1 }]],
    ['after the thoughts that ollama prints', 'Thinking...\n{"a":0}\n...done thinking.\n{"a":1}', [{ a: 1 }]],
    ['after the first end of the thought that it begins with', '<think>a</think>{"a":1}</think>', [{ a: 1 }]],
    ['after two thoughts', '<think>a</think>\n<think>{"b":1}</think>{"a":1}', [{ a: 1 }]],
    ['before an end of a thought that is only quoted', '{"a":1} </think>', [{ a: 1 }]],
    ['none with a key twice', '{"a":1,"a":2}', []],
    ['none in an array of numbers', '[1,2]', []],
    ['none that is cut off', '{"a":1', []],
    ['one after an unclosed brace', 'a { b {"a":1}', [{ a: 1 }]],
  ])('%s', (_, text, objects) => {
    expect(findJsonObjects(text)).toEqual(objects);
  });

  it('are found again in any prose', () => {
    const prose = fc.string({ maxLength: 20 }).filter((text) => !/[{}"<]|Thinking/.test(text));
    const values = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 5 });
    fc.assert(
      fc.property(values, prose, (objects, between) => {
        const clean = objects.filter((one) => !/__proto__|constructor|prototype/.test(JSON.stringify(one)));
        const text = between + clean.map((one) => JSON.stringify(one) + between).join('');
        expect(findJsonObjects(text)).toEqual(JSON.parse(JSON.stringify(clean)));
      }),
    );
  });

  it.each([
    ['open braces', '{'.repeat(1_000_000)],
    ['open and closed braces', '{}'.repeat(500_000)],
    ['nested braces', '{'.repeat(500_000) + '}'.repeat(500_000)],
    ['an open string', `{"${'a'.repeat(1_000_000)}`],
    ['quotes', '{"'.repeat(500_000)],
    ['one large object', JSON.stringify({ text: 'x{'.repeat(500_000) })],
  ])('are looked for in a megabyte of %s without waiting', (_, text) => {
    expectEffortBelow(100, () => {
      findJsonObjects(text);
    });
  });
});

describe('the only object of an answer', () => {
  it.each([
    ['in a thought that a template opened', '{"a":1} would be the form.\n</think>\nI do not approve.', 'thought'],
    ['in a thought of ollama', '{"a":1}\n...done thinking.\nNo.', 'thought'],
    ['in a thought without an end', '<think>maybe {"a":1}', 'no end'],
    ['beside a broken one', '{"a":1}\n{"a":2,}', 'beside it'],
    ['beside one with unquoted keys', '{"a":1}\n{a: 2}', 'beside it'],
  ])('is none %s', (_, text, why) => {
    expect(readAny(text)).toEqual({ ok: false, why: expect.stringContaining(why) });
  });

  it.each([
    ['two thoughts', '<think>{"b":1}</think><think>b</think>{"a":1}'],
    ['a thought that a template opened', 'I think.\n</think>\n{"a":1}'],
    ['words about a key of it', 'The change adds "a": 2 to the page.\n{"a":1}'],
    ['a broken object of other keys', '{"b":2,}\n{"a":1}'],
  ])('counts beside %s', (_, text) => {
    expect(readAny(text)).toEqual({ ok: true, value: { a: 1 } });
  });
});
