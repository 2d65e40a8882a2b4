import { describe, expect, it } from 'vitest';
import { followTarget } from '../../../../src/line/git/follow-target.ts';
import type { Services } from '../../../../src/line/services/services.ts';
import { failure } from '../../../../src/base/outcome.ts';
import { aChange, aRecord, BASE, COMMIT, TREE, type Changes } from '../../../support/records.ts';

/** The target is at COMMIT, and conflicts with every change. */
const repository = {
  isAncestor: () => Promise.resolve(true),
  filtered: () => Promise.resolve(new Map()),
  mergeTrees: () => Promise.resolve(failure(['a.ts'])),
};
const configuration = { isSame: () => Promise.resolve(true) };
const services = { configuration, repository, digest: () => '' } as unknown as Services;

const entry = (event: 'resume' | 'local_fail') => ({
  to: 'pending_implementer' as const,
  from: 'pending_implementer' as const,
  at: '',
  event,
  reason: '',
});
const CONSENT = { gate: 'tests', run: 'npm test', tree: TREE, way: 'made green' as const };

async function rebased(gates: readonly (typeof CONSENT)[] | undefined, more: Changes): Promise<string | undefined> {
  const effect = { to: 'pending_implementer' as const, ...(gates === undefined ? {} : { gates: [...gates] }) };
  const lastChoice = { path: 2 as const, by: 'erik', how: 'cli', effect };
  const record = aRecord({ base: BASE, status: 'pending_implementer', ...more, lastChoice } as unknown as Changes);
  return (await followTarget(services, record, COMMIT))?.event;
}

describe('a task that goes on after a halt about its base', () => {
  it('begins on the moved target', async () => {
    expect(await rebased([], {})).toBe('target_moved');
    expect(await rebased([CONSENT], {})).toBe('target_moved');
    expect(await rebased(undefined, {})).toBeUndefined();
  });

  it('takes its change there directly after the answer to ask again, and at no later round', async () => {
    const change = aChange();
    expect(await rebased([], { change, history: [entry('resume')] })).toBe('merge_blocked');
    expect(await rebased([], { change, history: [entry('resume'), entry('local_fail')] })).toBeUndefined();
    expect(await rebased([CONSENT], { change, history: [entry('resume')] })).toBeUndefined();
  });
});
