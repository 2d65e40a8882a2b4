import { FILES, HANDOFF } from '../formats/names.ts';
import { Problem } from '../problems/problem.ts';
import { activeTask } from './active-task.ts';
import { Floor } from './floor.ts';
import { ofFormerRepository } from './former-repository.ts';
import { fulfil } from './fulfil.ts';
import { log } from './log.ts';
import { faultInRules } from './examine/rules.ts';
import { lostEnd, lostFromJournal } from './lost-journal.ts';
import { Notices } from './notify.ts';
import { holdPlace, openNotifiers, openWorld, watchPlace } from './open-floor.ts';
import type { Place } from './open-floor.ts';
import { sayLater } from './say-later.ts';
import type { News, World } from './world.ts';

/** How often the folder is looked at without any event, per project that is watched (performance.md: 0.1 % of a core). */
const RESCAN_MS = 1000;
const RESCAN_MS_PER_PROJECT = 30;

/** A running watchdog over one repository. */
export interface Watchdog {
  readonly floor: Floor;
  readonly place: Place;
  /** Resolves when the watchdog had to stop by itself; the reason says why. */
  readonly broken: Promise<string>;
  stop(): Promise<void>;
}

/** Takes the lock, recovers what was left, and watches until it is stopped. `agents` take the place of the programs. */
export async function startWatchdog(
  place: Place,
  env: NodeJS.ProcessEnv,
  say: (news: News) => void,
  { projects = 1, agents }: { readonly projects?: number; readonly agents?: World['agents'] } = {},
): Promise<Watchdog> {
  let notices: Notices | undefined;
  let breakUp: (reason: string) => void = () => {};
  const broken = new Promise<string>((resolve) => {
    breakUp = (reason) => {
      breakUp = () => {}; // told once, however long it takes until somebody stops it
      notices?.broke(reason);
      resolve(reason);
    };
  });
  const lock = await holdPlace(place, 'watch', (reason) => breakUp(`the lock was lost: ${reason}`));
  const logger = log(place.state);
  const shown = sayLater(say);
  const tell = (news: News): void => {
    logger.news(news);
    shown.say(news);
    if (news.kind === 'entry') notices?.heard(news.record);
  };
  if (lock.tookOverFrom)
    tell({ kind: 'word', level: 'warn', text: `took over from an andon that died (pid ${lock.tookOverFrom.pid})` });
  const unlock = async (): Promise<void> => {
    await lock.release();
    logger.close();
  };
  const { world, journal } = await openWorld(place, env, tell).catch(async (error: unknown) => {
    await unlock();
    throw error;
  });
  const letGo = async (error: unknown): Promise<never> => {
    journal.close();
    await unlock();
    throw error;
  };
  await refuseFormer(world).catch(letGo);
  const cut = lostEnd(place.facts.root, journal);
  if (cut !== undefined) await letGo(cutJournal(cut));
  const lost = await lostFromJournal(place.facts.root, journal, world.repository).catch(letGo);
  if (lost !== undefined) tell({ kind: 'word', level: 'warn', text: lost });
  const wrong = await faultInRules(world).catch(letGo);
  if (wrong !== undefined)
    tell({
      kind: 'word',
      level: 'warn',
      text: `the rules cannot be applied, so every task will halt: ${wrong}; see andon rules lint`,
    });
  for (const notice of place.settings.notices) tell({ kind: 'word', level: 'warn', text: notice });
  notices = new Notices(world, await openNotifiers(place, env), { hasTerminal: process.stdout.isTTY });
  const floor = new Floor({ ...world, notices, agents: agents ?? world.agents }, (error) =>
    breakUp(error instanceof Error ? error.message : String(error)),
  );
  try {
    world.handoff.prepare();
    floor.recover();
    notices.catchUp();
  } catch (error) {
    await floor.stop();
    await letGo(error);
  }

  const look = (): void => {
    void floor.look();
    answerRequests(place, floor).catch((error: unknown) =>
      breakUp(error instanceof Error ? error.message : String(error)),
    );
  };
  const watcher = watchPlace(place, look, (reason) =>
    tell({ kind: 'word', level: 'warn', text: `the watcher failed (${reason}); looking every second instead` }),
  );
  const rescan = setInterval(look, Math.max(RESCAN_MS, RESCAN_MS_PER_PROJECT * projects));
  look();
  const stop = async (): Promise<void> => {
    clearInterval(rescan);
    await watcher.close();
    await floor.stop();
    await notices.close();
    shown.flush();
    journal.close();
    await unlock();
  };
  let stopped: Promise<void> | undefined;
  return { floor, place, broken, stop: () => (stopped ??= stop()) };
}

/** What a journal without its end does not know would be done again: a human has to say from where to go on. */
const cutJournal = (cut: string): Problem =>
  new Problem(
    'journal-damaged',
    cut,
    `restore the state folder from a backup; or, to go on from what is left, move ${HANDOFF}/${FILES.transitions} away`,
    1,
  );

/** A task of a repository that lay here before is for a human to end; here it could only go wrong. */
async function refuseFormer(world: World): Promise<void> {
  const active = activeTask(world);
  const former = active === undefined ? undefined : await ofFormerRepository(world.repository, active);
  if (active !== undefined && former !== undefined)
    throw new Problem('conflict', former, `end it with: andon abandon ${active.taskId}`, 1);
}

const answering = new WeakSet<Floor>();

/** Carries out what commands ask for, one after the other. */
async function answerRequests(place: Place, floor: Floor): Promise<void> {
  if (answering.has(floor)) return;
  answering.add(floor);
  try {
    for (const { id, request } of place.requests.waiting()) {
      try {
        place.requests.answer(id, { ok: true, ...(await fulfil(floor, request)) });
      } catch (error) {
        const problem =
          error instanceof Problem
            ? error
            : new Problem('no-answer', error instanceof Error ? error.message : String(error), 'andon status', 1);
        place.requests.answer(id, {
          ok: false,
          code: problem.code,
          sentence: problem.message,
          remedy: problem.remedy,
          exitCode: problem.exitCode,
        });
      }
    }
  } finally {
    answering.delete(floor);
  }
}
