import { randomBytes } from 'node:crypto';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { CERTIFICATE_VARIABLES, findUserPath, PROXY_VARIABLES } from '../../base/environment-variables.ts';
import { rememberSecrets } from '../../base/known-secrets.ts';
import { sha256 } from '../../base/sha256.ts';
import { openAgents } from '../../agents/drivers/index.ts';
import { machineLimits } from '../../sandbox/cage/compute-bounds.ts';
import { createCage } from '../../sandbox/cage/cage.ts';
import { createToolFinder } from '../../sandbox/cage/tool-finder.ts';
import { createEnclosure } from '../../sandbox/cage/enclose.ts';
import { systemClock } from '../../base/system/system-clock.ts';
import { createHandoff } from '../../project/handoff/create-handoff.ts';
import { createHandoffQueue } from '../order/handoff-queue.ts';
import { buildChildEnvironment } from '../../sandbox/processes/environment.ts';
import { processRegistry } from '../../sandbox/processes/registry.ts';
import { processRunner } from '../../sandbox/processes/run.ts';
import { openRepository } from '../../project/git/git-repository.ts';
import { holdRepository } from './hold-repository.ts';
import { noteOwner } from '../../project/folders/moved-state.ts';
import { findHome, findStateHome, findUserConfig } from '../../project/folders/user-folders.ts';
import { createWorkFolders } from '../../project/folders/work-folders.ts';
import { NO_LEDGER } from '../../agents/ledger/no-ledger.ts';
import { collectSecretValues } from '../../project/config/collect-secret-values.ts';
import { FLOOR_MANAGER } from '../../base/names.ts';
import type { Journal } from '../journal/journal.ts';
import { Signal } from './signal.ts';
import { clearLeftovers } from '../upkeep/leftovers.ts';
import { PlaceConfiguration, openLineServices, openTargetServices, type MakeParts } from './configuration.ts';
import type { InForce, LineEvent, LineServices, Services } from './services.ts';
import { openWritableJournal } from '../journal/open-journal.ts';
import { listDriversInUse } from '../../agents/drivers/open-drivers.ts';
import { openLedgerBeside } from '../calls/open-ledger.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { readWorkTreeProfiles, openWorkTree } from '../../rules/files/project-files.ts';
import { openAudit } from '../../rules/files/audit-log.ts';
import { openUserFile } from './user-file.ts';
import { readGitVersion } from '../../project/git/find-repository.ts';
import { Problem } from '../../base/problem.ts';

/**
 * The services of a repository for the holder of its lock. Leftovers of a crashed andon are ended first. `onlyStops`:
 * what is asked for starts nothing, so a configuration that cannot be read is not in its way. `lastSeen`: the last sign
 * of life of an andon that died, where one did.
 */
export async function openServices(
  place: Workspace,
  env: NodeJS.ProcessEnv,
  say: (news: LineEvent) => void,
  { onlyStops = false, lastSeen }: { readonly onlyStops?: boolean; readonly lastSeen?: string | undefined } = {},
): Promise<{ services: LineServices; journal: Journal }> {
  const left = clearLeftovers(place);
  if (left > 0)
    say({
      kind: 'word',
      level: 'warn',
      text: `ended ${left} process${left === 1 ? '' : 'es'} that an earlier andon left running`,
    });
  const journal = openWritableJournal(place);
  const opened: { close(): void }[] = [journal];
  const close = (): void => {
    for (const one of opened.toReversed()) one.close();
  };
  try {
    const ledger = openLedgerBeside(place, journal);
    opened.push(ledger);
    const held = holdRepository(place.facts);
    opened.push({ close: () => held.letGo() });
    const ports = await openPorts(place, env, say, { ...journal, close });
    const services = guardRepository({ ...ports, ledger, lastSeen }, () => held.mustBeHere());
    await openTargetServices(services).catch((error: unknown) => {
      if (!onlyStops || !(error instanceof Problem)) throw error;
      say({ kind: 'word', level: 'warn', text: `${error.message}; ${error.remedy}` });
    });
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

/** The services of a command, as the checkout configures them. */
export const buildServices = async (...ports: Parameters<typeof openPorts>): Promise<Services> =>
  openLineServices(await openPorts(...ports));

/** Joins all ports for one repository. */
async function openPorts(
  place: Workspace,
  env: NodeJS.ProcessEnv,
  say: (news: LineEvent) => void,
  journal: Journal,
  /** The folder that lists live processes; a watchdog that starts ends those in `running`. */
  register = 'running',
  /** Drivers that are wanted although no profile and no configuration names them. */
  also: readonly string[] = [],
): Promise<LineServices> {
  const { facts, inboxRoot, state } = place;
  const handoff = createHandoff(inboxRoot);
  await requireUsableGit(place);
  const run = processRunner(systemClock, processRegistry(join(state, register)));
  const userPath = { ...env, PATH: findUserPath(env) };
  const make: MakeParts = (settings, known) => {
    rememberSecrets(collectSecretValues(settings, env)); // the user's configuration may have changed meanwhile
    const drivers = listDriversInUse({ settings, userConfig: place.userConfig }, known, [
      ...also,
      settings.roles.floorManager ?? FLOOR_MANAGER,
      settings.llm.agent ?? '',
      settings.roles.proposalReader ?? '',
    ]);
    const world = {
      home: findHome(env),
      environment: buildChildEnvironment(userPath, [...CERTIFICATE_VARIABLES, ...settings.cage.env]),
      proxies: pickVariables(env, PROXY_VARIABLES),
      hide: [
        facts.root,
        inboxRoot,
        facts.commonDir,
        // The main checkout, when this one is a linked worktree of it.
        ...(basename(facts.commonDir) === '.git' ? [dirname(facts.commonDir)] : []),
        findStateHome(env),
        dirname(findUserConfig(env)),
      ],
      read: [...settings.cage.read, ...listCertificates(env, [findHome(env), facts.root, findStateHome(env)])],
      limits: machineLimits(settings.cage.limits),
    };
    const programs = {
      ollama: settings.ollama,
      drivers,
      state,
      clock: systemClock,
      enclosure: createEnclosure(settings.cage.driver, run, world),
      env: userPath,
    };
    return {
      cage: { ...createCage(settings.cage.driver, run, world), tools: createToolFinder(world.home, env) },
      agents: openAgents(run, programs),
    };
  };
  const profiles = readWorkTreeProfiles(facts.root);
  const first: InForce = {
    settings: place.settings,
    profiles,
    project: openWorkTree(facts.root),
    ...make(place.settings, profiles),
  };
  const userFile = openUserFile(place, say);
  const repository = await openRepository(facts, state);
  return {
    root: facts.root,
    mustBeHere: () => {},
    configuration: new PlaceConfiguration(place, repository, userFile, { make, first, say }),
    clock: systemClock,
    journal,
    limits: () => userFile.limits(),
    ledger: NO_LEDGER,
    stateName: basename(state),
    repository,
    handoff,
    queue: createHandoffQueue(handoff),
    audit: openAudit(place),
    folders: createWorkFolders(state),
    bell: new Signal(),
    nudge: new Signal(),
    nonce: () => randomBytes(8).toString('hex'),
    digest: sha256,
    say,
  };
}

/** Why the cage of bubblewrap cannot be used on this machine; undefined when it can. */
export async function explainNoCage(env: NodeJS.ProcessEnv, registryFolder: string): Promise<string | undefined> {
  const run = processRunner(systemClock, processRegistry(registryFolder));
  return createCage('bubblewrap', run, {
    home: findHome(env),
    environment: buildChildEnvironment(env),
    hide: [],
    read: [],
  }).unavailable();
}

const pickVariables = (env: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));

/** The files and folders of certificates that the user's environment names; never a folder around a private one. */
function listCertificates(env: NodeJS.ProcessEnv, hidden: readonly string[]): readonly string[] {
  const paths = CERTIFICATE_VARIABLES.flatMap((name) => (env[name] ?? '').split(delimiter));
  return paths.filter(
    (path) => isAbsolute(path) && !hidden.some((one) => `${one}/`.startsWith(`${path.replace(/\/+$/, '')}/`)),
  );
}

/** What changes something in the project: its papers, and its git. */
const WRITES = [
  'prepare',
  'write',
  'append',
  'rename',
  'renameToFree',
  'remove',
  'take',
  'takeIn',
  'removeBeside',
  'removeAside',
  'removeArchived',
] as const;
const TAKES = ['claim', 'release', 'withdraw'] as const;
const MOVES = ['publish', 'restore', 'removeRef', 'land', 'repair'] as const;

/**
 * The world of a repository in which nothing is done to another one: before every single effect it is asked whether the
 * repository is still at its path. The journal is andon's own and accepts entries all the same.
 */
function guardRepository(services: LineServices, mustBeHere: () => void): LineServices {
  return {
    ...services,
    handoff: asking(services.handoff, WRITES, mustBeHere),
    queue: asking(services.queue, TAKES, mustBeHere),
    repository: asking(services.repository, MOVES, mustBeHere),
    mustBeHere,
  };
}

/** The same port, in which each of these functions asks first. */
function asking<Port extends object>(port: Port, names: readonly (keyof Port)[], ask: () => void): Port {
  const entries = names.map((name) => {
    const act = port[name] as (...args: readonly unknown[]) => unknown;
    return [
      name,
      (...args: readonly unknown[]): unknown => {
        ask();
        return act(...args);
      },
    ] as const;
  });
  return { ...port, ...Object.fromEntries(entries) };
}

/** The version of git; a Problem where it is too old to build merges with. What only looks needs no such git, and does not ask. */
export async function requireUsableGit({ facts }: Workspace): Promise<string> {
  const version = await readGitVersion(facts.root);
  if (version.ok) return version.value;
  throw new Problem('not-a-repository', version.why.sentence, version.why.remedy);
}
