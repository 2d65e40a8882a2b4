import { hardLimit, stallLimit } from '../../line/breakers/stalled.ts';
import { FILES } from '../../base/names.ts';
import { Problem } from '../../base/problem.ts';
import type { Transcript } from '../../ports/agent.ts';
import { DESK, hasOpenedChange } from '../../line/stations/desk.ts';
import { briefJudge } from '../../line/stations/judge.ts';
import { activeTask } from '../journal/active-task.ts';
import { readJournal } from '../wiring/open-journal.ts';
import { buildServices } from '../wiring/open-services.ts';
import { watchPlace } from '../wiring/watch-place.ts';
import type { Place } from '../wiring/open-place.ts';
import { layDesk } from './review-workspace.ts';
import { onceWritable } from '../calls/received-answer.ts';
import { whoWorks } from '../calls/who-works.ts';
import type { Services } from '../wiring/services.ts';

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
    return activeTask(await buildServices(place, env, () => {}, journal, 'judging'))?.judgedOutside === true;
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
    const services = await buildServices(place, env, () => {}, journal, 'judging');
    const record = activeTask(services);
    if (record?.change === undefined || !claim(services)) return false;
    told(`${record.taskId}: judging ${record.change.commit.slice(0, 12)}`);
    const { prompt, schema } = briefJudge(record);
    const folder = await layDesk(services, record);
    const { agent, model } = whoWorks(services, record, 'judge');
    const result = await agent.run({
      prompt,
      ...(schema === undefined ? {} : { schema }),
      model,
      folder,
      idleMs: stallLimit(record, 'judge') * 60_000,
      hardMs: hardLimit(record, 'judge') * 60_000,
      signal,
    });
    const why = result.ok ? whyUnproven(result.value, folder) : `no report (${result.why.kind}: ${result.why.detail})`;
    if (result.ok && why === undefined) {
      const text = `${JSON.stringify(result.value.structured, null, 2)}\n`;
      await onceWritable(services, signal, () => void services.handoff.write(FILES.judgeReportJson, text));
    }
    services.handoff.remove(FILES.reviewInProgress);
    told(`${record.taskId}: ${why ?? 'report written'}`);
    return true;
  } finally {
    journal.close();
  }
}

/** Only one of several judges wins the rename. */
const claim = ({ handoff }: Pick<Services, 'handoff'>): boolean =>
  handoff.rename(FILES.reviewRequest, FILES.reviewInProgress);

/** A PASS of a judge that andon ran is none where nothing shows that the change was opened. */
function whyUnproven({ structured, opened = [] }: Transcript, folder: string): string | undefined {
  const { verdict } = { verdict: undefined, ...(structured as object | undefined) };
  return verdict === 'PASS' && !hasOpenedChange(opened, folder)
    ? `no report (it says PASS, but nothing shows that it has opened ${DESK.diff}, the change)`
    : undefined;
}
