import { describe, expect, it } from 'vitest';
import { scope } from '../../../../src/line/breakers/scope.ts';
import type { Facts } from '../../../../src/line/record/facts.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import { aRecord, pathsOf } from '../../../support/records.ts';

const refused = (scopeRefusals: number, lastFacts: Facts, tries = 0): TaskRecord => {
  const record = aRecord({ scopeRefusals, lastFacts });
  return { ...record, grants: { ...record.grants, scopeTries: tries } };
};
const OUTSIDE: Facts = { scopeRefused: ['src/main.ts'] };

describe('the scope breaker', () => {
  it.each([
    ['nothing was asked for', refused(0, {}), false],
    ['the first time', refused(1, OUTSIDE), false],
    ['again after the first refusal', refused(2, OUTSIDE), true],
    ['a protected file again', refused(2, { protectedRefused: ['.git/config'] }), true],
    ['again, and one more try was granted', refused(2, OUTSIDE, 1), false],
    ['once more after that', refused(3, OUTSIDE, 1), true],
    ['an earlier insistence, but the last answer was in scope', refused(2, {}), false],
  ])('%s', (_, record, trips) => {
    expect(scope.check(record) !== undefined).toBe(trips);
  });

  it('calls protected what is protected, and outside only what is outside', () => {
    expect(scope.check(refused(2, { protectedRefused: ['.npmrc'] }))?.reason).toBe(
      '2 answers wanted protected control files: .npmrc',
    );
    expect(scope.check(refused(2, { ...OUTSIDE, protectedRefused: ['.npmrc'] }))?.reason).toBe(
      '2 answers wanted paths outside its scope: src/main.ts; protected control files: .npmrc',
    );
  });

  it('names the paths on both ways back', () => {
    const record = refused(2, OUTSIDE);
    const [widen, drop] = pathsOf(scope, record);
    expect(widen.effect).toMatchObject({ to: 'pending_implementer', paths: ['src/main.ts'], scopeTries: 1 });
    expect(drop.effect).toMatchObject({ to: 'pending_implementer', scopeTries: 1 });
    expect(drop.effect.paths).toBeUndefined();
    for (const path of [widen, drop]) expect(path.effect.say).toContain('src/main.ts');
  });

  // Reported: the path is promised ("you may now also change") although it can never be allowed. Drop `.fails` with it.
  it('never widens the scope by a protected path', () => {
    const record = refused(2, { scopeRefused: ['src/main.ts'], protectedRefused: ['.git/config'] });
    const [widen] = pathsOf(scope, record);
    expect(widen.effect.paths).toEqual(['src/main.ts']);
    expect(widen.effect.say).not.toContain('.git/config');
  });
});
