import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Factory } from './factory.ts';
import { aScenario, type Call, type Stations } from './scenario.ts';

/** Scripts the agents of a factory with models of other windows than usual. */
export function scriptModels(
  factory: Factory,
  models: Readonly<Record<string, number>>,
  stations: Stations & { readonly others?: readonly Call[] } = {},
): void {
  const scenario = aScenario(stations) as { models: object; ollama: readonly Call[] };
  const windows = Object.entries(models).map(([name, context]) => [name, { context, loaded: true }] as const);
  writeFileSync(
    join(factory.folder, 'agents/scenario.json'),
    JSON.stringify({
      ...scenario,
      models: { ...scenario.models, ...Object.fromEntries(windows) },
      ollama: [...(stations.others ?? []), ...scenario.ollama],
    }),
  );
}
