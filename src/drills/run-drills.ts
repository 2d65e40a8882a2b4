import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explainNoCage } from '../wiring/open-services.ts';
import type { Drill } from './drill.ts';
import { runDrill, type DrillResult } from './run-drill.ts';
import type { DrillGround } from './stage.ts';

/** Runs drills with limited concurrency and reports each result; returns all in list order. */
export async function runDrills(
  drills: readonly Drill[],
  ground: DrillGround,
  { jobs, told }: { readonly jobs: number; readonly told: (result: DrillResult) => void },
): Promise<readonly DrillResult[]> {
  const waiting = [...drills];
  const results = new Map<string, DrillResult>();
  const work = async (): Promise<void> => {
    for (let drill = waiting.shift(); drill !== undefined; drill = waiting.shift()) {
      if (ground.signal.aborted) return;
      const result = await runDrill(drill, ground);
      results.set(drill.name, result);
      told(result);
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  return drills.flatMap(({ name }) => results.get(name) ?? []);
}

/** Why gates of drills cannot run in the sandbox on this machine; undefined when they can. */
export async function explainUncaged(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const scratch = mkdtempSync(join(tmpdir(), 'andon-cage-'));
  try {
    return await explainNoCage(env, scratch);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Drills that run a gate; the others run no command of a project. */
export const hasGate = ({ situations }: Drill): boolean =>
  situations.some(({ config }) => config !== undefined && 'gates' in config);
