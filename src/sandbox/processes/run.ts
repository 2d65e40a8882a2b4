import { randomUUID } from 'node:crypto';
import { execa } from 'execa';
import type { Clock } from '../../base/clock.ts';
import { waitAtMost } from '../../base/system/wait-at-most.ts';
import { bind } from './bounds.ts';
import type { Command, Ending, ProcessRegistry } from './command.ts';
import { preferOomKill, type Groups } from './control-group.ts';
import { listDescendants, nameProcess, listProcessesWithVariable } from './descendants.ts';
import type { ProcessName } from './process-name.ts';
import { probeExternal, lookForLife } from './liveness-probe.ts';
import { describeStartFailure } from './describe-start-failure.ts';
import { readProcessStat } from './proc.ts';
import { killLeftovers, terminateProgram, rememberFamily, type Family } from './terminate-program.ts';
import { SILENCE_PROBES, watchSilence } from './watch-silence.ts';

/** Bytes of one stream that are kept and read; a program that prints more is ended. */
const OUTPUT_CAP = 8 * 1024 * 1024;

/** Interval of looking for descendants, so that children in sessions of their own are known. */
const SAMPLE_MS = 1000;

/** Marks the environment of a program and its descendants with its call. */
const CALL = 'ANDON_CALL';

/** Runs programs so that nothing outlives the call: time limits, output caps, and the whole tree killed. */
export function processRunner(clock: Clock, registry: ProcessRegistry, groups?: () => Groups | undefined) {
  return async function run(command: Command): Promise<Ending> {
    const started = performance.now();
    const streams = {
      stdout: createCollector(command.outputCap ?? OUTPUT_CAP),
      stderr: createCollector(command.outputCap ?? OUTPUT_CAP),
    };
    const call = randomUUID();
    let cause: Ending['ended'] | undefined;
    const bound = command.bounds && bind(command.bounds, groups);
    const { program, args } = bound?.start(command) ?? command;
    const subprocess = execa(program, [...args], {
      cwd: command.cwd,
      env: { ...command.env, ...registry.mark, ...(isCaged(command) ? {} : { [CALL]: call }) },
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
    const child = subprocess.nodeChildProcess;
    if (bound === undefined) preferOomKill(child.pid); // never andon; a bound program sets its own order first
    const name = child.pid === undefined ? undefined : nameProcess(child.pid);
    const mark = [CALL, call, readProcessStat(child.pid ?? 0)?.startTime] as const;
    try {
      if (name) registry.began(name, command.program);
    } catch (error) {
      child.kill('SIGKILL'); // every running process is registered
      throw error;
    }

    const family: Family = new Map();
    let passed: string | undefined;
    let finishing: Promise<void> | undefined;
    const finish = (why: Ending['ended']): void => {
      cause ??= why;
      finishing ??= terminateProgram(
        child,
        command.firstSignal ?? 'SIGTERM',
        family,
        why === 'out of bounds' ? 0 : command.graceMs,
      );
    };
    const belongs = (): readonly ProcessName[] => {
      rememberFamily(child.pid, family);
      const members = [...(name ? [name] : []), ...family.values(), ...listProcessesWithVariable(...mark)];
      return [...new Map(members.map((one) => [one.pid, one])).values()];
    };
    const idle = command.idleMs === undefined ? undefined : silence(clock, command, belongs, () => finish('idle'));
    bound?.watch(
      () => {
        rememberFamily(child.pid, family);
        return listDescendants(child.pid ?? 0);
      },
      (why) => {
        passed = why;
        finish('out of bounds');
      },
    );
    const hard = clock.awake(command.hardMs, () => finish('hard'));
    const aborted = (): void => finish('aborted');
    if (command.signal.aborted) aborted();
    command.signal.addEventListener('abort', aborted, { once: true });
    const stopOverflow = (stream: 'stdout' | 'stderr'): void => {
      child[stream]?.destroy(); // nothing more is read; further output gets a SIGPIPE
      finish('too much output');
    };
    const { isLife = () => command.follow === undefined } = command;
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream]?.on('data', (chunk: Buffer) => {
        if (stream === 'stdout' && command.follow) {
          const sign = command.follow(chunk);
          if (sign === 'too much') stopOverflow(stream);
          if (sign === 'life') idle?.touch('output');
          return;
        }
        if (!streams[stream].take(chunk)) stopOverflow(stream);
        if (isLife(chunk.toString('latin1'), stream)) idle?.touch('output');
      });
    }

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
    const sampling = setInterval(() => rememberFamily(child.pid, family), SAMPLE_MS);
    const { code, signal, error } = await Promise.race([exited, result]);
    clearInterval(sampling);
    const endRest = (): void => killLeftovers(child.pid, family, mark);
    await finishing;
    if (finishing !== undefined) endRest(); // a program told to end holds the pipes no longer than that
    await waitAtMost(1000, result);
    await finishing;
    endRest();
    for (const stream of ['stdout', 'stderr'] as const) child[stream]?.destroy();
    idle?.stop();
    hard.stop();
    command.signal.removeEventListener('abort', aborted);
    passed ??= await bound?.end(cause === undefined ? code !== 0 : cause === 'hard');
    if (name) registry.ended(name); // may fail on a bad disk, when nothing of the call is watched any more
    if (passed !== undefined) cause ??= 'out of bounds';
    const stdout = streams.stdout.text();
    const stderr = streams.stderr.text();
    return {
      ended: child.pid === undefined ? 'missing' : (cause ?? 'exited'),
      ...(child.pid === undefined ? { notStarted: describeStartFailure(command, error ?? 'unknown error') } : {}),
      ...(passed === undefined ? {} : { passed }),
      exit: code,
      signal,
      stdout: stdout.text,
      stderr: stderr.text,
      ms: Math.round(performance.now() - started),
      ...(idle === undefined ? {} : { lastSign: idle.last() }),
      utf8: stdout.valid && stderr.valid,
    };
  };
}

export type RunProgram = ReturnType<typeof processRunner>;

function silence(
  clock: Clock,
  { idleMs = 0, cwd, worksIn = cwd, alsoAlive, onlyOutput }: Command,
  processes: () => readonly ProcessName[],
  expired: () => void,
): ReturnType<typeof watchSilence> {
  const everyMs = idleMs / SILENCE_PROBES;
  const also = alsoAlive && probeExternal(alsoAlive, everyMs);
  const look = onlyOutput
    ? () => Promise.resolve(undefined)
    : lookForLife({ processes, folder: worksIn, everyMs, also });
  return watchSilence(clock, idleMs, look, expired);
}

/** Further open descriptors; most programs get none. */
function descriptorsOf({ handed, account }: Command) {
  if (account !== undefined) return [handed ?? ('ignore' as const), 'pipe' as const];
  return handed === undefined ? [] : [handed];
}

/** A program without an environment is a cage, and its children die with it. */
const isCaged = ({ env }: Command): boolean => Object.keys(env).length === 0;

/** The kept output of one stream of a program. */
interface Output {
  readonly text: string;
  /** Whether it was UTF-8; a character cut by the cap does not count. */
  readonly valid: boolean;
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
    text(): Output {
      const bytes = Buffer.concat(chunks);
      try {
        return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), valid: true };
      } catch {
        return { text: bytes.toString('utf8'), valid: size > cap };
      }
    },
  };
}
