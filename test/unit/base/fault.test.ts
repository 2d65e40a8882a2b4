import { describe, expect, it } from 'vitest';
import { describeFault } from '../../../src/base/fault.ts';

const fault = (expected: string, example?: string) =>
  describeFault({ path: '$', line: undefined, found: 'x', expected, example, kind: 'invalid' });

describe('a fault in words', () => {
  it('ends with a full stop, and with one only', () => {
    expect(fault('a number')).toBe('found x; expected a number.');
    expect(fault('a number. It is small.')).toBe('found x; expected a number. It is small.');
  });

  it('names its example without a comma behind a full stop', () => {
    expect(fault('a number', '7')).toBe('found x; expected a number, such as 7.');
    expect(fault('a number. It is small.', '7')).toBe('found x; expected a number. It is small. For example: 7.');
  });

  it('cannot steer a terminal', () => {
    expect(fault('a\u001b[2J')).not.toContain('\u001b');
  });
});
