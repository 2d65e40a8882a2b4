import { isStoppedByOutput } from '../../wiring/job-control.ts';

/** From now on a background job leaves out what would stop it when it is written to the terminal; the log has it. */
export function skipOutputThatStops(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.isTTY || guarded.has(stream)) continue;
    guarded.add(stream);
    const write = stream.write.bind(stream) as (...args: readonly unknown[]) => boolean;
    stream.write = (...args: readonly unknown[]): boolean => {
      if (!isStoppedByOutput()) return write(...args);
      const done = args.findLast((arg) => typeof arg === 'function') as (() => void) | undefined;
      if (done !== undefined) queueMicrotask(done);
      return true;
    };
  }
}

const guarded = new WeakSet<object>();
