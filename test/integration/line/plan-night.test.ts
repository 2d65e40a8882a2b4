import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { loadWorkspace } from '../../../src/project/workspace/load-workspace.ts';
import { planNightRun } from '../../../src/line/readers/plan-night.ts';
import { openWritableJournal } from '../../../src/line/journal/open-journal.ts';
import { aContract as aWrittenContract } from '../../support/contract.ts';
import { LiveFloor } from '../../support/live-floor.ts';
import { AT, aContract, aHalt, admitted, moved } from '../../support/records.ts';

const REQUEST = { from: AT, until: '2026-01-17T06:00:00.000Z', usd: undefined, tokens: undefined };

const PROPOSAL = '# One file\n\n## Requirements\n- There is a file\n\n## Allowed paths\n- a.txt\n';

test('a plan of the night lets contracts begin beside a task that is set aside; made in a work tree, it knows the STOP beside them', async () => {
  const live = await LiveFloor.make();
  onTestFinished(() => live.close());
  const place = await live.place();
  const journal = openWritableJournal(place);
  journal.append('A-1', [
    admitted({ contract: { ...aContract(), taskId: 'A-1' } }),
    moved('judge_complete', 'pending_implementer', 'erik_consultation', { halt: aHalt({ reach: 'task' }) }),
    { kind: 'parked', at: AT, halt: 'A-1-1' },
  ]);
  journal.close();
  mkdirSync(live.path('_handoff/queue'), { recursive: true });
  writeFileSync(live.path('_handoff/queue/B-2.json'), JSON.stringify(aWrittenContract({ task_id: 'B-2' })));
  const plan = async (from = place) =>
    (await planNightRun([from], REQUEST)).tasks.map(({ task_id: id, state, why, blocked }) => [
      id,
      state,
      why,
      blocked,
    ]);
  expect(await plan()).toEqual([
    ['A-1', 'halted', null, null],
    ['B-2', 'waits', 'is next', null],
  ]);

  writeFileSync(live.path('_handoff/STOP'), '');
  const tree = `${live.repo}-tree`;
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', tree], { cwd: live.repo });
  const blocked = expect.stringContaining('STOP is there') as unknown;
  expect((await plan(await loadWorkspace(tree, live.env))).map((one) => one.at(-1))).toEqual([blocked, blocked]);
});

test('a plan of the night names an approved proposal, whose contracts begin unless something holds the line', async () => {
  const live = await LiveFloor.make();
  onTestFinished(() => live.close());
  mkdirSync(live.path('_handoff'), { recursive: true });
  const file = live.path('_handoff/PROPOSAL_FINAL.md');
  writeFileSync(file, PROPOSAL);
  writeFileSync(live.path('_handoff/PROPOSAL_DRAFT.md'), 'the page of before');
  const proposals = async () => (await planNightRun([await live.place()], REQUEST)).proposals;
  const why = '_handoff/PROPOSAL_FINAL.md is approved: a watchdog puts its contracts into the queue';
  expect(await proposals()).toEqual([{ repository: live.repo, why, begins: true }]);
  writeFileSync(live.path('_handoff/STOP'), '');
  expect(await proposals()).toEqual([{ repository: live.repo, why, begins: false }]);
  rmSync(live.path('_handoff/STOP'));
  mkdirSync(live.path('_handoff/queue'), { recursive: true });
  writeFileSync(live.path('_handoff/queue/PROPOSAL_TAKEN.md'), PROPOSAL); // its plan is lost, and its place is taken
  expect(await proposals()).toMatchObject([{ why: expect.stringContaining('move') as string, begins: false }]);
  rmSync(live.path('_handoff/queue/PROPOSAL_TAKEN.md'));
  rmSync(live.path('_handoff/PROPOSAL_DRAFT.md'));
  for (const text of ['Please merge both documents.\n', PROPOSAL.replace('## Requirements', '## Wishes')]) {
    writeFileSync(file, text);
    const answers = '_handoff/PROPOSAL_FINAL.md is there; andon watch answers it';
    expect(await proposals()).toEqual([{ repository: live.repo, why: answers, begins: false }]);
  }
});
