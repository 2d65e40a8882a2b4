/** @module-tag thorough */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';

const mayMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

/** What a checkout on a small disk was found to be after every moment. */
interface Seen {
  readonly landed: { readonly ok: boolean; readonly why?: { readonly reason: string } };
  readonly before: readonly unknown[];
  readonly full: readonly unknown[];
  readonly room: readonly unknown[];
  readonly again: { readonly ok: boolean };
  readonly merged: readonly string[];
}

/** Lands a change in a checkout on a disk of its own that is too small for it; while git puts files back somebody may take every byte it gives back. */
function landOnSmallDisk({ isTaken }: { readonly isTaken: boolean }): Seen {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'small-disk-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const part of ['disk', 'wrap', 'state', 'home']) mkdirSync(join(folder, part));
  if (isTaken) writeFileSync(join(folder, 'is-taken'), '');
  const git = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim();
  const wrapped = join(folder, 'wrap/git');
  writeFileSync(
    wrapped,
    `#!/bin/sh
case " $* " in *" checkout-index "*)
  for name; do :; done
  test -f '${folder}/is-taken' && rm -f "$name" && cat /dev/zero >> ../more 2>/dev/null;;
esac
exec ${git} "$@"
`,
  );
  chmodSync(wrapped, 0o755);
  const mounted = 'mount -t tmpfs -o size=3m none "$0/disk" && cd "$0/disk" && exec "$@"';
  const program = [
    process.execPath,
    '--disable-warning=ExperimentalWarning',
    join(import.meta.dirname, 'small-disk.ts'),
  ];
  const { stdout, stderr } = spawnSync('unshare', ['-rm', 'sh', '-c', mounted, folder, ...program, folder], {
    encoding: 'utf8',
    env: { HOME: join(folder, 'home'), PATH: [join(folder, 'wrap'), process.env['PATH']].join(delimiter) },
  });
  if (!stdout.startsWith('{')) throw new Error(stdout + stderr);
  return JSON.parse(stdout) as Seen;
}

describe.skipIf(!mayMount)('a disk that fills up while your checkout is fast-forwarded', () => {
  test('leaves it as it was before, your own edits too, and the change is landed when there is room', () => {
    const { landed, before, full, again, merged } = landOnSmallDisk({ isTaken: false });
    expect(landed).toMatchObject({ ok: false, why: { reason: expect.stringMatching(/write|space/) as string } });
    expect(full).toEqual(before);
    expect(again.ok).toBe(true);
    expect(merged).toEqual(['new', 'new', 'new', 'gone', 'mine, edited']);
  });

  test('and leaves no room to put it back either: it is put back as soon as there is some, whatever was done meanwhile', () => {
    const { landed, before, full, room, again, merged } = landOnSmallDisk({ isTaken: true });
    expect(landed.ok).toBe(false);
    expect(full).not.toEqual(before);
    expect(room).toEqual(before);
    expect(again.ok).toBe(true);
    expect(merged).toEqual(['new', 'new', 'new', 'gone', 'mine, edited']);
  });
});
