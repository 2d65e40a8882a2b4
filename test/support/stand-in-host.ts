import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const HOST = join(import.meta.dirname, 'stand-in-host.mjs');

interface Host {
  readonly child: ChildProcess;
  readonly pipe: string;
}

/** One for each worker; files that run one after the other in it load this module anew. */
const kept = globalThis as { standInHost?: Host | undefined };

/** Lets a process that runs already play the plain answers of a scenario; where there is no /proc, each is a process of its own. */
export function hostFor(scenarioFile: string): void {
  if (process.platform !== 'linux') return;
  const { pipe } = (kept.standInHost ??= start());
  symlinkSync(pipe, `${scenarioFile}.host`);
}

function start(): Host {
  const folder = mkdtempSync(join(tmpdir(), 'stand-in-host-'));
  const pipe = join(folder, 'host');
  execFileSync('mkfifo', [pipe]);
  const child = spawn(process.execPath, [HOST, pipe], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], cwd: '/' });
  child.unref();
  child.channel?.unref();
  child.once('exit', () => {
    rmSync(pipe, { force: true }); // nobody is asked any more
    if (kept.standInHost?.child === child) kept.standInHost = undefined;
  });
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return { child, pipe };
}
