import { describe, expect, it } from 'vitest';
import { findConfigurationRefusal, withProtectedPaths } from '../../../../src/line/git/follow-target.ts';
import type { TaskRecord } from '../../../../src/line/record/task-record.ts';
import type { Services } from '../../../../src/line/services/services.ts';

const GATE = { name: 'test', run: 'npm test', timeoutMinutes: 10 };

/** A task whose change touches these files, and whose contract names these paths. */
const aRecord = (files: readonly string[], allowedPaths: readonly string[] = ['src/'], gates: readonly object[] = []) =>
  ({
    target: 'refs/heads/main',
    base: 'a'.repeat(40),
    grants: { paths: [] },
    contract: { gates, holdout: { gates: [] }, constraints: { allowedPaths, forbiddenPaths: [] } },
    change: { files: files.map((path) => ({ path })) },
  }) as unknown as TaskRecord;

const settings = (changed: Partial<Services['settings']>): Services['settings'] =>
  ({ gates: [], requireGates: false, ...changed }) as Services['settings'];

describe('a task under another configuration than that of its admission', () => {
  it('goes on where the new one says nothing against it', () => {
    const now = settings({ protectedPaths: { more: ['infra/'], less: [] }, requireGates: true, gates: [GATE] });
    expect(findConfigurationRefusal({ settings: now }, aRecord(['src/a.ts']))).toBeUndefined();
    expect(
      findConfigurationRefusal({ settings: settings({ requireGates: true }) }, aRecord([], [], [GATE])),
    ).toBeUndefined();
  });

  it('halts without a gate where one is required now', () => {
    expect(
      findConfigurationRefusal({ settings: settings({ requireGates: true }) }, aRecord(['src/a.ts'])),
    ).toMatchObject({
      event: 'fault',
      reason: expect.stringMatching(/^main \(aaaaaaa\) requires a gate/) as unknown,
    });
  });

  it('halts where its change touches what is protected now, unless its contract names exactly that file', () => {
    const now = settings({ protectedPaths: { more: ['src/keys/'], less: [] } });
    const blocked = findConfigurationRefusal({ settings: now }, aRecord(['src/a.ts', 'src/keys/one.pem']));
    expect(blocked).toMatchObject({
      event: 'merge_blocked',
      reason: expect.stringContaining('src/keys/one.pem') as unknown,
    });
    expect(
      findConfigurationRefusal({ settings: now }, aRecord(['src/keys/one.pem'], ['src/keys/one.pem'])),
    ).toBeUndefined();
  });

  it('answers for the next attempt under the paths that are protected now', () => {
    const now = settings({ protectedPaths: { more: ['src/keys/'], less: [] } });
    expect(withProtectedPaths(aRecord([]), now).contract.constraints.protectedPaths).toEqual(now.protectedPaths);
    expect(withProtectedPaths(aRecord([]), settings({})).contract.constraints).not.toHaveProperty('protectedPaths');
  });
});
