import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aClone } from './a-clone.ts';

/** Makes this Node look like an old system one to whatever it loads first, and to nothing that is started by it. */
const OLD = `
Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });
process.execve = undefined;
delete process.env.NODE_OPTIONS;
`;

/** A program that says who it and its parents are, and ends in order when it is asked to. */
const PROGRAM = `
process.on('SIGINT', () => { console.log('ends in order'); process.exit(7); });
console.log('program ' + process.pid + ' ' + process.ppid);
setInterval(() => {}, 1000);
`;

function launch(isOld: boolean) {
  const clone = aClone();
  const root = clone.clone;
  for (const folder of ['bin', 'src', 'tools/runtime']) mkdirSync(join(root, folder), { recursive: true });
  cpSync(join(import.meta.dirname, '../../../bin/andon.mjs'), join(root, 'bin/andon.mjs'));
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  writeFileSync(join(root, 'tools/runtime/package-lock.json'), '{}');
  writeFileSync(join(root, 'src/main.ts'), PROGRAM);
  writeFileSync(join(clone.folder, 'old.mjs'), OLD);
  clone.goOn();
  writeFileSync(join(root, 'tools/runtime/go'), '');
  const env = {
    PATH: clone.path(),
    HOME: clone.folder,
    ...(isOld ? { NODE_OPTIONS: `--import=${join(clone.folder, 'old.mjs')}` } : {}),
  };
  const start = (...words: readonly string[]) => {
    const child = spawn(process.execPath, words, { cwd: root, env, detached: true });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (more: string) => (text += more));
    const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
    const runs = new Promise<{ pid: number; parent: number }>((resolve, reject) => {
      child.stdout.on('data', () => {
        const [, pid, parent] = /program (\d+) (\d+)/.exec(text) ?? [];
        if (pid !== undefined) resolve({ pid: Number(pid), parent: Number(parent) });
      });
      void ended.then(() => reject(new Error(`it ended: ${text}`)));
    });
    return { pid: child.pid ?? 0, ended, runs, output: () => text };
  };
  return { root, start };
}

describe('the launcher', () => {
  it.each([
    ['bin/andon.mjs under an old Node', true, ['bin/andon.mjs']],
    ['scripts/run.mjs under an old Node', true, ['scripts/run.mjs', 'node', 'src/main.ts']],
    ['bin/andon.mjs before the packages are there', false, ['bin/andon.mjs']],
    ['scripts/run.mjs', false, ['scripts/run.mjs', 'node', 'src/main.ts']],
  ] as const)(
    '%s is at most one process beside the program, and passes SIGINT on',
    async (_, isOld, [file, ...words]) => {
      const { root, start } = launch(isOld);
      const run = start(join(root, file), ...words);
      const { pid, parent } = await run.runs;
      // The very process that was started, where it can become the program; else its only parent.
      expect(isOld ? parent : pid).toBe(run.pid);
      process.kill(run.pid, 'SIGINT');
      expect([await run.ended, run.output()]).toEqual([7, expect.stringContaining('ends in order')]);
    },
  );

  it('installs a newer Node.js for an installed package too, and no packages', async () => {
    const { root, start } = launch(true);
    for (const name of ['src', 'package-lock.json']) rmSync(join(root, name), { recursive: true });
    mkdirSync(join(root, 'dist'));
    writeFileSync(join(root, 'dist/main.js'), PROGRAM);
    const run = start(join(root, 'bin/andon.mjs'));
    await run.runs;
    process.kill(run.pid, 'SIGINT');
    expect(await run.ended).toBe(7);
    expect(run.output()).toContain('[setup] npm ci in tools/runtime');
    expect(existsSync(join(root, 'node_modules'))).toBe(false);
  });

  it('passes on to the whole group what the terminal sends to the whole group, and ends as the program does', async () => {
    const { root, start } = launch(true);
    const run = start(join(root, 'bin/andon.mjs'));
    await run.runs;
    process.kill(-run.pid, 'SIGINT');
    expect(await run.ended).toBe(7);
  });
});
