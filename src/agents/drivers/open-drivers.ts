import { shippedText } from '../../base/system/install-root.ts';
import { OLLAMA, WORKS_AT } from '../../base/agent-ids.ts';
import { Problem } from '../../base/problem.ts';
import type { AgentProfiles } from '../../project/config/agent-profiles.ts';
import { listDriverNames, readDriver, type Driver, type DriverSources } from '../../project/config/read-driver.ts';
import type { ServerDriver } from '../../project/config/server-driver.ts';
import { listShippedDrivers, type Workspace } from '../../project/workspace/load-workspace.ts';

/** The sources of drivers: the shipped texts, and the user's own configuration. */
export const listDriverSources = ({
  settings,
  userConfig,
}: Pick<Workspace, 'settings' | 'userConfig'>): DriverSources => {
  const names = listShippedDrivers();
  return {
    shipped: (name) => {
      const file = `drivers/${name}.yaml`;
      return names.includes(name) ? { name: `shipped/${file}`, text: shippedText(file) } : undefined;
    },
    shippedNames: names,
    own: settings.drivers,
    userFile: userConfig,
  };
};

/** Names of the drivers that can be let at the files themselves. */
export const listEditingDrivers = (sources: DriverSources): readonly string[] =>
  listDriverNames(sources).filter((name) => {
    const read = readDriver(name, sources);
    return read.ok && 'calls' in read.value && read.value.calls.edit !== undefined;
  });

/** The drivers that profiles name, that of the usual judge, and all of which the user's configuration speaks; throws a Problem with every fault. */
export function listDriversInUse(
  place: Pick<Workspace, 'settings' | 'userConfig'>,
  { profiles }: Pick<AgentProfiles, 'profiles'>,
  also: readonly string[] = [],
): readonly (Driver | ServerDriver)[] {
  const sources = listDriverSources(place);
  const known = listDriverNames(sources);
  const named = [...profiles.map(({ driver }) => driver ?? ''), ...also].filter((name) => known.includes(name));
  const wanted = new Set([WORKS_AT.judge, ...Object.keys(sources.own), ...named].filter((name) => name !== OLLAMA));
  const read = [...wanted].map((name) => readDriver(name, sources));
  const faults = read.flatMap((one) => (one.ok ? [] : one.why));
  if (faults.length > 0)
    throw new Problem('bad-configuration', faults, 'correct the file; docs/agents.md shows a driver of each kind');
  return read.flatMap((one) => (one.ok ? [one.value] : []));
}
