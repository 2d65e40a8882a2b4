import { describe, expect, it } from 'vitest';
import { followProgram } from '../../../src/agents/drivers/follow-program.ts';
import { aDriver } from '../../support/drivers.ts';

const { output } = aDriver('claude');

const line = (event: object): Buffer => Buffer.from(`${JSON.stringify(event)}\n`);
const RETRY = line({ type: 'system', attempt: 1, error: 'overloaded', error_status: 529, subtype: 'api_retry' });
const ASKING = line({ type: 'system', subtype: 'status', status: 'requesting' });
const SAYS = line({ type: 'assistant', message: { id: 'm1', content: [{ type: 'text', text: 'grün' }] } });
const RESULT = line({ type: 'result', subtype: 'success', is_error: false, result: 'done', total_cost_usd: 1 });

/** What each of these chunks is to the stall timer. */
const signs = (...chunks: readonly Buffer[]): readonly string[] => {
  const stream = followProgram(output);
  return chunks.map((chunk) => stream.follow(chunk));
};

describe('life', () => {
  it('is any event but a retry, and a word about asking again', () => {
    expect(signs(SAYS, RESULT, line({ type: 'new_kind' }))).toEqual(Array(3).fill('life'));
    expect(signs(RETRY, ASKING, Buffer.from('\n  \n'), Buffer.from('some text\n'))).toEqual(Array(4).fill('no life'));
    expect(signs(Buffer.concat([RETRY, SAYS]))).toEqual(['life']);
  });

  it.each(Array.from({ length: RETRY.length - 1 }, (_, at) => at + 1))('is no retry that is cut at byte %i', (at) => {
    expect(signs(RETRY.subarray(0, at), RETRY.subarray(at))).toEqual(['no life', 'no life']);
    expect(signs(ASKING.subarray(0, at), ASKING.subarray(at))).not.toContain('life');
  });

  it('is a line wherever it is cut: at the latest when it ends', () => {
    for (let at = 1; at < SAYS.length; at += 1)
      expect(signs(SAYS.subarray(0, at), SAYS.subarray(at)).at(-1), `cut at ${at}`).toBe('life');
  });
});

describe('a stream', () => {
  it('is understood however it is cut, characters included', () => {
    const whole = Buffer.concat([SAYS, RETRY, RESULT]);
    for (const size of [1, 2, 3, 7, 64]) {
      const stream = followProgram(output);
      for (let at = 0; at < whole.length; at += size) stream.follow(whole.subarray(at, at + size));
      expect(stream.story()).toMatchObject({ answer: 'done', unreadable: undefined, plain: '' });
    }
  });

  it('needs no line feed at its end', () => {
    const stream = followProgram(output);
    stream.follow(RESULT.subarray(0, -1));
    expect(stream.story().answer).toBe('done');
  });

  it('is in trouble with the service only until something else happens', () => {
    const stream = followProgram(output);
    stream.follow(Buffer.concat([RETRY, ASKING]));
    expect(stream.story()).toMatchObject({ isInTrouble: true, troubles: ['error_status 529 overloaded'] });
    stream.follow(SAYS);
    expect(stream.story()).toMatchObject({ isInTrouble: false, troubles: [] });
  });

  it('of 100 MB is followed to its result in memory that stays flat', { tags: 'thorough' }, () => {
    const stream = followProgram(output);
    const text = 'x'.repeat(50_000);
    const event = (at: number): Buffer =>
      line({ type: 'assistant', message: { id: `m${at}`, content: [{ type: 'text', text }] } });
    const before = process.memoryUsage().rss;
    for (let at = 0; at < 2000; at += 1) expect(stream.follow(event(at))).toBe('life');
    stream.follow(RESULT);
    expect(stream.story().answer).toBe('done');
    expect((process.memoryUsage().rss - before) / 1024 / 1024).toBeLessThan(100);
  });

  it('without a line feed is given up before it fills the memory', () => {
    const stream = followProgram(output);
    const piece = Buffer.alloc(64 * 1024, 'x');
    let [pieces, sign] = [0, ''];
    while (sign !== 'too much') {
      sign = stream.follow(piece);
      pieces += 1;
    }
    expect(pieces).toBeLessThan(200);
    expect(stream.follow(piece)).toBe('too much');
  });

  it('of other things than events is given up soon', { tags: 'thorough' }, () => {
    const stream = followProgram(output);
    const piece = Buffer.from('y\n'.repeat(32 * 1024));
    let [megabytes, sign] = [0, ''];
    for (; sign !== 'too much' && megabytes < 1000; megabytes += 1 / 16) sign = stream.follow(piece);
    expect(megabytes).toBeLessThan(30);
  });
});
