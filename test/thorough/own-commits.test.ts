/** @module-tag thorough */
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { TaskRecord } from '../../src/line/record/task-record.ts';
import { LiveFloor } from '../support/live-floor.ts';

const TASK = 'PLAIN-1';
const choice = { taskId: TASK, haltId: undefined, by: 'erik', how: 'test', path: 1 } as const;

/** A task that somebody stopped after its first attempt, in a project that protects a file of its own. */
async function aHalt(allowed: readonly string[] = ['notes/']): Promise<LiveFloor> {
  const live = await LiveFloor.make([
    { '.andon/config.yaml': `target: main\nhold: {retry_minutes: 0.0005}\nprotected_paths: [notes/house.txt]\n` },
    { 'notes/house.txt': 'The rules of the house.\n', 'notes/tool.sh': '#!/bin/sh\necho a tool\n' },
  ]);
  onTestFinished(() => live.close());
  await live.start();
  live.meanwhile = {
    noted: (entry) => {
      if (entry.kind === 'called' && entry.station === 'local-reviewer') live.write('_handoff/STOP', 'wait\n');
    },
  };
  live.drop(TASK, { constraints: { allowed_paths: allowed } });
  await live.untilEnd();
  live.meanwhile = {};
  rmSync(live.path('_handoff/STOP'));
  return live;
}

/** Commits by hand on the task's branch, in a work tree of the user's own. */
function byHand(live: LiveFloor, edit: (folder: string) => void): void {
  const folder = join(dirname(live.repo), 'by-hand');
  live.git('worktree', 'add', '--quiet', folder, `task/${TASK}`);
  edit(folder);
  live.git('-C', folder, 'add', '--all');
  live.git('-C', folder, 'commit', '--quiet', '--message', 'By hand');
  live.git('worktree', 'remove', '--force', folder);
}

/** git follows another repository at this path, without a file that says so. */
const aSubmodule = (folder: string, live: LiveFloor): string =>
  live.git('-C', folder, 'update-index', '--add', '--cacheinfo', `160000,${live.git('rev-parse', 'HEAD')},notes/sub`);

type Deed = (folder: string, live: LiveFloor) => void;

const CLOSED: readonly (readonly [string, Deed, string])[] = [
  [
    'change only the mode of a protected file',
    (at) => chmodSync(join(at, 'notes/house.txt'), 0o755),
    'change notes/house.txt, outside',
  ],
  [
    'put a link in place of a protected file',
    (at) => {
      rmSync(join(at, 'notes/house.txt'));
      symlinkSync('tool.sh', join(at, 'notes/house.txt'));
    },
    'change notes/house.txt, outside',
  ],
  [
    'link to a protected file',
    (at) => symlinkSync('house.txt', join(at, 'notes/link')),
    'make notes/link a link to house.txt, which is protected',
  ],
  [
    "link to andon's own",
    (at) => symlinkSync('../.andon', join(at, 'notes/link')),
    'a link to ../.andon, which is protected',
  ],
  [
    'link out of the project',
    (at) => symlinkSync('../../secrets', join(at, 'notes/link')),
    'which leads out of the files of the project',
  ],
  [
    'link to a place of the machine',
    (at) => symlinkSync('/etc/passwd', join(at, 'notes/link')),
    'a link to /etc/passwd, which leads out',
  ],
  [
    'add a submodule',
    (at, live) => {
      mkdirSync(join(at, 'notes/sub'));
      writeFileSync(join(at, 'notes/more.txt'), 'Something beside it.\n');
      aSubmodule(at, live);
    },
    'make notes/sub a submodule, which brings another repository',
  ],
];

const noted = (record: TaskRecord | undefined): readonly string[] => record?.lastFacts.weakeningReport?.notes ?? [];

describe('Your own commits on the branch of a task', () => {
  test.each(CLOSED)('that %s are refused, in words, and nothing has moved', async (_, deed, words) => {
    const live = await aHalt();
    byHand(live, (folder) => deed(folder, live));
    const before = live.entries.length;
    await expect(live.resume(choice)).rejects.toThrow(words);
    expect([live.entries.length, live.merges(TASK)]).toEqual([before, []]);
  });

  test('go through where the contract names what they open', async () => {
    const live = await aHalt(['notes/', 'notes/house.txt', 'notes/link']);
    byHand(live, (folder) => {
      chmodSync(join(folder, 'notes/house.txt'), 0o755);
      symlinkSync('house.txt', join(folder, 'notes/link'));
    });
    await live.resume(choice);
    expect((await live.untilEnd()).status).toBe('merged');
    expect(live.git('ls-tree', 'main', 'notes/link')).toContain('120000');
  });

  test('are told to reviewer and judge also where no line of them shows: modes, links, new executables', async () => {
    const live = await aHalt();
    byHand(live, (folder) => {
      chmodSync(join(folder, 'notes/tool.sh'), 0o755);
      writeFileSync(join(folder, 'notes/new.sh'), '#!/bin/sh\necho a new tool\n', { mode: 0o755 });
      symlinkSync('tool.sh', join(folder, 'notes/link'));
    });
    const facts = new Set<string>();
    live.meanwhile = { noted: (_, record) => noted(record).forEach((note) => facts.add(note)) };
    await live.resume(choice);
    expect((await live.untilEnd()).status).toBe('merged');
    expect([...facts].toSorted()).toEqual([
      'notes/link is new, and is a link',
      'notes/new.sh is new, and is executable',
      'notes/tool.sh becomes executable',
    ]);
  });
});
