import { toBranchName } from '../../base/names.ts';
import { failure, type Outcome } from '../../base/outcome.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { Problem } from '../../base/problem.ts';
import { readProjectSettings, type Settings } from '../../project/config/read-settings.ts';
import type { Repository } from '../../project/git/git-repository.ts';
import type { AgentProfiles } from '../../project/config/agent-profiles.ts';
import { describeConfigurationGaps, computeConfigurationStamp } from './configuration-gaps.ts';
import { readKeptFiles, type KeptFiles } from '../../rules/files/kept-files.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { readProfiles, openWorkTree, type ProjectFiles } from '../../rules/files/project-files.ts';
import type { TargetConfiguration, InForce, TargetCommit, LineEvent, Needs } from './services.ts';
import type { UserFile } from './user-file.ts';

/** Versions of the files that decide that are kept in memory. */
const MOST_VERSIONS = 8;
/** The branch that is checked out is asked for again after this long. */
const TARGET_MS = 5000;

/** Makes agents and cage for some settings; throws a Problem that names every fault of a driver. */
export type MakeParts = (settings: Settings, profiles: AgentProfiles) => Pick<InForce, 'agents' | 'cage'>;

/** What decides which parts a configuration replaces. */
type Configured = Needs<'configuration' | 'agents' | 'cage'>;

/** The services for a task on this commit of its target. */
export const openServicesAt = async <Own extends Configured>(services: Own, target: TargetCommit): Promise<Own> =>
  withConfiguration(services, await services.configuration.at(target));

/** The services for the line itself, under what its last `refresh` found. */
export const openLineServices = <Own extends Configured>(services: Own): Own =>
  withConfiguration(services, services.configuration.line());

/** Agents and a cage that a caller put in their place stay. */
function withConfiguration<Own extends Configured>(services: Own, { agents, cage, ...read }: InForce): Own {
  const { configuration } = services;
  return {
    ...services,
    ...read,
    agents: configuration.hasMade(services.agents) ? agents : services.agents,
    cage: configuration.hasMade(services.cage) ? cage : services.cage,
  };
}

/** The services for a task of a record, as its base commit decides. */
export const openTaskServices = <Own extends Configured>(
  services: Own,
  { target, base }: { readonly target: string; readonly base: string },
): Promise<Own> => openServicesAt(services, { ref: target, commit: base });

/** The services for a task that names no target; the same ones where there is no target yet. */
export async function openTargetServices<Own extends Configured & Needs<'repository'>>(services: Own): Promise<Own> {
  const name = await services.configuration.targetName();
  const target = await services.repository.target(name);
  return target.ok ? withConfiguration(services, named(await services.configuration.at(target.value), name)) : services;
}

/** The target of tasks that name none is the one that led here. */
const named = (inForce: InForce, target: string | undefined): InForce => ({
  ...inForce,
  settings: { ...inForce.settings, target },
});

/** Opens the configuration of a place; `first` was made of the files of its checkout. */
export function openConfiguration(
  place: Pick<Workspace, 'facts' | 'settings' | 'userConfig' | 'workingConfig'>,
  repository: Repository,
  userFile: UserFile,
  { make, first, say }: { readonly make: MakeParts; readonly first: InForce; readonly say: (news: LineEvent) => void },
): TargetConfiguration {
  const { facts, userConfig, workingConfig: isTrial = false } = place;
  const versions = new Map<string, Promise<KeptFiles>>();
  const known = new Map<string, Known>();
  let lastNamed: { readonly print: string; readonly target: string | undefined } | undefined;
  const lastGood = new Map<string, InForce>();
  const made = new WeakSet<object>([first.agents, first.cage]);
  /** Faults of commits whose configuration is not in force, by commit. */
  const broken = new Map<string, string>();
  let parts = { key: partsKey(first), agents: first.agents, cage: first.cage };
  let line = first;
  let target: { readonly at: TargetCommit | undefined; readonly since: number } | undefined;
  let lastSeen = '';
  let gaps: readonly string[] = [];

  const versionAt = (commit: string): Promise<KeptFiles> => {
    const version = versions.get(commit) ?? readKeptFiles(repository, commit);
    remember(versions, commit, version);
    version.catch(() => versions.delete(commit)); // what git could not read now is asked for again
    return version;
  };

  const read = (
    files: ProjectFiles,
    odd: readonly string[],
    user: string | undefined,
  ): Outcome<Settings, readonly string[]> => {
    const settings = readProjectSettings((name) => files.text(name), { name: userConfig, text: user }, facts.root);
    const links = odd.map((name) => `${name}: git keeps no plain file there that can be read`);
    return settings.ok && links.length > 0 ? failure(links) : settings;
  };

  const toInForce = (files: ProjectFiles, settings: Settings): InForce => {
    const profiles = readProfiles(files);
    const key = partsKey({ settings, profiles });
    if (key !== parts.key) {
      parts = { key, ...make(settings, profiles) };
      made.add(parts.agents);
      made.add(parts.cage);
    }
    return { settings, profiles, project: files, agents: parts.agents, cage: parts.cage };
  };

  const at: TargetConfiguration['at'] = async ({ ref, commit }) => {
    const user = userFile.text();
    const cached = isTrial ? undefined : known.get(commit);
    if (cached !== undefined && cached.user === user) return cached.inForce;
    const kept = isTrial ? undefined : await versionAt(commit);
    const print = kept?.print;
    // Most commits change nothing of it.
    const same =
      print === undefined ? undefined : [...known.values()].find((one) => one.user === user && one.print === print);
    if (same !== undefined) {
      remember(known, commit, same);
      lastGood.set(ref, same.inForce);
      broken.delete(commit);
      return same.inForce;
    }
    const files = kept ?? openWorkTree(facts.root);
    const settings = read(files, kept?.odd ?? [], user);
    try {
      if (!settings.ok) throw new Problem('bad-configuration', settings.why, 'correct the file and try again');
      const inForce = toInForce(files, settings.value);
      remember(known, commit, { user, print, inForce });
      lastGood.set(ref, inForce);
      broken.delete(commit);
      return inForce;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const where = isTrial ? 'the checkout' : `${toBranchName(ref)} (${commit.slice(0, 7)})`;
      const fault = toTerminalLine(`the configuration of ${where} cannot be read: ${error.message}`, 600);
      const last = lastGood.get(ref);
      if (last === undefined) throw new Problem('bad-configuration', fault, 'correct the file and commit it');
      const sentence = `${fault}; the one before it stays in force`;
      if (broken.get(commit) !== sentence) say({ kind: 'word', level: 'warn', text: sentence });
      broken.set(commit, sentence);
      return last;
    }
  };

  const head = async (): Promise<string | undefined> => repository.resolve((await repository.checkedOut()) ?? 'HEAD');

  const targetName = async (): Promise<string | undefined> => {
    const commit = isTrial ? undefined : await head();
    if (commit === undefined && !isTrial) return undefined;
    const kept = commit === undefined ? undefined : await versionAt(commit);
    if (kept !== undefined && lastNamed?.print === kept.print) return lastNamed.target;
    const settings = read(kept ?? openWorkTree(facts.root), [], undefined);
    const name = settings.ok ? settings.value.target : undefined;
    if (kept !== undefined) lastNamed = { print: kept.print, target: name };
    return name;
  };

  /** The commit that decides for the line itself. */
  const lineTarget = async (): Promise<TargetCommit | undefined> => {
    const found = await repository.target(await targetName());
    if (found.ok) return found.value;
    const commit = await head();
    return commit === undefined ? undefined : { ref: 'HEAD', commit };
  };

  const refresh: TargetConfiguration['refresh'] = async () => {
    const ref = target?.at?.ref;
    const now = ref === undefined ? undefined : await repository.resolve(ref);
    const isStale = target === undefined || performance.now() - target.since > TARGET_MS;
    if (isStale || now === undefined || now !== target?.at?.commit)
      target = { at: await lineTarget(), since: performance.now() };
    const { at: found } = target;
    const seen = JSON.stringify([found, userFile.text(), userFile.fault(), computeConfigurationStamp(facts.root)]);
    if (seen === lastSeen) return;
    let unread: string | undefined;
    if (found !== undefined)
      try {
        line = named(await at(found), await targetName());
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        unread = error.message;
      }
    for (const commit of broken.keys()) if (commit !== found?.commit) broken.delete(commit);
    const fault = userFile.fault();
    gaps = [
      ...(fault === undefined ? [] : [`your configuration on disk is not in force: ${fault}`]),
      ...(unread === undefined ? [] : [unread]),
      ...broken.values(),
      ...(isTrial ? [TRIAL] : await describeConfigurationGaps(facts.root, repository, found, versionAt)),
    ];
    lastSeen = seen;
  };

  return {
    at,
    targetName,
    refresh,
    isTrial,
    line: () => line,
    gapsTo: (found) =>
      isTrial ? Promise.resolve([TRIAL]) : describeConfigurationGaps(facts.root, repository, found, versionAt),
    gaps: () => gaps,
    hasMade: (part) => made.has(part),
    isSame: async (one, other) =>
      isTrial || one === other || (await versionAt(one)).print === (await versionAt(other)).print,
  };
}

/** The configuration of a commit, with the user's text and the project's files that it was made of. */
interface Known {
  readonly user: string | undefined;
  readonly print: string | undefined;
  readonly inForce: InForce;
}

/** What a line says of itself while it tries out files that are not committed. */
const TRIAL =
  'this is a trial (--working-config): gates, rules and settings come from the files of the checkout, committed or not';

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= MOST_VERSIONS) break;
    map.delete(oldest);
  }
}

/** Changes when agents or the cage must be made again. */
const partsKey = ({ settings, profiles }: Pick<InForce, 'settings' | 'profiles'>): string =>
  JSON.stringify([
    settings.agents,
    settings.drivers,
    settings.cage,
    settings.roles.floorManager,
    settings.roles.proposalReader,
    profiles.profiles.map(({ driver }) => driver),
  ]);
