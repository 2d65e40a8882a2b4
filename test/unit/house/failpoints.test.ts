import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FAILPOINTS, readFailpoint } from '../../../src/base/system/failpoints.ts';

const SRC = join(import.meta.dirname, '../../../src');
/** The folders that change files. */
const FOLDERS = [
  'base/system',
  'sandbox',
  'project/folders',
  'project/git',
  'project/handoff',
  'project/locks',
  'agents',
  'rules/files/audit-log.ts',
  'line/notify',
  'line/journal',
  'line/upkeep',
  'app/web/listener.ts',
];
const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter(
    (name) =>
      name.endsWith('.ts') && FOLDERS.some((folder) => name.startsWith(folder)) && !name.endsWith('/failpoints.ts'),
  )
  .map((name) => ({ name, text: readFileSync(join(SRC, name), 'utf8') }));
const called = sources.flatMap(({ text }) =>
  [...text.matchAll(/\bfailpoint\('([^']+)'\)/g)].map(([, name = '']) => name),
);

/** What changes a file or a ref; each place that does it stands beside a failpoint, or is named here with the reason. */
const EFFECT =
  /\b(?:writeFileSync|appendFileSync|renameSync|unlinkSync|linkSync|rmSync|copyFileSync|writeSync|fsyncSync)\(/;
const WITHOUT: Readonly<Record<string, string>> = {
  'agents/drivers/editing.ts': 'a temporary folder for the socket of one call',
  'agents/drivers/ollama-models.ts': 'a command of yours (doctor --fix) writes a model file into a temporary folder',
  'sandbox/cage/with-overlay.ts': 'a temporary folder of a probe',
  'sandbox/cage/egress.ts': 'a file in a temporary folder of one command',
  'sandbox/cage/link-shares.ts': 'links of shared folders in a tree that the next run makes anew',
  'sandbox/cage/sandbox-runtime.ts': 'a temporary folder of one command',
  'sandbox/cage/run-shell.ts': 'a temporary folder of one command',
  'base/system/safe-fs.ts':
    'what it puts down may be lost with the machine; its callers stand beside failpoints of their own',
  'project/handoff/remove-half-written.ts':
    'removes what a crash has left; what it does not come to goes at the next start',
  'sandbox/processes/edit-text.ts': 'a temporary file for the editor of a person at a terminal',
  'sandbox/processes/bounds.ts': 'a file of the kernel, not of a disk',
  'line/upkeep/leftovers.ts': 'drops what the next run lays out anew',
  'base/system/trash.ts': 'removes; what it does not come to goes at the next start',
  'project/git/changes.ts': 'a private index of a command that only reads',
  'project/git/edited-tree.ts': 'drops what the next call lays out anew',
  'project/git/filters.ts': 'a private index in a temporary folder',
  'project/git/create-repository.ts': 'sample repositories of drills and the demo',
  'project/git/repair-checkout.ts': 'stands between the failpoints of half-forward.ts',
  'project/git/remove-nested-git.ts': 'cleans a tree that the next call lays out anew',
  'base/system/socket-folder.ts': 'a temporary folder for the socket of one call',
  'project/folders/day-log.ts': 'a log that may lose lines with the machine',
  'project/folders/moved-state.ts': 'one rename of a folder, before and after which the next command does the rest',
  'project/folders/old-state.ts': 'removes; what it does not come to goes at the next clean',
  'project/folders/work-files.ts':
    'results of tests in a tree that the next run makes anew; old runs of gates, which are run again',
};

describe('the failpoints', () => {
  it('are looked for in no folder that is gone', () => {
    expect(FOLDERS.filter((folder) => !sources.some(({ name }) => name.startsWith(folder)))).toEqual([]);
  });

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
