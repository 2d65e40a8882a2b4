import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { WrongInput } from './options.ts';
import type { Stage } from './stage.ts';

/** How the generated repositories are made: files, and how long each is. */
const SIZES = {
  small: { files: 50, lines: () => 100 },
  // Most source files are short, and a few are long.
  big: { files: 27_000, lines: (chance: number) => Math.round(8 + 60 * chance + 900 * chance ** 16) },
} as const;

/** Number of files above which the bounds of a big repository hold. */
export const BIG_FROM = 20_000;

/** A repository to work in; every call of `copy` gives another clone with a checkout of its own. */
export interface Source {
  readonly files: number;
  copy(name: string): string;
}

/** The repository that was asked for: generated, or a real one, of which only clones are ever used. */
export async function openSource(stage: Stage, repo: string): Promise<Source> {
  const generated = repo === 'small' || repo === 'big';
  const origin = generated ? await generate(stage, repo) : realRepository(repo);
  return {
    files: git(stage, origin, 'ls-tree', '-r', '--name-only', 'HEAD').split('\n').length,
    copy(name) {
      const folder = join(stage.folder, name);
      // Without hard links nothing that is done in the clone reaches the original, not even a time stamp.
      git(stage, stage.folder, 'clone', '--quiet', ...(generated ? [] : ['--no-hardlinks']), origin, folder);
      for (const [key, value] of SETTINGS) git(stage, folder, 'config', key, value);
      return folder;
    },
  };
}

const SETTINGS = [
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  ['user.name', 'Erik'],
  ['user.email', 'erik@example.org'],
] as const;

/** Runs git as the user would. */
export function git(stage: Stage, folder: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: folder,
    env: stage.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 30,
  })
    .toString()
    .trimEnd();
}

function realRepository(path: string): string {
  const folder = resolve(process.env['ANDON_CWD'] ?? process.cwd(), path);
  if (!existsSync(join(folder, '.git')) && !existsSync(join(folder, 'HEAD')))
    throw new WrongInput(`--repo ${path} is no git repository; expected small, big, or the folder of one`);
  return folder;
}

async function generate(stage: Stage, size: keyof typeof SIZES): Promise<string> {
  const folder = join(stage.folder, `${size}.git`);
  if (existsSync(folder)) return folder;
  git(stage, stage.folder, 'init', '--quiet', '--bare', '--initial-branch=main', folder);
  const importer = spawn('git', ['fast-import', '--quiet', '--done'], {
    cwd: folder,
    env: stage.env,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = new Promise<number | null>((done) => importer.once('close', done));
  for (const piece of stream(SIZES[size])) {
    if (!importer.stdin.write(piece)) await new Promise((drained) => importer.stdin.once('drain', drained));
  }
  importer.stdin.end();
  if ((await ended) !== 0) throw new Error('git fast-import could not make the repository');
  return folder;
}

/** One commit of many files, the same in every run. */
function* stream({ files, lines }: (typeof SIZES)[keyof typeof SIZES]): Generator<string> {
  yield 'feature done\ncommit refs/heads/main\ncommitter Erik <erik@example.org> 1700000000 +0000\ndata 5\nfirst\n';
  let seed = 1;
  const chance = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  for (let number = 0; number < files; number += 1) {
    const rows: string[] = [];
    for (let left = lines(chance()); left > 0; left -= 1)
      rows.push(`export const value${left} = read(${Math.floor(chance() * 1e9)}, 'line ${left} of file ${number}');`);
    const text = `${rows.join('\n')}\n`;
    const path = `packages/part-${number % 150}/src/group-${Math.floor(number / 150) % 12}/file-${number}.js`;
    yield `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
  }
  yield 'done\n';
}
