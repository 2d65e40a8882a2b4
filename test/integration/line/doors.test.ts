import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readLine } from '../../../src/line/readers/read-line.ts';
import { readJournal } from '../../../src/line/journal/open-journal.ts';
import { describeTrouble } from '../../../src/line/words/describe-line.ts';
import { LiveFloor } from '../../support/live-floor.ts';

const TASK = 'PLAIN-1';

async function aFloor(): Promise<{ readonly live: LiveFloor; readonly outside: string }> {
  const live = await LiveFloor.make();
  onTestFinished(() => live.close());
  const outside = join(dirname(live.repo), 'outside');
  mkdirSync(join(outside, 'queue'), { recursive: true });
  mkdirSync(join(outside, TASK));
  writeFileSync(join(outside, TASK, 'TASK_CONTRACT.json'), 'mine\n');
  mkdirSync(live.path('_handoff'));
  return { live, outside };
}

/** What `andon status` says. */
async function status(live: LiveFloor): Promise<string> {
  const place = await live.place();
  const journal = readJournal(place);
  try {
    return describeTrouble(await readLine(place, journal))
      .map(({ text }) => text)
      .join('\n');
  } finally {
    journal?.close();
  }
}

const everything = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();

type Trap = readonly [string, (live: LiveFloor, outside: string) => void, string];

const TRAPS: readonly Trap[] = [
  [
    '_handoff is a link',
    (live, outside) => {
      rmSync(live.path('_handoff'), { recursive: true });
      symlinkSync(outside, live.path('_handoff'));
    },
    '/_handoff is a symbolic link, not a folder',
  ],
  [
    'its archive is a link',
    (live, outside) => symlinkSync(outside, live.path('_handoff/archive')),
    '/_handoff/archive is a symbolic link, not a folder',
  ],
  [
    'its queue is a link',
    (live, outside) => symlinkSync(outside, live.path('_handoff/queue')),
    '/_handoff/queue is a symbolic link, not a folder',
  ],
  [
    'its log for scripts is a FIFO',
    (live) => execFileSync('mkfifo', [live.path('_handoff/transition.ndjson')]),
    '/_handoff/transition.ndjson is a FIFO, not a plain file',
  ],
  [
    'its log for scripts is a link',
    (live, outside) => symlinkSync(join(outside, 'log'), live.path('_handoff/transition.ndjson')),
    '/_handoff/transition.ndjson is a symbolic link, not a plain file',
  ],
];

describe("Where something else stands in andon's own folder", () => {
  test('watching and status say so at once, and nothing is written elsewhere', async () => {
    const { live, outside } = await aFloor();
    for (const [what, set, words] of TRAPS) {
      set(live, outside);
      const before = everything(outside);
      const said = await status(live);
      expect(said, what).toContain(words);
      expect(said, what).not.toContain('a contract waits');
      await expect(live.start(), what).rejects.toThrow(words);
      expect(everything(outside), what).toEqual(before);
      rmSync(live.path('_handoff'), { recursive: true });
      mkdirSync(live.path('_handoff'));
    }
  });

  test(
    '(put there while a task runs) the line stops with these words, and goes on when it is gone',
    { tags: 'thorough' },
    async () => {
      const { live, outside } = await aFloor();
      await live.start();
      live.meanwhile = {
        noted: (entry) => {
          if (entry.kind === 'called') symlinkSync(outside, live.path('_handoff/archive'));
          live.meanwhile = entry.kind === 'called' ? {} : live.meanwhile;
        },
      };
      live.drop(TASK);
      const before = everything(outside);
      await expect(live.until(() => false)).rejects.toThrow('/_handoff/archive is a symbolic link, not a folder');
      expect(everything(outside)).toEqual(before);
      live.kill();
      rmSync(live.path('_handoff/archive'));
      await live.start();
      expect(await live.until(({ status, halt }) => status === 'merged' || halt !== undefined)).toMatchObject({
        status: 'merged',
      });
      expect(everything(outside)).toEqual(before);
    },
  );

  test(
    "a task's own folder in the archive that is a link halts the task, which goes on when it is gone",
    { tags: 'thorough' },
    async () => {
      const { live, outside } = await aFloor();
      mkdirSync(live.path('_handoff/archive'));
      symlinkSync(join(outside, TASK), live.path(`_handoff/archive/${TASK}`));
      const before = everything(outside);
      await live.start();
      live.drop(TASK);
      const { halt } = await live.untilEnd();
      expect(halt?.trip.reason).toContain(`/_handoff/archive/${TASK} is a symbolic link, not a folder`);
      rmSync(live.path(`_handoff/archive/${TASK}`));
      await live.resume({ taskId: TASK, haltId: undefined, by: 'erik', how: 'test', path: 1 });
      expect(await live.until((record) => record.status === 'merged')).toMatchObject({ status: 'merged' });
      expect(everything(outside)).toEqual(before);
    },
  );
});

describe('What the configuration of a project says', () => {
  test.each([
    ['.andon/config.yaml', 'is a symbolic link'],
    ['.andon', 'is a symbolic link, not a folder'],
  ])('(%s) is not read through a link, wherever it leads', async (name, words) => {
    const { live } = await aFloor();
    const kept = join(dirname(live.repo), 'kept');
    renameSync(live.path(name), kept);
    symlinkSync(kept, live.path(name));
    expect((await live.place()).faults?.join()).toContain(words);
  });

  test('is no FIFO that everybody waits for', async () => {
    const { live } = await aFloor();
    rmSync(live.path('.andon/config.yaml'));
    execFileSync('mkfifo', [live.path('.andon/config.yaml')]);
    expect((await live.place()).faults?.join()).toContain('is not a plain file');
  });
});

describe('The state of a repository', () => {
  test.each(['daemon.json', 'boot', 'rule-runs.json', 'forward.json'])(
    '(%s) is read without waiting where somebody made it a FIFO',
    { tags: 'thorough' },
    async (name) => {
      const { live } = await aFloor();
      const { state } = await live.place();
      execFileSync('mkfifo', [join(state, name)]);
      expect(await status(live)).toBe('');
    },
  );

  test.each(['journal.sqlite', 'vault.git', 'requests', 'calls'])(
    '(%s) is kept in place: a link there is refused, and what it leads to is left alone',
    async (name) => {
      const { live, outside } = await aFloor();
      const { state } = await live.place();
      const before = everything(outside);
      rmSync(join(state, name), { recursive: true, force: true });
      symlinkSync(join(outside, name === 'journal.sqlite' ? 'new' : 'queue'), join(state, name));
      await expect(live.start()).rejects.toThrow(`/${name} is a symbolic link`);
      expect(everything(outside)).toEqual(before);
    },
  );
});
