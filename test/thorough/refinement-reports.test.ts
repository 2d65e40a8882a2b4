/** @module-tag thorough */
import { describe, expect, test } from 'vitest';
import { PATH } from '../support/versions.ts';
import { aContract } from '../support/contract.ts';
import { aFactory } from '../support/factory.ts';
import { judges } from '../support/scenario.ts';

describe('a report of the judge', () => {
  test.each([
    ['names another commit', judges('PASS', { commit: '0'.repeat(40) })],
    ['names another task', judges('PASS', { task_id: 'DOC-002' })],
    ['names another contract', judges('PASS', { contract_digest: '0'.repeat(64) })],
    [
      'quotes what does not stand in the tree',
      judges('PASS', { evidence: [{ file: PATH, line: 1, quote: 'All is well and good.' }] }),
    ],
    ['has an unknown verdict', judges('LGTM')],
    ['is missing', { does: ['no-structured-output'], reply: 'PASS' }],
    ['comes from a program that then fails', judges('PASS', {}, { does: [{ exit: 1 }] })],
  ])('that %s does not pass anything', async (_, report) => {
    const factory = await aFactory({ scenario: { judge: [report] } });
    expect((await factory.run(aContract())).status).toBe('erik_consultation');
    expect(factory.breaker()).toBe('unreadable_report');
    expect(factory.merges()).toEqual([]);
  });
});
