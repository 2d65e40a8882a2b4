import { expect, test } from 'vitest';
import { modelled, type Schedule } from '../support/merge-model.ts';
import { playBuilt } from '../support/play-built.ts';

const SCHEDULES: readonly (readonly [when: string, schedule: Schedule])[] = [
  [
    'STOP and a kill before the merge, an edit and an older state folder behind it',
    { pinned: ['STOP', 'kill'], moved: ['edit', 'kill', 'restore'] },
  ],
];

test.each(SCHEDULES)(
  'the built program does what the model of merge, halt, record and target does: %s',
  { tags: 'thorough' },
  async (_, schedule) => {
    expect(await playBuilt(schedule)).toEqual(modelled(schedule, 'check'));
  },
);
