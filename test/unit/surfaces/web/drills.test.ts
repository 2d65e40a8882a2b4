import { expect, it } from 'vitest';
import { allDrills } from '../../../../src/drills/all-drills.ts';
import { Drills } from '../../../../src/surfaces/web/drills.ts';

it('tells every drill, runs one at a time and none that is not there, and calls none passed that was interrupted', async () => {
  const drills = new Drills({}, AbortSignal.abort()); // so none begins
  expect(drills.told().drills.map(({ name }) => name)).toEqual(allDrills().map(({ name }) => name));
  await expect(drills.run('../praise')).rejects.toMatchObject({ code: 'no-task' });
  const one = drills.run('praise');
  expect(drills.told().running).toBe('praise');
  await expect(drills.run('scope')).rejects.toMatchObject({ code: 'busy' });
  expect(await one).toMatchObject({ ok: false, said: 'praise failed' });
  await drills.over();
  const { running, drills: told } = drills.told();
  expect([running, told.find(({ name }) => name === 'praise')?.last?.passed]).toEqual([null, false]);
});
