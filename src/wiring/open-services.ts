import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { rememberSecrets } from '../base/known-secrets.ts';
import { sha256 } from '../base/sha256.ts';
import { openAgents } from '../adapters/agents/index.ts';
import { limitsHere } from '../adapters/cage/bounds-of.ts';
import { cage } from '../adapters/cage/cage.ts';
import { enclosure } from '../adapters/cage/enclose.ts';
import { systemClock } from '../adapters/clock/system-clock.ts';
import { handoffFolder } from '../adapters/handoff/folder.ts';
import { handoffQueue } from '../adapters/queue/handoff-queue.ts';
import { groupsHere } from '../adapters/processes/bounds.ts';
import { childEnvironment } from '../adapters/processes/environment.ts';
import { processRegistry } from '../adapters/processes/registry.ts';
import { processRunner } from '../adapters/processes/run.ts';
import { openRepository } from '../adapters/repository/git-repository.ts';
import { holdRepository } from '../adapters/repository/still-here.ts';
import { noteOwner } from '../adapters/settings/moved-state.ts';
import { homeFolder, stateHome, userConfigFile } from '../adapters/settings/places.ts';
import { workFolders } from '../adapters/settings/work-folders.ts';
import { NO_LEDGER } from '../adapters/ledger/no-ledger.ts';
import { secretValues } from '../config/secret-values.ts';
import { FLOOR_MANAGER } from '../base/names.ts';
import type { Journal } from '../ports/journal.ts';
import type { RepositoryFacts } from '../ports/repository.ts';
import { Bell } from './bell.ts';
import { clearLeftovers } from './leftovers.ts';
import { openConfiguration, servicesOnTarget } from './configuration.ts';
import type { MakeParts } from './configuration.ts';
import type { InForce } from './in-force.ts';
import { onlyHere } from './only-here.ts';
import { wholeJournal } from './open-journal.ts';
import { driversInUse } from './open-drivers.ts';
import { openLedgerBeside } from './open-ledger.ts';
import type { Place } from './open-place.ts';
import { profilesAt } from './open-profiles.ts';
import { auditOf } from './open-audit.ts';
import type { News, Services } from './services.ts';
import { workTree } from './project-files.ts';
import { openUserFile } from './user-file.ts';
import { usableGit } from './usable-git.ts';

/** The repository's world for whoever holds its lock. Leftovers of a crashed andon are ended first. */
export async function openServices(
  place: Place,
  env: NodeJS.ProcessEnv,
  say: (news: News) => void,
): Promise<{ services: Services; journal: Journal }> {
  const left = clearLeftovers(place);
  if (left > 0)
    say({
      kind: 'word',
      level: 'warn',
      text: `ended ${left} process${left === 1 ? '' : 'es'} that an earlier andon left running`,
    });
  const journal = wholeJournal(place);
  const opened: { close(): void }[] = [journal];
  const close = (): void => {
    for (const one of opened.toReversed()) one.close();
  };
  try {
    const ledger = openLedgerBeside(place, journal);
    opened.push(ledger);
    const held = holdRepository(place.facts);
    opened.push({ close: () => held.letGo() });
    const built = await buildServices(place, env, say, { ...journal, close });
    const guarded = onlyHere({ ...built, ledger }, () => held.mustBeHere());
    const services = await servicesOnTarget(guarded);
    await services.configuration.refresh();
    noteOwner(
      place.state,
      { ...place.facts, root: place.inboxRoot },
      (await services.repository.resolve('HEAD')) ?? '',
    );
    const owed = await services.repository.repair({ patient: true });
    if (owed !== undefined) say({ kind: 'word', level: 'warn', text: owed });
    return { services, journal: services.journal };
  } catch (error) {
    close(); // a disk that comes and goes has this tried again, many times in a night
    throw error;
  }
}

/** Joins all ports for one repository. */
export async function buildServices(
  place: Place,
  env: NodeJS.ProcessEnv,
  say: (news: News) => void,
  journal: Journal,
  /** The folder in which live processes are noted; whoever starts as the watchdog ends those in `running`. */
  register = 'running',
  /** Drivers that are wanted although no profile and no configuration names them. */
  also: readonly string[] = [],
): Promise<Services> {
  const { facts, inboxRoot, state } = place;
  const handoff = handoffFolder(inboxRoot);
  await usableGit(place);
  const run = processRunner(systemClock, processRegistry(join(state, register)));
  const userPath = { ...env, PATH: env['ANDON_PATH'] ?? env['PATH'] };
  const make: MakeParts = (settings, known) => {
    rememberSecrets(secretValues(settings, env)); // the user's configuration may have changed meanwhile
    const drivers = driversInUse({ settings, userConfig: place.userConfig }, known, [
      ...also,
      settings.roles.floorManager ?? FLOOR_MANAGER,
    ]);
    const world = {
      home: homeFolder(env),
      environment: childEnvironment(userPath, settings.cage.env),
      hide: [
        facts.root,
        inboxRoot,
        facts.commonDir,
        ...mainCheckout(facts),
        stateHome(env),
        dirname(userConfigFile(env)),
      ],
      read: settings.cage.read,
      limits: limitsHere(settings.cage.limits),
      groups: () => groupsHere()?.version,
    };
    const programs = {
      programs: settings.agents,
      drivers,
      state,
      clock: systemClock,
      enclosure: enclosure(settings.cage.driver, run, world),
    };
    return {
      cage: cage(settings.cage.driver, run, world),
      agents: openAgents(run, programs, (sees, fixed) => childEnvironment(userPath, sees, fixed)),
    };
  };
  const profiles = profilesAt(facts.root);
  const first: InForce = {
    settings: place.settings,
    profiles,
    project: workTree(facts.root),
    ...make(place.settings, profiles),
  };
  const userFile = openUserFile(place, say);
  const repository = await openRepository(facts, state);
  return {
    root: facts.root,
    mustBeHere: () => {},
    ...first,
    configuration: openConfiguration(place, repository, userFile, { make, first, say }),
    clock: systemClock,
    journal,
    limits: () => userFile.limits(),
    ledger: NO_LEDGER,
    stateName: basename(state),
    repository,
    handoff,
    queue: handoffQueue(handoff),
    audit: auditOf(place),
    folders: workFolders(state),
    bell: new Bell(),
    nudge: new Bell(),
    nonce: () => randomBytes(8).toString('hex'),
    digest: sha256,
    say,
  };
}

/** Why the cage of bubblewrap cannot be used on this machine; undefined when it can. */
export async function whyNoCage(env: NodeJS.ProcessEnv, registryFolder: string): Promise<string | undefined> {
  const run = processRunner(systemClock, processRegistry(registryFolder));
  return cage('bubblewrap', run, {
    home: homeFolder(env),
    environment: childEnvironment(env),
    hide: [],
    read: [],
  }).unavailable();
}

/** The main checkout, when this one is a linked worktree of it. */
const mainCheckout = ({ commonDir }: RepositoryFacts): readonly string[] =>
  basename(commonDir) === '.git' ? [dirname(commonDir)] : [];
