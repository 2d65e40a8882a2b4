import { lazy } from '../base/lazy.ts';
import { BREAKERS, type BreakerId } from '../record/trip.ts';
import { shippedNames } from '../wiring/own-files.ts';
import { readShipped } from '../demo/read-shipped.ts';
import { drillSchema, type Drill, type ExpectedHalt, type Situation } from './drill.ts';
import { fillTexts } from './named-texts.ts';
import { scriptAgents } from './script-agents.ts';

/** Every drill of `shipped/drills/`, one file each: one per breaker in order of blame, then the others by name. */
export const allDrills = lazy((): readonly Drill[] => {
  const names = shippedNames('drills').flatMap((file) => /^(.+)\.yaml$/.exec(file)?.[1] ?? []);
  const ofBreakers = BREAKERS.filter((breaker) => names.includes(breaker));
  return [...ofBreakers, ...names.filter((name) => !isBreaker(name))].map((name) => readDrill(name));
});

/** Reads one file; throws with the position of every fault. `text` replaces the file on disk. */
export function readDrill(name: string, text?: string): Drill {
  const file = readShipped(`drills/${name}.yaml`, drillSchema, fillTexts, text);
  const breaker = file.breaker ?? (isBreaker(name) ? name : undefined);
  const situations = file.situations.map(({ agents, halt, ...rest }, at): Situation => ({
    ...rest,
    ...(agents && { agents: scriptAgents(agents) }),
    ...(halt && { halt: { ...halt, breaker: halt.breaker ?? breaker ?? nameIt(name, at) } satisfies ExpectedHalt }),
  }));
  return { name, breaker, injects: file.injects, situations };
}

const isBreaker = (name: string): name is BreakerId => (BREAKERS as readonly string[]).includes(name);

function nameIt(name: string, at: number): never {
  throw new Error(`shipped/drills/${name}.yaml: situations.${at}.halt: expected a breaker, because the drill has none`);
}
