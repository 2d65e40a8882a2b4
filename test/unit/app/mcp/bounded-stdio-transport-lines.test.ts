import { describe, expect, test } from 'vitest';
import { LineReader } from '../../../../src/app/mcp/bounded-stdio-transport.ts';

/** What is heard of chunks of an input of which a line may have 40 bytes. */
function heard(...chunks: readonly string[]): readonly unknown[] {
  const told: unknown[] = [];
  const lines = new LineReader(40, { line: (text) => told.push(text), tooLong: (id) => told.push({ tooLong: id }) });
  for (const chunk of chunks) lines.take(Buffer.from(chunk));
  lines.finish();
  return told;
}

const LONG = 'x'.repeat(50);

describe('an input comes in lines', () => {
  test('however it was cut on its way, the last one also without its end', () => {
    expect(heard('on', 'e\ntwo\n\n \nth', 'ree')).toEqual(['one', 'two', 'three']);
  });

  test('with letters that a cut went through', () => {
    const bytes = Buffer.from('né\n');
    const told: string[] = [];
    const lines = new LineReader(40, { line: (text) => told.push(text), tooLong: () => {} });
    for (const byte of bytes) lines.take(Buffer.from([byte]));
    expect(told).toEqual(['né']);
  });

  test('of which one that is too long is passed over, and the next one heard', () => {
    expect(heard(`${LONG}${LONG}`, LONG, '\nnext\n')).toEqual([{ tooLong: null }, 'next']);
  });
});

describe('of a message that is too long its id is still known', () => {
  test.each([
    ['before the rest', `{"id":7,"params":{"text":"${LONG}"}}`, 7],
    ['behind other short fields', `{"jsonrpc":"2.0","id":7,"params":{"text":"${LONG}"}}`, 7],
    ['behind the rest', `{"params":{"text":"${LONG}"},"id": "q-1" }`, 'q-1'],
    ['beside another id, deeper', `{"params":{"id":9,"text":"${LONG}"},"id":7}`, 7],
    ['beside a text that looks like one', `{"text":"\\",\\"id\\":9,${LONG}","id":7}`, 7],
    ['unless it has none', `{"params":{"id":9,"text":"${LONG}"}}`, null],
    ['unless it is in a batch', `[{"id":9,"text":"${LONG}"}]`, null],
    ['unless it is no id', `{"id":{"a":1},"text":"${LONG}"}`, null],
    ['unless it is too long itself', `{"id":"${LONG.repeat(10)}"}`, null],
    ['unless it is no JSON', `{"id":007,"text":"${LONG}"}`, null],
    ['unless it is part of a text', `{"text":"\\",\\"id\\":9,${LONG}"}`, null],
  ])('%s', (_, message, id) => {
    expect(heard(message)).toEqual([{ tooLong: id }]);
  });
});
