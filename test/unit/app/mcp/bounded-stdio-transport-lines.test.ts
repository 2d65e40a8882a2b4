import { describe, expect, test } from 'vitest';
import { LineReader } from '../../../../src/app/mcp/bounded-stdio-transport.ts';

/** What is heard of chunks of an input of which a line may have 40 bytes. */
function heard(...chunks: readonly string[]): readonly unknown[] {
  const told: unknown[] = [];
  const lines = new LineReader(40, { line: (text) => told.push(text), tooLong: () => told.push('too long') });
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
    expect(heard(`${LONG}${LONG}`, LONG, '\nnext\n')).toEqual(['too long', 'next']);
  });
});
