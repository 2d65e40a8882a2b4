import { hardLimit, stallLimit } from '../breakers/stalled.ts';
import { FILES } from '../formats/names.ts';
import { Problem } from '../problems/problem.ts';
import { briefJudge } from '../stations/judge.ts';
import { activeTask } from './active-task.ts';
import { buildWorld, readJournal, watchPlace } from './open-floor.ts';
import type { Place } from './open-floor.ts';
import { layDesk } from './steps/judge.ts';
import type { World } from './world.ts';

/**
 * The seed's watcher loop, done right: takes each review request by renaming it, runs the judge once, and writes
 * `JUDGE_REPORT.json`. For use beside a watchdog whose configuration says `judge: external`.
 */
export async function judgeRequests(
  place: Place,
  env: NodeJS.ProcessEnv,
  { once }: { readonly once: boolean },
  told: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  if (!(await isWanted(place, env)))
    throw new Problem(
      'bad-configuration',
      'this repository lets andon run the judge itself',
      'say `judge: external` in .andon/config.yaml',
      2,
    );
  told(`waiting for review requests in ${place.facts.root}. Ctrl-C stops.`);
  let wake: () => void = () => {};
  const watcher = watchPlace(place, () => wake(), told);
  const timer = setInterval(() => wake(), 1000); // an event can be lost
  signal.addEventListener('abort', () => wake(), { once: true });
  try {
    while (!signal.aborted) {
      const judged = await judgeOne(place, env, told, signal);
      if (judged && once) return;
      if (!judged && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    clearInterval(timer);
    await watcher.close();
  }
}

/** Somebody outside judges by configuration, or by a human's choice for the task on the line. */
async function isWanted(place: Place, env: NodeJS.ProcessEnv): Promise<boolean> {
  if (place.settings.judgeIsOutside) return true;
  const journal = readJournal(place);
  if (journal === undefined) return false;
  try {
    return activeTask(await buildWorld(place, env, () => {}, journal, 'judging'))?.judgedOutside === true;
  } finally {
    journal.close();
  }
}

async function judgeOne(
  place: Place,
  env: NodeJS.ProcessEnv,
  told: (text: string) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const journal = readJournal(place);
  if (journal === undefined) return false;
  try {
    const world = await buildWorld(place, env, () => {}, journal, 'judging');
    const record = activeTask(world);
    if (record?.change === undefined || !claim(world)) return false;
    told(`${record.taskId}: judging ${record.change.commit.slice(0, 12)}`);
    const { prompt, schema } = briefJudge(record);
    const result = await world.agents.claude.run({
      prompt,
      ...(schema === undefined ? {} : { schema }),
      model: place.settings.agents.claude.model ?? '',
      folder: await layDesk(world, record),
      idleMs: stallLimit(record, 'judge') * 60_000,
      hardMs: hardLimit(record, 'judge') * 60_000,
      signal,
    });
    if (result.ok) world.handoff.write(FILES.judgeReportJson, `${JSON.stringify(result.value.structured, null, 2)}\n`);
    world.handoff.remove(FILES.reviewInProgress);
    told(`${record.taskId}: ${result.ok ? 'report written' : `no report (${result.why.kind}: ${result.why.detail})`}`);
    return true;
  } finally {
    journal.close();
  }
}

/** Only one of several judges wins the rename. */
const claim = ({ handoff }: World): boolean => handoff.rename(FILES.reviewRequest, FILES.reviewInProgress);
