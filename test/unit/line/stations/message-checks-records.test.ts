import { describe, expect, it } from 'vitest';
import { reviewRecordsOf } from '../../../../src/line/stations/message-checks.ts';
import { aGate, aRecord } from '../../../support/records.ts';

const gate = (name: string, changes: Parameters<typeof aGate>[0] = {}) =>
  aGate({ name, run: `npm run ${name}`, ...changes });

describe('what the record shows of a change', () => {
  it('is every gate that ran, but for one that a human let be compared test by test', () => {
    const results = [
      gate('lint'),
      gate('build', { outcome: 'red', exit: 1 }),
      gate('test', { outcome: 'red', base: 'red', exit: 1, consent: 'test by test' }),
    ];
    const { runs } = reviewRecordsOf(aRecord({ gates: { tree: 't', cage: 'none', results } }));
    expect(runs.map(({ command, isGreen }) => [command, isGreen])).toEqual([
      ['lint (npm run lint)', true],
      ['build (npm run build)', false],
    ]);
  });
});
