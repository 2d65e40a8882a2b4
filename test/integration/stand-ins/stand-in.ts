import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { isAlive } from '../../support/processes.ts';

export const STAND_INS = join(import.meta.dirname, '../../../stand-ins');

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  bytes: Buffer;
}

export interface Running {
  child: ChildProcess;
  stdout: () => string;
  stderr: () => string;
  /** Resolves at the exit of the process, even if somebody else still holds its stdout. */
  exited: Promise<Ended>;
  /** Resolves when stdout is closed too. */
  closed: Promise<Ended>;
}

export interface Options {
  stdin?: string | Buffer;
  /** Leaves stdin open behind the text. */
  open?: boolean;
  env?: Record<string, string>;
}

export interface Services {
  folder: string;
  scenario: string;
  start: (program: string, args: string[], options?: Options) => Running;
  run: (program: string, args: string[], options?: Options) => Promise<Ended>;
  log: () => Record<string, unknown>[];
  grandchildren: () => number[];
  path: (name: string) => string;
}

/** A folder with a scenario in it; everything that a test starts there is gone when the test is. */
export async function aWorld(scenario: object): Promise<Services> {
  const folder = await mkdtemp(join(tmpdir(), 'stand-in-'));
  const path = (name: string): string => join(folder, name);
  const file = path('scenario.json');
  await writeFile(file, JSON.stringify(scenario));
  const children: ChildProcess[] = [];
  const grandchildren = (): number[] => linesOf(`${file}.grandchildren`).map(Number);

  onTestFinished(async () => {
    for (const child of children) child.kill('SIGKILL');
    for (const pid of grandchildren()) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  const start: Services['start'] = (program, args, { stdin = '', open = false, env = {} } = {}) => {
    const child = spawn(program.includes('/') ? program : join(STAND_INS, program), args, {
      cwd: folder,
      env: {
        PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
        ANDON_SCENARIO: file,
        ...env,
      },
    });
    children.push(child);
    const parts: { out: Buffer[]; err: Buffer[] } = { out: [], err: [] };
    child.stdout.on('data', (part: Buffer) => parts.out.push(part));
    child.stderr.on('data', (part: Buffer) => parts.err.push(part));
    child.stdin.on('error', () => {});
    child.stdin.write(stdin);
    if (!open) child.stdin.end();
    const bytes = (): Buffer => Buffer.concat(parts.out);
    const stdout = (): string => bytes().toString();
    const stderr = (): string => Buffer.concat(parts.err).toString();
    const at = async (event: 'exit' | 'close'): Promise<Ended> => {
      const [code, signal] = (await once(child, event)) as [number | null, NodeJS.Signals | null];
      return { code, signal, stdout: stdout(), stderr: stderr(), bytes: bytes() };
    };
    return { child, stdout, stderr, exited: at('exit'), closed: at('close') };
  };

  return {
    folder,
    scenario: file,
    path,
    start,
    run: (program, args, options) => start(program, args, options).closed,
    log: () => linesOf(`${file}.log`).map((line) => JSON.parse(line) as Record<string, unknown>),
    grandchildren,
  };
}

/** Waits until something is so; the test's own timeout ends a wait that never ends. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(10);
}

function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}
