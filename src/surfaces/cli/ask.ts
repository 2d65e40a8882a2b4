import { userInfo } from 'node:os';
import type { Answer, Request } from '../../formats/request.ts';
import { catchUpPapers } from '../../floor/catch-up-papers.ts';
import { Floor } from '../../floor/floor.ts';
import { fulfil } from '../../floor/fulfil.ts';
import { findPlace, holdPlace, holderOf, openWorld } from '../../floor/open-floor.ts';
import type { News } from '../../floor/world.ts';
import { Problem } from '../../problems/problem.ts';
import type { ProblemCode } from '../../problems/problem.ts';
import type { Invocation } from './commands/command.ts';
import { warningLine } from './print.ts';

/** A daemon that ends a task's processes first may need a few seconds to answer; one that runs gates, minutes. */
const ANSWER_MS = {
  resume: 20_000,
  abandon: 20_000,
  halt: 20_000,
  retry: 20_000,
  pause: 20_000,
  unpause: 20_000,
  undo: 3_600_000,
};

/** Has a request carried out: by the running watchdog, or here and now when there is none. */
export async function carryOut(
  { cwd, env }: Invocation,
  request: Request,
): Promise<{
  readonly status: string;
  readonly reason: string;
  readonly commit: string | null;
  readonly watchdog: boolean;
}> {
  const place = await findPlace(cwd, env);
  if (holderOf(place) !== undefined) {
    const answer = await place.requests.ask(request, ANSWER_MS[request.do], () => holderOf(place) !== undefined);
    if (answer === undefined)
      throw new Problem('no-answer', 'the watchdog did not answer', 'andon status shows whether it is alive', 1);
    return { ...accepted(answer), watchdog: true };
  }
  const lock = await holdPlace(place, request.do, () => {});
  try {
    const { world, journal } = await openWorld(place, env, warn);
    try {
      catchUpPapers(world);
      const floor = new Floor(world, (error) => {
        throw error;
      });
      floor.looks.stop(); // nobody goes on with the next task
      return { ...(await fulfil(floor, request)), watchdog: false };
    } finally {
      journal.close();
    }
  } finally {
    await lock.release();
  }
}

/** Of the news only what a watchdog would warn of; what came of the request is the answer. */
const warn = (news: News): void => {
  if (news.kind === 'word' && news.level === 'warn') warningLine(news.text);
};

/** Who chose, for the journal. */
export function whoAmI(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

function accepted(answer: Answer): { status: string; reason: string; commit: string | null } {
  if (answer.ok) return answer;
  throw new Problem(answer.code as ProblemCode, answer.sentence, answer.remedy, answer.exitCode);
}
