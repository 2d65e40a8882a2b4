import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { aRepository, type Here } from '../integration/project/git/a-repository.ts';
import { chosen } from '../support/seed.ts';

const SRC = join(import.meta.dirname, '../../src');
const REAL_GIT = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
/** The calls by which git changes something; of those that open a file, only the ones that may write it are counted. */
const CALLS = ['openat', 'write', 'rename', 'unlink', 'mkdir', 'link', 'rmdir'];

/** A checkout with edits of every kind, and a commit that changes, adds and deletes other files. */
function aMove() {
  const here = aRepository({
    'changed.txt': 'one\n',
    'deep/down/changed.txt': 'one\n',
    'gone.txt': 'to be deleted\n',
    'mine.txt': 'mine\n',
  });
  const old = here.git('rev-parse', 'HEAD');
  here.write('changed.txt', 'two\n'.repeat(5000));
  here.write('deep/down/changed.txt', 'two\n');
  here.write('new/folder/new.txt', 'new\n');
  here.git('rm', '--quiet', 'gone.txt');
  const to = here.commit('second');
  here.git('reset', '--quiet', '--hard', old);
  here.write('mine.txt', 'edited\n');
  here.write('staged.txt', 'staged\n');
  here.git('add', 'staged.txt');
  here.write('untracked.txt', 'untracked\n');
  return { here, old, to };
}

/** andon lands a commit in a process of its own; with `trace` its git is traced, and both die when git is killed. */
function land(
  here: Here,
  old: string,
  to: string,
  trace?: string,
): { readonly status: number | null; readonly said: string } {
  const folder = dirname(here.root);
  const wrap = join(folder, 'wrap');
  mkdirSync(wrap, { recursive: true });
  const script = `#!/bin/sh
case " $* " in *" merge --ff-only "*)
  if test -f '${wrap}/trace'; then
    strace -qq -o '${wrap}/log' $(cat '${wrap}/trace') ${REAL_GIT} "$@"
    code=$?
    test $code -gt 128 && kill -9 $PPID
    exit $code
  fi;;
esac
exec ${REAL_GIT} "$@"
`;
  writeFileSync(join(wrap, 'git'), script);
  chmodSync(join(wrap, 'git'), 0o755);
  if (trace === undefined) spawnSync('rm', ['-f', join(wrap, 'trace')]);
  else writeFileSync(join(wrap, 'trace'), trace);
  const code = `
    import { findRepository } from '${SRC}/project/git/find-repository.ts';
    import { openRepository } from '${SRC}/project/git/git-repository.ts';
    const facts = await findRepository('${here.root}');
    const repository = await openRepository(facts.value, '${join(folder, 'state')}');
    await repository.repair({ patient: true });
    if ((await repository.resolve('refs/heads/main')) === '${to}') { console.log('"ok":true'); process.exit(0); }
    const landed = await repository.land('refs/heads/main', '${old}', '${to}');
    console.log(JSON.stringify(landed));`;
  mkdirSync(join(folder, 'state'), { recursive: true });
  const ran = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', code],
    {
      encoding: 'utf8',
      env: { ...process.env, HOME: folder, PATH: [wrap, process.env['PATH']].join(delimiter) },
    },
  );
  return { status: ran.status, said: ran.stdout + ran.stderr };
}

const standing = (here: Here) => ({
  head: here.git('rev-parse', 'main'),
  status: here.git('status', '--porcelain', '--untracked-files=all'),
  index: here.git('ls-files', '--stage'),
  mine: ['mine.txt', 'staged.txt', 'untracked.txt'].map((name) => readFileSync(here.path(name), 'utf8')),
  locks: ['index', 'HEAD', 'ORIG_HEAD', 'refs/heads/main'].some((name) => existsSync(here.path(`.git/${name}.lock`))),
});

/** What came of killing git, and andon with it, in the middle of fast-forwarding a checkout. */
export interface Died {
  readonly points: number;
  /** Points that left a checkout between the two commits. */
  readonly torn: number;
  readonly violations: readonly string[];
}

/** Kills git at its calls (of all, at most so many, chosen by the seed), and lets andon start again. */
export function killGit(most = Infinity): Died {
  const undisturbed = aMove();
  const { said } = land(undisturbed.here, undisturbed.old, undisturbed.to, `-e trace=${CALLS.join(',')}`);
  if (!said.includes('true')) throw new Error(`nothing was landed: ${said}`);
  const log = readFileSync(join(dirname(undisturbed.here.root), 'wrap/log'), 'utf8').split('\n');
  const wanted = standing(undisturbed.here);
  if (wanted.head !== undisturbed.to || wanted.locks) throw new Error('it was not landed');
  const all = CALLS.flatMap((call) => {
    const made = log.filter((line) => line.startsWith(`${call}(`));
    return made.flatMap((line, at) =>
      call !== 'openat' || /O_WRONLY|O_RDWR|O_CREAT/.test(line) ? [[call, at + 1] as const] : [],
    );
  });
  const points = chosen(all, most, ([call, hit]) => `${call} ${hit}`);
  const violations: string[] = [];
  let torn = 0;
  for (const [call, hit] of points) {
    const { here, old, to } = aMove();
    const died = land(here, old, to, `-e trace=${call} -e inject=${call}:signal=KILL:when=${hit}`);
    if (died.status !== null) violations.push(`${call} ${hit}: nothing died: ${died.said}`);
    const half = standing(here);
    if (half.head === old && (half.locks || half.status !== standing(aMove().here).status)) torn += 1;
    const again = land(here, old, to);
    const now = standing(here);
    if (!again.said.includes('"ok":true')) violations.push(`${call} ${hit}: refused: ${again.said}`);
    else
      for (const key of Object.keys(wanted) as (keyof typeof wanted)[])
        if (key !== 'head' && String(now[key]) !== String(wanted[key]))
          violations.push(`${call} ${hit}: another ${key}: ${String(now[key])}`);
    if (now.head !== to) violations.push(`${call} ${hit}: main is not where it should be`);
  }
  return { points: points.length, torn, violations };
}
