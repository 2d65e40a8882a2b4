import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { writeStubAgents } from './stub-agents.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A temporary folder with an installed andon, stub agents, and its own home. */
export interface Stage {
  readonly folder: string;
  /** The installed command. */
  readonly andon: string;
  readonly env: Readonly<Record<string, string>>;
  /** The folder in which stub agents note that they were started. */
  readonly marks: string;
  /** The stub `ollama`. */
  readonly ollama: string;
  close(): void;
}

/** Builds andon and sets everything up; `close` removes it. */
export function openStage(): Stage {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'andon-bench-')));
  const close = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    for (const part of ['home', 'config/andon', 'state', 'marks']) mkdirSync(join(folder, part), { recursive: true });
    const agents = writeStubAgents(join(folder, 'agents'));
    const marks = join(folder, 'marks');
    const env = environment(folder);
    const program = (path: string): object => ({ program: path, env: { PATH: env['PATH'], BENCH_MARKS: marks } });
    const config = { cage: 'none', agents: { ollama: program(agents.ollama), claude: program(agents.claude) } };
    writeFileSync(join(folder, 'config/andon/config.yaml'), JSON.stringify(config));
    return { folder, andon: install(folder), env, marks, ollama: agents.ollama, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** What `npm install andon` would leave: the files of the package, freshly built, beside its packages. */
function install(folder: string): string {
  const home = join(folder, 'andon');
  mkdirSync(home);
  execFileSync(process.execPath, [join(ROOT, 'node_modules/rolldown/bin/cli.mjs'), '-c', '--dir', join(home, 'dist')], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (const part of ['bin', 'contracts', 'shipped', 'package.json'])
    cpSync(join(ROOT, part), join(home, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(home, 'node_modules'));
  return join(home, 'bin/andon.mjs');
}

/** Nothing of the user's environment but the way to programs. */
function environment(folder: string): Record<string, string> {
  const programs = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((place) => !/[\\/]node_modules[\\/]\.bin$/.test(place) && !place.includes('node-gyp-bin'));
  return {
    PATH: [dirname(process.execPath), ...programs].join(delimiter),
    HOME: join(folder, 'home'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CACHE_HOME: join(folder, 'cache'),
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    GIT_CONFIG_NOSYSTEM: '1',
  };
}
