import { describe, expect, it } from 'vitest';
import { DEFAULT_CAGE_LIMITS, computeLimits } from '../../../src/sandbox/cage-limits.ts';
import { readSettings } from '../../../src/project/config/read-settings.ts';

const read = (project: string, user = '') =>
  readSettings({ name: 'config.yaml', text: project }, { name: 'user.yaml', text: user }, '/project');

describe('the limits of gates', () => {
  it('are andon’s where nobody says anything, and no more than half of a small machine', () => {
    expect(computeLimits(64_000, {}, {})).toEqual(DEFAULT_CAGE_LIMITS);
    expect(computeLimits(4000, {}, {})).toEqual({ ...DEFAULT_CAGE_LIMITS, memoryMb: 2000, diskMb: 2000 });
  });

  it('are the user’s, who may have more than andon would give, and a repository’s where it wants less', () => {
    const user = { memoryMb: 8000, files: 500_000 };
    expect(computeLimits(4000, user, { memoryMb: 9000, files: 10, openFiles: 64 })).toEqual({
      ...DEFAULT_CAGE_LIMITS,
      memoryMb: 8000,
      diskMb: 2000,
      files: 10,
      openFiles: 64,
    });
  });

  it('are lowered by a repository; that it may not raise them is said', () => {
    const settings = read('cage: { limits: { memory_mb: 99999, files: 7 } }', 'cage: { limits: { memory_mb: 500 } }');
    if (!settings.ok) throw new Error(settings.why.join('\n'));
    const { limits } = settings.value.cage;
    expect(computeLimits(64_000, limits.user, limits.project)).toMatchObject({ memoryMb: 500, files: 7 });
    expect(settings.value.notices).toEqual([
      'config.yaml asks for more than `cage.limits.memory_mb` allows; a repository may only lower it. Raise it in user.yaml.',
    ]);
  });

  it.each(['cage: none', 'cage: { driver: none }', 'cage: { limits: { files: 1 }, driver: none }'])(
    'are all that a repository says of the cage: %s is ignored',
    (text) => {
      const settings = read(text);
      if (!settings.ok) throw new Error(settings.why.join('\n'));
      expect(settings.value.cage).toMatchObject({ driver: 'bubblewrap', limits: { project: {} } });
      expect(settings.value.notices).toEqual([expect.stringContaining('may not decide')]);
    },
  );

  it.each([
    ['cage: { limits: { memory_mb: 0 } }', /cage\.limits\.memory_mb/],
    ['cage: { limits: { disk_mb: 1.5 } }', /cage\.limits\.disk_mb/],
    ['cage: { limits: { memory: 5 } }', /did you mean memory_mb|known are memory_mb/],
  ])('are whole numbers with known names: %s', (user, fault) => {
    const settings = read('', user);
    expect(settings.ok ? [] : settings.why).toEqual([expect.stringMatching(fault)]);
  });
});
