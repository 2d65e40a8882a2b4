import { readInUse, type ConfigurationInUse } from '../../wiring/configuration-in-use.ts';
import type { Workspace } from '../../wiring/load-workspace.ts';
import { openForReading } from '../../wiring/open-reader.ts';

/** The configuration in force: as the watchdog reports it, or as the next one would read it. */
export async function readConfiguration(place: Workspace, isWatched: boolean): Promise<ConfigurationInUse> {
  const inUse = isWatched ? readInUse(place) : undefined;
  if (inUse !== undefined) return inUse;
  const repository = await openForReading(place);
  const target = await repository.target(place.settings.target);
  const found = target.ok ? target.value : undefined;
  const [{ describeConfigurationGaps: configurationGaps }, { readKeptFiles: keptFiles }] = await Promise.all([
    import('../../wiring/configuration-gaps.ts'),
    import('../../wiring/kept-files.ts'),
  ]);
  const gaps = await configurationGaps(place.facts.root, repository, found, (commit) => keptFiles(repository, commit));
  return { trial: false, gaps };
}
