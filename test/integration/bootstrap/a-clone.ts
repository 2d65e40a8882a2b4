import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { processesAbout } from '../../support/processes.ts';

/** A run of `scripts/run.mjs`, the leader of a process group of its own, as a terminal's job is. */
export interface Run {
  readonly pid: number;
  readonly output: () => string;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

/** A clone in which nothing is installed, with an executable `npm` that waits for the file `go` in the middle of its work. */
export function aClone() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'andon-clone-')));
  const [clone, bin] = [join(folder, 'andon'), join(folder, 'bin')];
  onTestFinished(() => {
    for (const { pid } of processesAbout(folder)) process.kill(pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  for (const place of [join(clone, 'scripts'), bin]) mkdirSync(place, { recursive: true });
  const scripts = join(import.meta.dirname, '../../../scripts');
  for (const name of readdirSync(scripts).filter((name) => name.endsWith('.mjs')))
    cpSync(join(scripts, name), join(clone, 'scripts', name));
  writeFileSync(join(clone, 'package-lock.json'), '{}');
  writeFileSync(join(bin, 'npm'), NPM, { mode: 0o755 });

  const path = (...further: readonly string[]): string =>
    [...further, bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
  return {
    folder,
    clone,
    path,
    /** Runs `node -p <expression>` through the bootstrap. */
    run(expression = '1', PATH = path()): Run {
      const words = [join(clone, 'scripts/run.mjs'), 'node', '-p', expression];
      const child = spawn(process.execPath, words, { cwd: clone, env: { PATH, HOME: folder }, detached: true });
      let text = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (more: string) => (text += more));
      return {
        pid: child.pid ?? 0,
        output: () => text,
        ended: new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal }))),
      };
    },
    goOn: (): void => writeFileSync(join(clone, 'go'), ''),
    has: (name: string): boolean => existsSync(join(clone, name)),
    /** The pids of every npm that was started here, in order. */
    npms: (): readonly number[] =>
      existsSync(join(clone, 'npms'))
        ? [...readFileSync(join(clone, 'npms'), 'utf8').matchAll(/^\d+$/gm)].map(([pid]) => Number(pid)) // made, then written
        : [],
    /** What a first run may not leave behind. */
    leftovers: (): readonly string[] => readdirSync(clone).filter((name) => name.startsWith('node_modules.lock')),
  };
}

/** Like npm: what is there goes first, its own mark is written last. */
const NPM = `#!/bin/sh
rm -rf node_modules; mkdir node_modules
echo $$ >> npms
until test -f go; do sleep 0.02; done
echo '{}' > node_modules/.package-lock.json
`;
