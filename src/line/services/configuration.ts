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

type Configured = Needs<'configuration' | 'stubAgents'>;

/** The services for a task on this commit of its target. */
export const openServicesAt = async <Own extends Configured>(services: Own, target: TargetCommit) =>
  withConfiguration(services, await services.configuration.at(target));

/** The services for the line itself, under what its last `refresh` found. */
export const openLineServices = <Own extends Configured>(services: Own) =>
  withConfiguration(services, services.configuration.line());

const withConfiguration = <Own extends Configured>(services: Own, inForce: InForce): Own & InForce => ({
  ...services,
  ...inForce,
  agents: services.stubAgents ?? inForce.agents,
});

/** The services for a task of a record, as its base commit decides. */
export const openTaskServices = <Own extends Configured>(
  services: Own,
  { target, base }: { readonly target: string; readonly base: string },
) => openServicesAt(services, { ref: target, commit: base });

/** The services for a task that names no target; where there is no target yet, as the checkout decides. */
export async function openTargetServices<Own extends Configured & Needs<'repository'>>(services: Own) {
  const { configuration, repository } = services;
  const name = await configuration.targetName();
  const target = await repository.target(name);
  return target.ok
    ? withConfiguration(services, named(await configuration.at(target.value), name))
    : openLineServices(services);
}

/** The target of tasks that name none is the one that led here. */
const named = (inForce: InForce, target: string | undefined): InForce => ({
  ...inForce,
  settings: { ...inForce.settings, target },
});

/** The configuration of a place; `first` was made of the files of its checkout. */
export class PlaceConfiguration implements TargetConfiguration {
  readonly #place: Pick<Workspace, 'facts' | 'userConfig'>;
  readonly #repository: Repository;
  readonly #userFile: UserFile;
  readonly #make: MakeParts;
  readonly #say: (news: LineEvent) => void;
  readonly isTrial: boolean;
  readonly #versions = new Map<string, Promise<KeptFiles>>();
  readonly #known = new Map<string, Known>();
  readonly #lastGood = new Map<string, InForce>();
  /** Faults of commits whose configuration is not in force, by commit. */
  readonly #broken = new Map<string, string>();
  #parts: Pick<InForce, 'agents' | 'cage'> & { readonly key: string };
  #line: InForce;
  #target: { readonly at: TargetCommit | undefined; readonly why?: string; readonly since: number } | undefined;
  #lastNamed: { readonly print: string; readonly target: string | undefined } | undefined;
  #lastSeen = '';
  #gaps: readonly string[] = [];

  constructor(
    place: Pick<Workspace, 'facts' | 'userConfig' | 'workingConfig'>,
    repository: Repository,
    userFile: UserFile,
    {
      make,
      first,
      say,
    }: { readonly make: MakeParts; readonly first: InForce; readonly say: (news: LineEvent) => void },
  ) {
    this.#place = place;
    this.#repository = repository;
    this.#userFile = userFile;
    this.#make = make;
    this.#say = say;
    this.isTrial = place.workingConfig ?? false;
    this.#parts = { key: partsKey(first), agents: first.agents, cage: first.cage };
    this.#line = first;
  }

  async at({ ref, commit }: TargetCommit): Promise<InForce> {
    const user = this.#userFile.text();
    const cached = this.isTrial ? undefined : this.#known.get(commit);
    if (cached !== undefined && cached.user === user) return cached.inForce;
    const kept = this.isTrial ? undefined : await this.#versionAt(commit);
    // Most commits change nothing of it.
    const same = [...this.#known.values()].find((one) => one.user === user && one.print === kept?.print);
    const isTip = this.isTrial || (await this.#repository.resolve(ref)) === commit;
    const at = { ref, commit, isTip };
    if (kept !== undefined && same !== undefined) return this.#use(at, same);
    const files = kept ?? openWorkTree(this.#place.facts.root);
    const settings = this.#read(files, kept?.odd ?? [], user);
    try {
      if (!settings.ok) throw new Problem('bad-configuration', settings.why, 'correct the file and try again');
      return this.#use(at, { user, print: kept?.print, inForce: this.#toInForce(files, settings.value) });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return this.#lastValid({ ref, commit }, error);
    }
  }

  async targetName(): Promise<string | undefined> {
    const commit = this.isTrial ? undefined : await this.#head();
    if (commit === undefined && !this.isTrial) return undefined;
    const kept = commit === undefined ? undefined : await this.#versionAt(commit);
    if (kept !== undefined && this.#lastNamed?.print === kept.print) return this.#lastNamed.target;
    const settings = this.#read(kept ?? openWorkTree(this.#place.facts.root), [], undefined);
    const name = settings.ok ? settings.value.target : undefined;
    if (kept !== undefined) this.#lastNamed = { print: kept.print, target: name };
    return name;
  }

  async refresh(): Promise<void> {
    const found = await this.#findTarget();
    const text = this.#userFile.text();
    const fault = this.#userFile.fault();
    const seen = JSON.stringify([
      found,
      this.#target?.why,
      text,
      fault,
      computeConfigurationStamp(this.#place.facts.root),
    ]);
    if (seen === this.#lastSeen) return;
    const unread = found === undefined ? undefined : await this.#readLine(found);
    for (const commit of this.#broken.keys()) if (commit !== found?.commit) this.#broken.delete(commit);
    this.#gaps = [
      ...(fault === undefined ? [] : [`your configuration on disk is not in force: ${fault}`]),
      ...(unread === undefined ? [] : [unread]),
      ...this.#broken.values(),
      ...(await this.gapsTo(found?.ref === 'HEAD' ? undefined : found)), // a detached HEAD decides, and is no target
    ];
    this.#lastSeen = seen;
  }

  line(): InForce {
    return this.#line;
  }

  async gapsTo(found: TargetCommit | undefined): Promise<readonly string[]> {
    if (this.isTrial) return [TRIAL];
    const versionAt = (commit: string): Promise<KeptFiles> => this.#versionAt(commit);
    return describeConfigurationGaps(this.#place.facts.root, this.#repository, found, versionAt, this.#target?.why);
  }

  gaps(): readonly string[] {
    return this.#gaps;
  }

  async isSame(one: string, other: string): Promise<boolean> {
    return this.isTrial || one === other || (await this.#versionAt(one)).print === (await this.#versionAt(other)).print;
  }

  #versionAt(commit: string): Promise<KeptFiles> {
    const version = this.#versions.get(commit) ?? readKeptFiles(this.#repository, commit);
    remember(this.#versions, commit, version);
    version.catch(() => this.#versions.delete(commit)); // what git could not read now is asked for again
    return version;
  }

  #read(files: ProjectFiles, odd: readonly string[], user: string | undefined): Outcome<Settings, readonly string[]> {
    const { facts, userConfig } = this.#place;
    const settings = readProjectSettings((name) => files.text(name), { name: userConfig, text: user }, facts.root);
    const links = odd.map((name) => `${name}: git keeps no plain file there that can be read`);
    return settings.ok && links.length > 0 ? failure(links) : settings;
  }

  #toInForce(files: ProjectFiles, settings: Settings): InForce {
    const profiles = readProfiles(files);
    const key = partsKey({ settings, profiles });
    if (key !== this.#parts.key) this.#parts = { key, ...this.#make(settings, profiles) };
    const { agents, cage } = this.#parts;
    return { settings, profiles, project: files, agents, cage };
  }

  /** Takes a configuration into force for a commit of a branch; a task may ask for that of an older one. */
  #use({ ref, commit, isTip }: TargetCommit & { readonly isTip: boolean }, known: Known): InForce {
    remember(this.#known, commit, known);
    if (isTip || !this.#lastGood.has(ref)) this.#lastGood.set(ref, known.inForce);
    this.#broken.delete(commit);
    return known.inForce;
  }

  /** The configuration of a branch before a fault, which is reported once; without one the fault is thrown. */
  #lastValid({ ref, commit }: TargetCommit, error: Problem): InForce {
    const where = this.isTrial ? 'the checkout' : `${toBranchName(ref)} (${commit.slice(0, 7)})`;
    const fault = toTerminalLine(`the configuration of ${where} cannot be read: ${error.message}`, 600);
    const last = this.#lastGood.get(ref);
    if (last === undefined) throw new Problem('bad-configuration', fault, 'correct the file and commit it');
    const sentence = `${fault}; the one before it stays in force`;
    if (this.#broken.get(commit) !== sentence) this.#say({ kind: 'word', level: 'warn', text: sentence });
    this.#broken.set(commit, sentence);
    return last;
  }

  /** Reads what decides for the line itself; why it cannot be read. */
  async #readLine(found: TargetCommit): Promise<string | undefined> {
    try {
      this.#line = named(await this.at(found), await this.targetName());
      return undefined;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return error.message;
    }
  }

  async #head(): Promise<string | undefined> {
    return this.#repository.resolve((await this.#repository.checkedOut()) ?? 'HEAD');
  }

  /** The commit that decides for the line itself; looked for again once it has moved, or after a while. */
  async #findTarget(): Promise<TargetCommit | undefined> {
    const last = this.#target;
    const now = last?.at === undefined ? undefined : await this.#repository.resolve(last.at.ref);
    if (
      last !== undefined &&
      performance.now() - last.since <= TARGET_MS &&
      now !== undefined &&
      now === last.at?.commit
    )
      return last.at;
    const found = await this.#repository.target(await this.targetName());
    const commit = found.ok ? undefined : await this.#head();
    const at = found.ok ? found.value : commit === undefined ? undefined : { ref: 'HEAD', commit };
    this.#target = { at, since: performance.now(), ...(found.ok ? {} : { why: found.why }) };
    return at;
  }
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
    settings.ollama,
    settings.drivers,
    settings.cage,
    settings.roles.floorManager,
    settings.roles.proposalReader,
    profiles.profiles.map(({ driver }) => driver),
  ]);
