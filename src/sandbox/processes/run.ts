import { randomUUID } from 'node:crypto';
import { execa } from 'execa';
import type { Clock } from '../../base/clock.ts';
import { waitAtMost } from '../../base/system/wait-at-most.ts';
import { enforceBounds, preferOomKill } from './bounds.ts';
import type { Command, Ending, ProcessRegistry } from './command.ts';
import { describeStartFailure } from './describe-start-failure.ts';
import { lookForLife, probeExternal } from './liveness-probe.ts';
import { ProcessTree } from './process-tree.ts';
import { SILENCE_PROBES, watchSilence } from './watch-silence.ts';
import type { Readable } from 'node:stream';

/** Interval of looking for descendants, so that children in sessions of their own are known. */
const SAMPLE_MS = 1000;

/** Marks the environment of a program and its descendants with its call. */
const CALL = 'ANDON_CALL';

/** Runs programs so that nothing outlives the call: time limits, output caps, and the whole tree killed. */
export function processRunner(clock: Clock, registry: ProcessRegistry) {
  return async function run(command: Command): Promise<Ending> {
    if (hasNul(command)) return { ...NOT_STARTED, notStarted: { kind: 'broken', why: NUL } };
    const started = performance.now();
    const call = randomUUID();
    const bound = command.bounds && enforceBounds(command.bounds);
    const mark = { ...registry.mark, ...(isCaged(command) ? {} : { [CALL]: call }) };
    const subprocess = startProgram(command, bound?.start(command) ?? command, mark);
    const child = subprocess.nodeChildProcess;
    if (bound === undefined) preferOomKill(child.pid); // never andon; a bound program sets its own order first
    const tree = new ProcessTree(child, [CALL, call]);
    try {
      if (tree.root) registry.began(tree.root, command.program);
    } catch (error) {
      child.kill('SIGKILL'); // every running process is registered
      throw error;
    }

    let cause: Ending['ended'] | undefined;
    let passed: string | undefined;
    let finishing: Promise<void> | undefined;
    const finish = (why: Ending['ended']): void => {
      cause ??= why;
      finishing ??= tree.terminate(command.firstSignal ?? 'SIGTERM', why === 'out of bounds' ? 0 : command.graceMs);
    };
    const idle = command.idleMs === undefined ? undefined : silence(clock, command, tree, () => finish('idle'));
    bound?.watch(
      () => tree.look(),
      (why) => {
        passed = why;
        finish('out of bounds');
      },
    );
    const hard = clock.awake(command.hardMs, () => finish('hard'));
    const aborted = (): void => finish('aborted');
    if (command.signal.aborted) aborted();
    command.signal.addEventListener('abort', aborted, { once: true });
    const output = readOutput(child, command, {
      overflow: () => finish('too much output'),
      alive: () => idle?.touch('output'),
    });
    if (command.account !== undefined)
      child.stdio[4]?.on('data', (chunk: Buffer) => command.account?.(chunk.toString('latin1')));

    // A grandchild may hold the pipes long after the program ended: then the streams are not waited for.
    const result = subprocess.then((value) => ({
      code: value.exitCode ?? null,
      signal: value.signal ?? null,
      error: value.code,
    }));
    const exited = new Promise<{ code: number | null; signal: string | null; error?: string }>((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
    });
    const sampling = setInterval(() => tree.look(), SAMPLE_MS);
    const { code, signal, error } = await Promise.race([exited, result]);
    clearInterval(sampling);
    await finishing;
    if (finishing !== undefined) tree.killRest(); // a program told to end holds the pipes no longer than that
    await waitAtMost(1000, result);
    await finishing;
    tree.killRest();
    output.close();
    idle?.stop();
    hard.stop();
    command.signal.removeEventListener('abort', aborted);
    passed ??= await bound?.end(cause === undefined ? code !== 0 : cause === 'hard');
    if (tree.root) registry.ended(tree.root); // may fail on a bad disk, when nothing of the call is watched any more
    if (passed !== undefined) cause ??= 'out of bounds';
    return {
      ...(child.pid === undefined
        ? { ended: 'missing', notStarted: describeStartFailure(command, error ?? 'unknown error') }
        : { ended: cause ?? 'exited' }),
      ...(passed === undefined ? {} : { passed }),
      exit: code,
      signal,
      ...output.result(),
      ms: Math.round(performance.now() - started),
      ...(idle === undefined ? {} : { lastSign: idle.last() }),
    };
  };
}

/** No system call takes a NUL, and execa throws at one. */
const hasNul = ({ program, args, cwd, env }: Command): boolean =>
  [program, ...args, cwd, ...Object.entries(env).flat()].some((text) => text.includes('\0'));
const NUL = 'cannot be started: an argument or a variable of it holds a NUL character';
const NOT_STARTED = { ended: 'missing', exit: null, signal: null, stdout: '', stderr: '', utf8: true, ms: 0 } as const;

export type RunProgram = ReturnType<typeof processRunner>;

function startProgram(
  command: Command,
  { program, args }: Pick<Command, 'program' | 'args'>,
  mark: Readonly<Record<string, string>>,
) {
  return execa(program, [...args], {
    cwd: command.cwd,
    env: { ...command.env, ...mark },
    extendEnv: false,
    input: command.input,
    stdio: ['pipe', 'pipe', 'pipe', ...descriptorsOf(command)],
    buffer: false,
    reject: false,
    stripFinalNewline: false,
    encoding: 'buffer',
    killDescendants: true,
    forceKillAfterDelay: false,
    windowsHide: true,
  });
}

function silence(
  clock: Clock,
  { idleMs = 0, cwd, worksIn = cwd, alsoAlive, onlyOutput }: Command,
  tree: ProcessTree,
  expired: () => void,
): ReturnType<typeof watchSilence> {
  const everyMs = idleMs / SILENCE_PROBES;
  const also = alsoAlive && probeExternal(alsoAlive, everyMs);
  const look = onlyOutput
    ? () => Promise.resolve(undefined)
    : lookForLife({ processes: () => tree.members(), folder: worksIn, everyMs, also });
  return watchSilence(clock, idleMs, look, expired);
}

/** Further open descriptors; most programs get none. */
function descriptorsOf({ handed, account }: Command) {
  if (account !== undefined) return [handed ?? ('ignore' as const), 'pipe' as const];
  return handed === undefined ? [] : [handed];
}

/** A program without an environment is a cage, and its children die with it. */
const isCaged = ({ env }: Command): boolean => Object.keys(env).length === 0;

/** Bytes of one stream that are kept and read; a program that prints more is ended. */
const OUTPUT_CAP = 8 * 1024 * 1024;

const STREAMS = ['stdout', 'stderr'] as const;

/** The kept output of one stream of a program. */
interface Output {
  readonly text: string;
  /** Whether it was UTF-8; a character cut by the cap does not count. */
  readonly valid: boolean;
}

/** Reads both streams of a program up to its cap. `overflow` is called when it printed more, `alive` at a sign of life. */
function readOutput(
  streams: Readonly<Record<(typeof STREAMS)[number], Readable | null>>,
  { follow, isLife = () => follow === undefined, outputCap = OUTPUT_CAP }: Command,
  { overflow, alive }: { readonly overflow: () => void; readonly alive: () => void },
) {
  const kept = { stdout: createCollector(outputCap), stderr: createCollector(outputCap) };
  const stop = (stream: (typeof STREAMS)[number]): void => {
    streams[stream]?.destroy(); // nothing more is read; further output gets a SIGPIPE
    overflow();
  };
  for (const stream of STREAMS) {
    streams[stream]?.on('data', (chunk: Buffer) => {
      if (stream === 'stdout' && follow) {
        const sign = follow(chunk);
        if (sign === 'too much') stop(stream);
        if (sign === 'life') alive();
        return;
      }
      if (!kept[stream].take(chunk)) stop(stream);
      if (isLife(chunk.toString('latin1'), stream)) alive();
    });
  }
  return {
    /** Reads no more: a grandchild may hold the pipes open. */
    close(): void {
      for (const stream of STREAMS) streams[stream]?.destroy();
    },
    result(): Pick<Ending, 'stdout' | 'stderr' | 'utf8'> {
      const [stdout, stderr] = [kept.stdout.read(), kept.stderr.read()];
      return { stdout: stdout.text, stderr: stderr.text, utf8: stdout.valid && stderr.valid };
    },
  };
}

/** Keeps the beginning of a stream, up to a cap. */
function createCollector(cap: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    /** False once the cap is passed; later output is dropped. */
    take(chunk: Buffer): boolean {
      if (size < cap) chunks.push(chunk.subarray(0, cap - size));
      size += chunk.length;
      return size <= cap;
    },
    read(): Output {
      const bytes = Buffer.concat(chunks);
      try {
        return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), valid: true };
      } catch {
        return { text: bytes.toString('utf8'), valid: size > cap };
      }
    },
  };
}
