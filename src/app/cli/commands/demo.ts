import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { FILES, HANDOFF, TERMINAL } from '../../../base/names.ts';
import type { TaskRecord } from '../../../line/record/task-record.ts';
import { toTerminal } from '../../../base/plain-text.ts';
import { explainUncaged, makeDemoPlace, sampleProject } from '../../drills/demo-place.ts';
import { loadWorkspace } from '../../../project/workspace/load-workspace.ts';
import { openForReading } from '../../../project/workspace/open-reader.ts';
import { keepWatch } from '../../../line/daemon/keep-watch.ts';
import type { LineEvent } from '../../../line/services/services.ts';
import { formatCount } from '../../../base/format-count.ts';
import { createEventPrinter } from '../event-printer.ts';
import { printErrorLine, printLine, colourText } from '../print.ts';
import { onFirstSignal } from '../signals.ts';
import type { Invocation } from '../command.ts';

/** `andon demo`: the whole line for real (git, files, processes, cage, breakers, resume), only the agents are stand-ins. */
export async function run({ options, env, onSignal }: Invocation): Promise<number> {
  const noCage = await explainUncaged(env);
  const demo = await makeDemoPlace(env, noCage === undefined);
  const place = await loadWorkspace(demo.repository, demo.env);
  introduce(demo.repository, noCage);

  const { first: firstContract, second: secondContract, third: thirdContract } = sampleProject().contracts;
  const ending = waiter();
  const print = createEventPrinter();
  const dog = await keepWatch(place, demo.env, (news) => {
    print(news);
    ending.hear(news);
  });
  const interrupted = new Promise<never>((_, reject) => {
    onFirstSignal({ onSignal }, () => reject(new Interrupted()));
  });
  void dog.broken.then((reason) => ending.fail(reason));
  try {
    heading('1. A contract is submitted: _handoff/TASK_CONTRACT.json');
    drop(demo.repository, FILES.contract, firstContract);
    const first = await Promise.race([ending.of(firstContract.task_id), interrupted]);

    heading('2. A second contract, which cannot go on by itself');
    drop(demo.repository, FILES.contract, secondContract);
    await Promise.race([ending.of(secondContract.task_id), interrupted]);
    await shown(join(demo.repository, HANDOFF, FILES.halt));

    heading('3. A third contract is submitted: the second one is set aside, and the line goes on');
    drop(demo.repository, `${FILES.queue}/${thirdContract.task_id}.json`, thirdContract);
    const third = await Promise.race([ending.of(thirdContract.task_id), interrupted]);
    printLine(`  the second one waits in ${HANDOFF}/${FILES.tasks}/${secondContract.task_id}/`);

    heading(`4. A human chooses path 1 (here the demo does: andon resume ${secondContract.task_id} --path 1)`);
    const choice = {
      taskId: secondContract.task_id,
      path: 1,
      haltId: undefined,
      by: 'demo',
      how: 'andon demo',
    } as const;
    await dog.line.pollLoop.inTurn(() => dog.line.resume(choice));
    const second = await Promise.race([ending.of(secondContract.task_id), interrupted]);
    const records = [first, second, third];
    await summary(demo.repository, place, records);
    return records.every(({ status }) => status === 'merged') ? 0 : 1;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    printErrorLine('interrupted');
    return 130;
  } finally {
    await dog.stop();
    if (options['keep'] === true) {
      printLine(`\nThe sample project stays in ${demo.repository}. andon's state is beside it:`);
      printLine(`  cd ${demo.repository}`);
      printLine(`  export XDG_STATE_HOME=${demo.env['XDG_STATE_HOME']} XDG_CONFIG_HOME=${demo.env['XDG_CONFIG_HOME']}`);
      printLine('  andon list');
    } else demo.remove();
  }
}

class Interrupted extends Error {}

function introduce(repository: string, noCage: string | undefined): void {
  printLine(colourText('bold', 'andon demo: the factory line on a sample project'));
  printLine(`  repository   ${repository}`);
  printLine(
    `  agents       ${colourText('yellow', 'STAND-INS: scripted programs in place of ollama and claude. No model is asked; the dollars shown are made up.')}`,
  );
  printLine(
    `  cage         ${noCage === undefined ? 'bubblewrap: gates run without network and may write only to their own copy' : colourText('yellow', `none: ${noCage}. The demo's own gate (a shell script) runs without it.`)}`,
  );
  printLine('  everything else is real: git, files, processes, breakers, halt and resume.');
}

function heading(text: string): void {
  printLine();
  printLine(colourText('bold', text));
}

function drop(repository: string, name: string, contract: object): void {
  writeFileSync(join(repository, HANDOFF, name), `${JSON.stringify(contract, null, 2)}\n`);
}

/** Waits for a task to be merged, given up or halted. */
function waiter() {
  const waiting = new Map<string, { resolve(record: TaskRecord): void; reject(error: Error): void }>();
  return {
    hear(news: LineEvent): void {
      if (news.kind !== 'entry' || news.entry.kind !== 'moved') return;
      const { record } = news;
      if (TERMINAL.includes(record.status) || record.status === 'erik_consultation')
        waiting.get(record.taskId)?.resolve(record);
    },
    of: (taskId: string): Promise<TaskRecord> =>
      new Promise((resolve, reject) => waiting.set(taskId, { resolve, reject })),
    fail(reason: string): void {
      for (const one of waiting.values()) one.reject(new Error(reason));
    },
  };
}

/** Prints the first screen of the halt report when it appears. */
async function shown(file: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    try {
      const body = readFileSync(file, 'utf8');
      printLine(colourText('dim', '  ┌ _handoff/ERIK_HALT.md'));
      for (const row of body.split('\n## The Conflict')[0]?.trim().split('\n') ?? [])
        printLine(`${colourText('dim', '  │')} ${toTerminal(row)}`);
      printLine(colourText('dim', '  └ … then both sides, the facts, the change and other ways'));
      return;
    } catch {
      await sleep(20);
    }
  }
}

async function summary(
  repository: string,
  place: Awaited<ReturnType<typeof loadWorkspace>>,
  records: readonly TaskRecord[],
): Promise<void> {
  heading('Done');
  for (const record of records) {
    printLine(
      `  ${record.taskId}: ${record.status}, ${formatCount(record.attempt, 'attempt')}, sent back ${formatCount(record.reviewCycles, 'time')}, ${formatCount(record.calls.length, 'call')} to stand-ins (made-up cost $${record.spent.usd.toFixed(4)})`,
    );
  }
  printLine();
  for (const row of (await (await openForReading(place)).log('refs/heads/main')).split('\n'))
    printLine(`  ${toTerminal(row)}`);
  printLine();
  printLine(`  The checkout in ${repository} was fast-forwarded; no other tracked file in it was touched.`);
  heading('For a repository of your own');
  printLine('  andon init       write _handoff/ and .andon/config.yaml');
  printLine('  andon doctor     check ollama, claude, the cage and your gates');
  printLine('  andon new "…"    write a contract for a sentence');
  printLine('  andon watch      run the line');
  printLine('  Not installed? Type `npm link` in the clone, or in your repository `npm --prefix CLONE start -- init`.');
}
