import { serversOf } from './descendants.ts';
import { usageMeter } from './resource-usage.ts';

/** Somebody who may work for a silent program outside of its process tree. */
export interface Beyond {
  /** What shows that it may be at work; it is given the awake time between two questions. */
  readonly says: (everyMs: number) => Promise<string | undefined>;
  /**
   * How it is started on this machine. Where it is seen to run, it must also have worked since the last question; who
   * cannot be seen is believed.
   */
  readonly server?: { readonly program: string; readonly command: string } | undefined;
}

/** Asks whoever works for a program elsewhere, and looks at its CPU time where that can be seen. */
export function lookBeyond({ says, server }: Beyond, everyMs: number): () => Promise<string | undefined> {
  const measure = usageMeter();
  let isFirst = true;
  return async () => {
    const what = await says(everyMs);
    if (what === undefined) return undefined;
    const processes = server === undefined ? [] : serversOf(server.program, server.command);
    if (processes.length === 0) return what;
    const work = measure(processes, everyMs, isFirst);
    isFirst = false;
    return work === undefined ? undefined : `${what}, and ${work} of its server`;
  };
}
