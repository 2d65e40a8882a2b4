import { openDir } from '../../base/system/safe-fs.ts';
import { parseJson } from '../../base/json-object.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { openForReading, openHolder } from '../../project/workspace/open-reader.ts';
import { openKnownSettings } from '../../project/folders/known-settings.ts';
import { readProjectSettings, type Settings } from '../../project/config/read-settings.ts';
import { describeConfigurationGaps } from './configuration-gaps.ts';
import { readKeptFilesOnce, type KeptFiles } from '../../rules/files/kept-files.ts';
import type { Repository } from '../../project/git/git-repository.ts';

/** What the watchdog says of its configuration, in the state folder, for commands that only show. */
const FILE = 'configuration.json';
const LARGEST = 64 * 1024;

/** The configuration that a watchdog works with. */
export interface ConfigurationInUse {
  /** Whether it works with the files of the checkout, committed or not. */
  readonly trial: boolean;
  /** Every difference between the disk and what it works with, a sentence each. */
  readonly gaps: readonly string[];
}

export const writeInUse = ({ state }: Pick<Workspace, 'state'>, inUse: ConfigurationInUse): void =>
  openDir(state).put(FILE, `${JSON.stringify(inUse)}\n`, 0o600);

/** What the last watchdog wrote; undefined when there is nothing that can be read. */
export function readInUse({ state }: Pick<Workspace, 'state'>): ConfigurationInUse | undefined {
  const read = openDir(state).text(FILE, LARGEST);
  const { trial, gaps } = Object(read.ok && read.value !== undefined ? parseJson(read.value) : undefined) as {
    readonly trial?: unknown;
    readonly gaps?: unknown;
  };
  if (typeof trial !== 'boolean' || !Array.isArray(gaps)) return undefined;
  return { trial, gaps: gaps.filter((gap) => typeof gap === 'string') };
}

/** The configuration in force: as the watchdog reports it, or as the next one would read it. */
export async function readConfiguration(place: Workspace, isWatched: boolean): Promise<ConfigurationInUse> {
  const inUse = isWatched ? readInUse(place) : undefined;
  if (inUse !== undefined) return inUse;
  const repository = await openForReading(place);
  const target = await repository.target(await findTargetName(place, repository));
  const [found, why] = target.ok ? [target.value] : [undefined, target.why];
  const versionAt = (commit: string): Promise<KeptFiles> => keptFilesOf(place, repository, commit);
  const gaps = await describeConfigurationGaps(place.facts.root, repository, found, versionAt, why);
  return { trial: false, gaps };
}

const isInTrial = (place: Workspace): boolean =>
  readInUse(place)?.trial === true && openHolder(place)?.doing === 'watch';

/** The target that HEAD commits, as a watchdog takes it. */
async function findTargetName(place: Workspace, repository: Repository): Promise<string | undefined> {
  const commit = await repository.resolve((await repository.checkedOut()) ?? 'HEAD');
  return commit === undefined ? undefined : (await readSettingsAt(place, repository, commit))?.target;
}

/** The settings that a commit holds; undefined where they cannot be read. */
async function readSettingsAt(place: Workspace, repository: Repository, commit: string): Promise<Settings | undefined> {
  const files = await keptFilesOf(place, repository, commit);
  const user = { name: place.userConfig, text: place.userText };
  const known = openKnownSettings(place.state);
  const settings = readProjectSettings((name) => files.text(name), user, place.facts.root, known);
  known.keep();
  return settings.ok ? settings.value : undefined;
}

/** The files of each place that were read last, for one command asks twice. */
const read = new WeakMap<Workspace, { readonly commit: string; readonly files: Promise<KeptFiles> }>();

function keptFilesOf(place: Workspace, repository: Repository, commit: string): Promise<KeptFiles> {
  const before = read.get(place);
  if (before?.commit === commit) return before.files;
  const files = readKeptFilesOnce(place.state, repository, commit);
  read.set(place, { commit, files });
  files.catch(() => read.delete(place)); // what git could not read now is asked for again
  return files;
}

/**
 * The settings of the line for commands that only show: what its target commits, or the checkout in a trial. Where they
 * cannot be read, those of the checkout.
 */
export async function committedSettings(place: Workspace, repository: Repository): Promise<Settings> {
  const target = isInTrial(place) ? undefined : await repository.target(await findTargetName(place, repository));
  if (target === undefined || !target.ok) return place.settings;
  return (await readSettingsAt(place, repository, target.value.commit)) ?? place.settings;
}
