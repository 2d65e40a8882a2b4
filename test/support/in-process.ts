import { AsyncLocalStorage } from 'node:async_hooks';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject } from 'vitest';
import type { Shell } from '../../src/surfaces/cli/shell.ts';

/** A command that runs in this process, with streams and signals of its own. */
export interface Inside {
  readonly ended: Promise<number>;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Both, in the order in which they were printed. */
  readonly output: () => string;
  /** Delivers a signal to its listeners. */
  readonly signal: (name: string) => void;
}

interface Cli {
  readonly runCli: (argv: readonly string[], shell: Shell) => Promise<number>;
}

class Streams {
  out = '';
  err = '';
  both = '';
}

const running = new AsyncLocalStorage<Streams>();
let cli: Promise<Cli> | undefined;

/**
 * Runs the command line of the built andon in this process: the same code as the program's, but warm, and without a
 * start of Node.js a command. Where a process is the point (kill -9, a terminal, what is inherited), start the program.
 */
export function runInside(args: readonly string[], { cwd, env }: Pick<Shell, 'cwd' | 'env'>): Inside {
  const own = new Streams();
  const listeners = new Map<string, (() => void)[]>();
  const onSignal: Shell['onSignal'] = (name, listener) => {
    listeners.set(name, [...(listeners.get(name) ?? []), listener]);
  };
  const ended = running.run(own, async () => {
    const { runCli } = await (cli ??= load());
    seeAs(env);
    return runCli(args, { cwd, env, onSignal });
  });
  return {
    ended,
    stdout: () => own.out,
    stderr: () => own.err,
    output: () => own.both,
    signal: (name) => {
      for (const listener of listeners.get(name) ?? []) listener();
    },
  };
}

async function load(): Promise<Cli> {
  divert('stdout', 'out');
  divert('stderr', 'err');
  return (await import(pathToFileURL(join(dirname(inject('andon')), 'cli.js')).href)) as Cli;
}

const SEEN = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'NO_COLOR', 'FORCE_COLOR'];
/** The environment of the worker itself; files that run one after the other in it load this module anew. */
const usual = ((globalThis as { usualEnvironment?: NodeJS.ProcessEnv }).usualEnvironment ??= { ...process.env });

/** git looks for its user's settings in the environment of the process; the tests of a worker run one after the other. */
function seeAs(env: NodeJS.ProcessEnv): void {
  for (const name of SEEN)
    if (env[name] === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = env[name];
}

/** When a test is over: the next one finds what this one found. */
export const seeAsUsual = (): void => seeAs(usual);

/** What a command prints goes to its own streams; everything else to those of the tests. */
function divert(stream: 'stdout' | 'stderr', to: 'out' | 'err'): void {
  const write = process[stream].write.bind(process[stream]) as (...args: unknown[]) => boolean;
  process[stream].write = (text: string | Uint8Array, ...rest: unknown[]): boolean => {
    const own = running.getStore();
    if (own === undefined) return write(text, ...rest);
    const words = typeof text === 'string' ? text : Buffer.from(text).toString('utf8');
    own[to] += words;
    own.both += words;
    const done = rest.find((one) => typeof one === 'function') as (() => void) | undefined;
    if (done !== undefined) queueMicrotask(done);
    return true;
  };
}
