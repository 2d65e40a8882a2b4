import { formatCount } from '../../../base/format-count.ts';
import { failedCheck, passedCheck, type DoctorCheck } from '../../setup/doctor/doctor-check.ts';
import { repair } from '../../setup/doctor/repair.ts';
import { examine } from '../../setup/doctor/examine.ts';
import { Problem } from '../../../base/problem.ts';
import { readInUse } from '../../../line/services/configuration-in-use.ts';
import { loadWorkspace } from '../../../project/workspace/load-workspace.ts';
import { openHolder, openForReading } from '../../../project/workspace/open-reader.ts';
import { hasFlag, listGivenOptions } from '../options.ts';
import { printJson, printLine, printCheck, colourText } from '../print.ts';
import { createProgress } from '../create-progress.ts';
import { conflictingOptions } from '../usage-errors.ts';
import { testNotifications } from '../../../line/notify/notify-test.ts';
import { abortOnSignal } from '../signals.ts';
import { ringBell, setTitle } from '../terminal.ts';
import type { Invocation } from '../command.ts';
import { noteReds } from '../../../line/upkeep/doctor-reds.ts';
import { verify } from '../../../line/upkeep/verify.ts';
import { withJournal } from '../tasks.ts';

/**
 * `andon doctor`: one line for each thing the line needs, with a remedy for every one that is not well. Exit code 0 when
 * nothing is red, 1 when something is, 2 when there is no repository here or the configuration cannot be read. `--json`
 * prints `{repository, well, checks: [{name, state, detail, remedy?}], repairs: [{done, text}]}`.
 */
export async function run(invocation: Invocation): Promise<number> {
  const { options, cwd, env } = invocation;
  const [other, ...more] = listGivenOptions(options, ['journal', 'notify', 'fix', 'load']);
  if ((other === 'journal' || other === 'notify') && more.length > 0)
    throw conflictingOptions(
      [other, ...more].map((name) => `--${name}`),
      `andon doctor --${other}`,
    );
  if (other === 'journal') return verifyJournal(invocation);
  if (other === 'notify') return testChannels(invocation);
  const asJson = hasFlag(options, 'json');
  const found = await loadWorkspace(cwd, env, { tolerates: 'everything' });
  if (found.faults !== undefined) {
    const inUse = openHolder(found)?.doing === 'watch' ? readInUse(found) : undefined;
    throw new Problem(
      'bad-configuration',
      [...found.faults, ...(inUse?.gaps ?? [])],
      'Correct the file, then run `andon doctor`.',
    );
  }
  const repairs = hasFlag(options, 'fix') ? await repair(found, env) : [];
  if (!asJson)
    for (const { done, text } of repairs) printCheck({ name: 'repair', state: done ? 'ok' : 'warn', detail: text });
  const place = repairs.length === 0 ? found : await loadWorkspace(cwd, env, { tolerates: 'nothing' });
  const checks: DoctorCheck[] = [];
  const progress = createProgress();
  for await (const check of examine(place, env, {
    gates: options['gates'] !== false,
    load: hasFlag(options, 'load'),
    tell: (doing) => progress.show(doing),
  })) {
    progress.clear();
    checks.push(check);
    if (!asJson) printCheck(check);
  }
  progress.clear();
  noteReds(place, checks, { at: new Date().toISOString(), gates: options['gates'] !== false });
  const isWell = checks.every(({ state }) => state !== 'fail');
  if (asJson) printJson({ repository: place.facts.root, well: isWell, checks, repairs });
  return isWell ? 0 : 1;
}

/** `andon doctor --journal`: whether the journal's chain is whole and git still holds all that it names. */
const verifyJournal = (invocation: Invocation): Promise<number> =>
  withJournal(
    invocation,
    async (journal, place) => {
      const asJson = hasFlag(invocation.options, 'json');
      if (journal === undefined && !asJson) {
        printLine('No task was ever admitted in this repository, so there is nothing to verify.');
        return 0;
      }
      const found = journal === undefined ? NOTHING : await verify(journal, await openForReading(place));
      const { entries, tasks, commits, brokenAt, discrepancies: faults } = found;
      if (asJson)
        printJson({
          entries,
          tasks,
          commits,
          broken_at: brokenAt ?? null,
          faults: faults.map(({ taskId, what, remedy }) => ({ task_id: taskId, what, remedy })),
        });
      else {
        printCheck(
          brokenAt === undefined
            ? passedCheck('journal', `${entries} entries, the chain of hashes is whole`)
            : failedCheck('journal', `entry ${brokenAt} of ${entries} is not what andon wrote there`, RESTORE),
        );
        const all = `${formatCount(commits, 'commit')} of ${formatCount(tasks, 'task')}`;
        if (faults.length === 0) printCheck(passedCheck('git', `all ${all} are where the journal says`));
        for (const { taskId, what, remedy } of faults) printCheck(failedCheck(taskId, what, remedy));
      }
      return brokenAt === undefined && faults.length === 0 ? 0 : 1;
    },
    { checked: false },
  );

const NOTHING: Awaited<ReturnType<typeof verify>> = {
  entries: 0,
  tasks: 0,
  commits: 0,
  brokenAt: undefined,
  discrepancies: [],
};
const RESTORE = 'it was edited, or the disk lost it; restore the state folder from a backup, or trust nothing after it';

/**
 * `andon doctor --notify`: sends a test event over every channel. Exit code 1 when one failed. `--json` prints
 * `[{channel, state: worked|failed|off, detail}]`.
 */
async function testChannels(invocation: Invocation): Promise<number> {
  const { options, cwd, env } = invocation;
  const asJson = hasFlag(options, 'json');
  const place = await loadWorkspace(cwd, env);
  const terminal = asJson ? { bell: () => false, title: () => false } : { bell: ringBell, title: setTitle };
  const tested = await testNotifications(place, env, terminal, abortOnSignal(invocation));
  if (asJson) printJson(tested);
  else {
    for (const { channel, state, detail } of tested) printCheck({ name: channel, state: TESTED[state], detail });
    printLine(colourText('dim', `channels are set under \`notifications\` in ${place.userConfig}`));
  }
  return tested.some(({ state }) => state === 'failed') ? 1 : 0;
}

const TESTED = { worked: 'ok', off: 'off', failed: 'fail' } as const;
