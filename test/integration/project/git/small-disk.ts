import { execFileSync } from 'node:child_process';
import {
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
  openSync,
  closeSync,
} from 'node:fs';
import { join } from 'node:path';
import { findRepository } from '../../../../src/project/git/find-repository.ts';
import { openRepository } from '../../../../src/project/git/git-repository.ts';

/** The program of full-disk.test.ts; it runs where the disk is mounted, in the folder of that disk. */
const folder = process.argv[2] ?? '';
const root = join(folder, 'disk/project');
const path = (name: string): string => join(root, name);
const git = (...args: string[]): string => {
  const who = ['-c', 'user.name=Erik', '-c', 'user.email=erik@localhost'];
  return execFileSync('git', [...who, ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
};
const commit = (): string => {
  git('add', '--all');
  git('commit', '--quiet', '--message', 'a commit');
  return git('rev-parse', 'HEAD');
};
const version = (what: string, times: number): void => {
  for (const name of ['a', 'b', 'c']) writeFileSync(path(`${name}.txt`), `${what}\n`.repeat(times));
};

execFileSync('git', ['init', '--quiet', '--initial-branch=main', root]);
version('old', 30_000);
writeFileSync(path('gone.txt'), 'to be deleted\n'.repeat(20_000));
writeFileSync(path('mine.txt'), 'mine\n');
const old = commit();
version('new', 100_000);
rmSync(path('gone.txt'));
const to = commit();
git('reset', '--quiet', '--hard', old);
writeFileSync(path('mine.txt'), 'mine, edited\n');
writeFileSync(path('staged.txt'), 'staged\n');
git('add', 'staged.txt');
writeFileSync(path('untracked.txt'), 'untracked\n');

/** Everything that is in the checkout and its index, and where the branch stands. */
const standing = (): readonly unknown[] => [
  git('rev-parse', 'main'),
  git('ls-files', '--stage'),
  git('--no-optional-locks', 'status', '--porcelain', '--untracked-files=all'),
  readdirSync(root)
    .toSorted()
    .map((name) => (name === '.git' ? '' : `${name} ${readFileSync(path(name), 'utf8').slice(0, 20)}`)),
  existsSync(path('.git/index.lock')),
];

const facts = await findRepository(root);
if (!facts.ok) throw new Error(facts.why.sentence);
const repository = await openRepository(facts.value, join(folder, 'state'));
const change = await repository.build([], {
  parents: [old],
  message: 'x\n',
  at: '2026-01-16T12:00:00.000Z',
  author: 'andon <a@b>',
});
const before = standing();
const filler = openSync(join(folder, 'disk/filler'), 'a');
for (const size of [65_536, 1024, 1])
  try {
    for (;;) writeSync(filler, Buffer.alloc(size));
  } catch {
    // No more of this size.
  }
closeSync(filler);
truncateSync(join(folder, 'disk/filler'), statSync(join(folder, 'disk/filler')).size - 500_000);
const room = (name: string): void => rmSync(join(folder, 'disk', name), { force: true });

const landed = await repository
  .land('refs/heads/main', old, to)
  .catch((error: unknown) => ({ ok: false, why: { reason: String(error) } }));
const full = standing();
room('more');
room('../is-taken');
room('filler');
// What andon does next about another task must not make it forget this.
await repository.publish([{ ref: 'refs/andon/T-1/1', old: undefined, to: change.commit }]);
await repository.repair({ patient: true });
const afterwards = standing();
const again = await repository.land('refs/heads/main', old, to);
const merged = [
  ...['a', 'b', 'c'].map((name) => readFileSync(path(`${name}.txt`), 'utf8').slice(0, 3)),
  existsSync(path('gone.txt')) ? 'there' : 'gone',
  readFileSync(path('mine.txt'), 'utf8').trim(),
];
process.stdout.write(JSON.stringify({ landed, before, full, room: afterwards, again, merged }));
