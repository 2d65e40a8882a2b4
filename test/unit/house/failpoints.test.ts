import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FAILPOINTS, readFailpoint } from '../../../src/adapters/failpoints.ts';

const ADAPTERS = join(import.meta.dirname, '../../../src/adapters');
const sources = readdirSync(ADAPTERS, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && name !== 'failpoints.ts')
  .map((name) => ({ name, text: readFileSync(join(ADAPTERS, name), 'utf8') }));
const called = sources.flatMap(({ text }) =>
  [...text.matchAll(/\bfailpoint\('([^']+)'\)/g)].map(([, name = '']) => name),
);

/** What changes a file or a ref; each place that does it stands beside a failpoint, or is named here with the reason. */
const EFFECT =
  /\b(?:writeFileSync|appendFileSync|renameSync|unlinkSync|linkSync|rmSync|copyFileSync|writeSync|fsyncSync)\(/;
const WITHOUT: Readonly<Record<string, string>> = {
  'agents/editing.ts': 'a temporary folder for the socket of one call',
  'agents/ollama-models.ts': 'a command of yours (doctor --fix) writes a model file into a temporary folder',
  'cage/with-overlay.ts': 'a temporary folder of a probe',
  'cage/egress.ts': 'a file in a temporary folder of one command',
  'cage/link-shares.ts': 'links of shared folders in a tree that the next run makes anew',
  'cage/sandbox-runtime.ts': 'a temporary folder of one command',
  'cage/run-shell.ts': 'a temporary folder of one command',
  'safe-fs.ts': 'what it puts down may be lost with the machine; its callers stand beside failpoints of their own',
  'handoff/sweep.ts': 'removes what a crash has left; what it does not come to goes at the next start',
  'processes/edit-text.ts': 'a temporary file for the editor of a person at a terminal',
  'processes/control-group.ts': 'files of the kernel, not of a disk',
  'processes/other-boot.ts': 'drops what the next run lays out anew',
  'trash.ts': 'removes; what it does not come to goes at the next start',
  'repository/changes.ts': 'a private index of a command that only reads',
  'repository/edited-tree.ts': 'drops what the next call lays out anew',
  'repository/filters.ts': 'a private index in a temporary folder',
  'repository/create-repository.ts': 'sample repositories of drills and the demo',
  'repository/repair-checkout.ts': 'stands between the failpoints of half-forward.ts',
  'repository/untrusted-tree.ts': 'cleans a tree that the next call lays out anew',
  'socket-folder.ts': 'a temporary folder for the socket of one call',
  'settings/day-log.ts': 'a log that may lose lines with the machine',
  'settings/moved-state.ts': 'one rename of a folder, before and after which the next command does the rest',
  'settings/old-state.ts': 'removes; what it does not come to goes at the next clean',
  'settings/work-files.ts':
    'results of tests in a tree that the next run makes anew; old runs of gates, which are run again',
};

describe('the failpoints', () => {
  it('are each called at exactly one place, and none is called that is not in the list', () => {
    expect(called.toSorted()).toEqual([...FAILPOINTS].toSorted());
  });

  it('stand in every adapter that changes a file', () => {
    const bare = sources
      .filter(({ text }) => EFFECT.test(text) && !text.includes('failpoint('))
      .map(({ name }) => name);
    expect(bare.toSorted()).toEqual(Object.keys(WITHOUT).toSorted());
  });

  it('are asked for by name, action and hit', () => {
    expect(readFailpoint('journal.append.after-commit')).toMatchObject({ action: 'kill', from: 1, to: 1 });
    expect(readFailpoint('file.replace.before-sync:error=ENOSPC#2-')).toMatchObject({
      action: 'error=ENOSPC',
      from: 2,
      to: Infinity,
    });
    expect(readFailpoint('lock.take.after-owner:kill#3-5')).toMatchObject({ from: 3, to: 5 });
  });

  it.each(['no.such.place', 'journal.append.after-commit:explode', 'journal.append.after-commit:error=ENOENT', ''])(
    'refuse %j, for a test that cuts off nothing proves nothing',
    (text) => {
      expect(() => readFailpoint(text)).toThrow('has an unknown failpoint or action');
    },
  );
});
