import { allDrills } from '../../drills/all-drills.ts';
import { formatDifference } from '../../drills/check.ts';
import type { Drill } from '../../drills/drill.ts';
import { hasGate, runDrills, explainUncaged } from '../../drills/run-drills.ts';
import { Problem } from '../../base/problem.ts';
import type { DrillRun, DrillsResponse, ActionOutcome } from './api-types.ts';

/** The drills of the board: one runs at a time, and of each its last run since the board began is known. */
export class Drills {
  readonly #env: NodeJS.ProcessEnv;
  readonly #signal: AbortSignal;
  readonly #last = new Map<string, DrillRun>();
  #running: { readonly name: string; readonly over: Promise<unknown> } | undefined;

  /** The signal interrupts what runs. */
  constructor(env: NodeJS.ProcessEnv, signal: AbortSignal) {
    this.#env = env;
    this.#signal = signal;
  }

  told(): DrillsResponse {
    const drills = allDrills().map(({ name, injects, breaker }) => {
      return { name, injects, breaker: breaker ?? null, last: this.#last.get(name) ?? null };
    });
    return { drills, running: this.#running?.name ?? null };
  }

  /** Runs a drill in temporary repositories; throws a Problem if it is unknown or one runs already. */
  async run(name: string): Promise<ActionOutcome> {
    const drill = allDrills().find((one) => one.name === name);
    if (drill === undefined) throw new Problem('no-task', 'there is no such drill', 'andon drill', 1);
    if (this.#running !== undefined)
      throw new Problem('busy', `the drill ${this.#running.name} runs`, 'try again when it is over', 1);
    const work = this.#play(drill);
    this.#running = { name, over: work.catch(() => {}) };
    try {
      const { passed, ms } = await work;
      return passed
        ? { ok: true, said: `${name} passed in ${(ms / 1000).toFixed(1)} s` }
        : { ok: false, code: 'drill-failed', said: `${name} failed`, remedy: `andon drill ${name}` };
    } finally {
      this.#running = undefined;
    }
  }

  /** When nothing runs any more, and nothing of it is left. */
  async over(): Promise<void> {
    await this.#running?.over;
  }

  async #play(drill: Drill): Promise<DrillRun> {
    const caged = hasGate(drill) && (await explainUncaged(this.#env)) === undefined;
    const ground = { env: this.#env, caged, signal: this.#signal };
    const [result] = await runDrills([drill], ground, { jobs: 1, told: () => {} });
    const run = {
      at: new Date().toISOString(),
      passed: result?.passed === true,
      ms: result?.ms ?? 0,
      situations: (result?.situations ?? []).map(({ injected, did, checks }) => {
        return { injected, did, wrong: checks.filter(({ ok }) => !ok).map(formatDifference) };
      }),
    };
    this.#last.set(drill.name, run);
    return run;
  }
}
