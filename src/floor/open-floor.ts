import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../adapters/clock/system-clock.ts';
import { handoffFolder } from '../adapters/handoff/folder.ts';
import { sweepHalfWritten } from '../adapters/handoff/sweep.ts';
import { dropUnsynced } from '../adapters/processes/other-boot.ts';
import { watchFolders } from '../adapters/handoff/watch.ts';
import { openJournal } from '../adapters/journal/sqlite.ts';
import { currentHolder, takeLock } from '../adapters/locks/daemon-lock.ts';
import type { HeldLock, Holder } from '../adapters/locks/daemon-lock.ts';
import { childEnvironment } from '../adapters/processes/environment.ts';
import { endLeftovers, processRegistry } from '../adapters/processes/registry.ts';
import { openRepository } from '../adapters/repository/git-repository.ts';
import { homeFolder, readIfThere, stateHome, userConfigFile } from '../adapters/settings/places.ts';
import { workFolders } from '../adapters/settings/work-folders.ts';
import { HANDOFF } from '../formats/names.ts';
import type { Handoff } from '../ports/handoff.ts';
import type { Journal } from '../ports/journal.ts';
import type { Notifiers } from '../ports/notifier.ts';
import type { Repository, RepositoryFacts } from '../ports/repository.ts';
import { Problem } from '../problems/problem.ts';
import { Bell } from './bell.ts';
import { auditOf } from './open-place.ts';
import type { Place } from './open-place.ts';
import type { News, World } from './world.ts';

export type { Journal } from '../ports/journal.ts';
export type { Place } from './open-place.ts';
export { auditOf, findPlace, replaceFile, whyNoWrites } from './open-place.ts';
export { NO_JOURNAL } from '../adapters/journal/no-journal.ts';
export { readIfThere, readPlainFile } from '../adapters/settings/places.ts';

/** Ends every process that is noted as running for this repository, and says how many there were. */
export const endProcesses = (place: Place): number => endLeftovers(join(place.state, 'running'));

/** The repository's world for whoever holds its lock. Leftovers of a crashed andon are ended first. */
export async function openWorld(
  place: Place,
  env: NodeJS.ProcessEnv,
  say: (news: News) => void,
): Promise<{ world: World; journal: Journal }> {
  const left = endProcesses(place);
  sweepHalfWritten(join(place.facts.root, HANDOFF), place.state);
  dropUnsynced(place.state);
  if (left > 0)
    say({
      kind: 'word',
      level: 'warn',
      text: `ended ${left} process${left === 1 ? '' : 'es'} that an earlier andon left running`,
    });
  const world = await buildWorld(place, env, say, wholeJournal(place));
  await world.repository.repair();
  return { world, journal: world.journal };
}

/** The journal for whoever writes; refused where its chain is broken, for what followed would rest on it. */
function wholeJournal({ state }: Place): Journal {
  const journal = openJournal(join(state, 'journal.sqlite'));
  let damage: number | string | undefined;
  try {
    damage = journal.verify();
  } catch (error) {
    damage = error instanceof Error ? error.message : String(error);
  }
  if (damage === undefined) return journal;
  journal.close();
  const where = typeof damage === 'number' ? `is damaged at entry ${damage}` : `cannot be read: ${damage}`;
  throw new Problem(
    'journal-damaged',
    `the journal in ${state} ${where}`,
    'restore it from a backup; nothing was changed',
    1,
  );
}

/** Joins all ports for one repository. */
export async function buildWorld(
  place: Place,
  env: NodeJS.ProcessEnv,
  say: (news: News) => void,
  journal: Journal,
  /** The folder in which live processes are noted; whoever starts as the watchdog ends those in `running`. */
  register = 'running',
): Promise<World> {
  const { facts, settings, state } = place;
  const { cage, claude, ollama, processRunner } = await loadWorkers();
  const run = processRunner(systemClock, processRegistry(join(state, register)));
  const userPath = { ...env, PATH: env['ANDON_PATH'] ?? env['PATH'] };
  const shell = childEnvironment(userPath, settings.cage.env);
  const ollamaEnv = childEnvironment(userPath, ['OLLAMA_HOST', 'OLLAMA_MODELS', 'HTTP_PROXY', 'HTTPS_PROXY'], {
    NO_PROXY: '127.0.0.1,localhost',
    TERM: 'dumb',
    ...settings.agents.ollama.env,
  });
  const claudeEnv = childEnvironment(
    userPath,
    [
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_BASE_URL',
      'ANTHROPIC_AUTH_TOKEN',
      'CLAUDE_CODE_OAUTH_TOKEN',
      'CLAUDE_CONFIG_DIR',
      'HTTP_PROXY',
      'HTTPS_PROXY',
      'NO_PROXY',
      'NODE_EXTRA_CA_CERTS',
    ],
    settings.agents.claude.env,
  );
  return {
    root: facts.root,
    settings,
    clock: systemClock,
    journal,
    repository: await openRepository(facts, state),
    handoff: handoffFolder(facts.root),
    cage: cage(settings.cage.driver, run, {
      home: homeFolder(env),
      environment: shell,
      hide: [facts.root, facts.commonDir, ...mainCheckout(facts), stateHome(env), dirname(userConfigFile(env))],
      read: settings.cage.read,
    }),
    agents: {
      ollama: ollama(run, { ...settings.agents.ollama, env: ollamaEnv }),
      claude: claude(run, { ...settings.agents.claude, env: claudeEnv }),
    },
    audit: auditOf(place),
    folders: workFolders(state),
    bell: new Bell(),
    nudge: new Bell(),
    baseResults: new Map(),
    nonce: () => randomBytes(8).toString('hex'),
    digest: (text) => createHash('sha256').update(text).digest('hex'),
    say,
  };
}

/** What runs programs is loaded only by commands that run some: it takes longer than a short command may. */
async function loadWorkers() {
  const [run, agents, cages] = await Promise.all([
    import('../adapters/processes/run.ts'),
    Promise.all([import('../adapters/agents/ollama.ts'), import('../adapters/agents/claude.ts')]),
    import('../adapters/cage/cage.ts'),
  ]);
  return { ...run, ...agents[0], ...agents[1], ...cages };
}

/** The ways to tell you of events that lead out of the terminal, as you configured them and as this machine has them. */
export async function openNotifiers(
  { settings, state }: Place,
  env: NodeJS.ProcessEnv,
  register = 'running',
): Promise<Notifiers> {
  const { VARIABLES, notifiers } = await import('../adapters/notifier/notifiers.ts');
  const { processRunner } = await import('../adapters/processes/run.ts');
  const run = processRunner(systemClock, processRegistry(join(state, register)));
  const visible = childEnvironment({ ...env, PATH: env['ANDON_PATH'] ?? env['PATH'] }, VARIABLES);
  return notifiers(settings.notifications, { run, folder: state, env: visible }, env);
}

/** The main checkout, when this one is a linked worktree of it. */
const mainCheckout = ({ commonDir }: RepositoryFacts): readonly string[] =>
  basename(commonDir) === '.git' ? [dirname(commonDir)] : [];

/** A command holds the lock for moments; whoever comes in between waits so long. */
const MOMENTS_MS = 3000;

/** Takes the repository's lock; throws a Problem that names the holder when there is one that stays. */
export async function holdPlace(place: Place, doing: string, lost: (reason: string) => void): Promise<HeldLock> {
  const where = { stateFolder: place.state, commonDir: place.facts.commonDir };
  let lock = await takeLock(where, doing, lost);
  for (const end = performance.now() + MOMENTS_MS; !lock.ok && performance.now() < end;) {
    if (currentHolder(place.state)?.doing === 'watch') break;
    await sleep(50);
    lock = await takeLock(where, doing, lost);
  }
  if (!lock.ok)
    throw new Problem(
      'busy',
      lock.why.pid === 0
        ? 'another andon works in this repository, by another path or for another user'
        : `another andon (pid ${lock.why.pid}, ${lock.why.doing}) works in this repository`,
      'use it, or stop it first',
      1,
    );
  return lock.value;
}

/** The andon that works in this repository now; undefined when there is none. */
export const holderOf = (place: Place): Holder | undefined => currentHolder(place.state);

/** The journal for reading; undefined when no task was ever admitted here (or a first daemon is just making it). */
export function readJournal(place: Place): Journal | undefined {
  const file = join(place.state, 'journal.sqlite');
  if (!existsSync(file)) return undefined;
  try {
    return openJournal(file, { readOnly: true });
  } catch (error) {
    if (error instanceof Error && error.message.includes('no such table')) return undefined;
    throw error;
  }
}

/** Watches the folders of a place; `changed` only means "look now". */
export const watchPlace = (
  place: Place,
  changed: () => void,
  trouble: (reason: string) => void,
): { close(): Promise<void> } =>
  watchFolders(join(place.facts.root, HANDOFF), join(place.state, 'requests'), changed, trouble);

/** The repository for reading, without a lock. */
export const openForReading = (place: Place): Promise<Repository> => openRepository(place.facts, place.state);

/** What was sent to an agent, or what it answered; undefined when it is gone. */
export const keptCall = (place: Place, taskId: string, call: number, what: 'prompt' | 'answer'): string | undefined =>
  workFolders(place.state).readCall(taskId, call, what);

/** For sample projects and drills: a new repository, a commit in it as a user makes one, andon as a process of its own. */
export { commitFiles, newRepository as makeRepository } from '../adapters/repository/new-repository.ts';
export { startAndon } from '../adapters/processes/start-andon.ts';
export { openChanges } from '../adapters/repository/changes.ts';
export { openVercelModel } from '../adapters/language-model/vercel.ts';

/** Why the cage of bubblewrap cannot be used on this machine; undefined when it can. */
export async function whyNoCage(env: NodeJS.ProcessEnv, registryFolder: string): Promise<string | undefined> {
  const { cage, processRunner } = await loadWorkers();
  const run = processRunner(systemClock, processRegistry(registryFolder));
  return cage('bubblewrap', run, {
    home: homeFolder(env),
    environment: childEnvironment(env),
    hide: [],
    read: [],
  }).unavailable();
}

/** The user's own configuration as it lies on disk; undefined when there is none. */
export const readUserConfig = ({ userConfig }: Place): string | undefined => readIfThere(userConfig);

/** The `_handoff/` folder of a project. */
export const handoffAt = (root: string): Handoff => handoffFolder(root);
