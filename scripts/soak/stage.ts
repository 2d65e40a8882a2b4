import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createRepository } from '../../src/project/git/create-repository.ts';

/** What a full run leaves on the disk, with room to spare. */
const ENOUGH_BYTES = 6_000_000_000;
const IN_MEMORY = '/dev/shm';

/** A temporary folder with a home of its own and the repositories of a run. */
export interface Stage {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly folders: readonly string[];
  close(): void;
}

/** Makes the repositories; every second one has its target checked out, the others have it elsewhere. */
export async function openStage(projects: number, place: string | undefined): Promise<Stage> {
  const folder = realpathSync(mkdtempSync(join(place ?? quickPlace(), 'andon-soak-')));
  const close = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', close);
  for (const part of ['home', 'state', 'config/andon']) mkdirSync(join(folder, part), { recursive: true });
  // Ceilings that nothing reaches: every call is set aside for in dollars too.
  const ceilings = 'ceilings: {call: {usd: 1}, night: {usd: 100000, calls: 1000000}}';
  writeFileSync(join(folder, 'config/andon/config.yaml'), `cage: none\n${ceilings}\n`);
  const folders = Array.from({ length: projects }, (_, at) => join(folder, `project-${at + 1}`));
  for (const [at, repo] of folders.entries()) {
    await createRepository(repo, FILES);
    if (at % 2 === 1) spawnSync('git', ['-C', repo, 'checkout', '--quiet', '-b', 'elsewhere']);
  }
  return { folder, env: environment(folder), folders, close };
}

/** In memory where there is room: then a step's time is andon's own and not the mood of a disk. */
function quickPlace(): string {
  if (!existsSync(IN_MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize >= ENOUGH_BYTES ? IN_MEMORY : tmpdir();
}

const FILES: ReadonlyMap<string, string> = new Map([
  ['README.md', '# A project\n'],
  ['.gitignore', '_handoff/\n'],
  // A hold lasts milliseconds instead of minutes.
  ['.andon/config.yaml', 'target: main\nhold: {retry_minutes: 0.0005}\n'],
  ...Array.from({ length: 20 }, (_, at) => [`src/part-${at}.txt`, `Part ${at}\n`.repeat(20)] as const),
  ...Array.from({ length: 5 }, (_, at) => [`notes/${at}.txt`, 'A note.\n'] as const),
]);

/** Nothing of the user's environment but the way to programs. */
const environment = (folder: string): Record<string, string> => ({
  PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
  HOME: join(folder, 'home'),
  XDG_CONFIG_HOME: join(folder, 'config'),
  XDG_STATE_HOME: join(folder, 'state'),
  LANG: 'C.UTF-8',
  GIT_CONFIG_NOSYSTEM: '1',
});
