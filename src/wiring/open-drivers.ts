import { shippedText } from '../adapters/own-files.ts';
import { AGENT_IDS } from '../base/agents.ts';
import { success } from '../base/outcome.ts';
import { Problem } from '../base/problem.ts';
import type { AgentProfiles } from '../config/agent-profiles.ts';
import { driverNames, readDriver } from '../config/drivers.ts';
import type { CompilePattern, Driver, DriverSources } from '../config/drivers.ts';
import type { ServerDriver } from '../config/server-driver.ts';
import { compilePattern } from '../rules/matchers/pattern.ts';
import { shippedDrivers } from './open-place.ts';
import type { Place } from './open-place.ts';

/** Where drivers are told: the texts that andon brings along, and the user's own configuration. */
export const driverSources = ({ settings, userConfig }: Pick<Place, 'settings' | 'userConfig'>): DriverSources => {
  const names = shippedDrivers();
  return {
    shipped: (name) => {
      const file = `drivers/${name}.yaml`;
      return names.includes(name) ? { name: `shipped/${file}`, text: shippedText(file) } : undefined;
    },
    shippedNames: names,
    own: settings.drivers,
    userFile: userConfig,
    compile,
  };
};

/** Names of the drivers that can be let at the files themselves. */
export const editingDrivers = (sources: DriverSources): readonly string[] =>
  driverNames(sources).filter((name) => {
    const read = readDriver(name, sources);
    return read.ok && 'calls' in read.value && read.value.calls.edit !== undefined;
  });

/** The drivers that profiles name, and all of which the user's configuration speaks; throws a Problem with every fault. */
export function driversInUse(
  place: Pick<Place, 'settings' | 'userConfig'>,
  { profiles }: Pick<AgentProfiles, 'profiles'>,
  also: readonly string[] = [],
): readonly (Driver | ServerDriver)[] {
  const sources = driverSources(place);
  const known = driverNames(sources);
  const named = [...profiles.map(({ driver }) => driver ?? ''), ...also].filter((name) => known.includes(name));
  const wanted = new Set(
    [...Object.keys(sources.own), ...named].filter((name) => !AGENT_IDS.some((id) => id === name)),
  );
  const read = [...wanted].map((name) => readDriver(name, sources));
  const faults = read.flatMap((one) => (one.ok ? [] : one.why));
  if (faults.length > 0)
    throw new Problem('bad-configuration', faults, 'correct the file; docs/agents.md shows a driver of each kind');
  return read.flatMap((one) => (one.ok ? [one.value] : []));
}

const compile: CompilePattern = (pattern) => {
  const made = compilePattern(pattern);
  return made.ok ? success((text: string) => made.value.test(text, () => {})) : made;
};
