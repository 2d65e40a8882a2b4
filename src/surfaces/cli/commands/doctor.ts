import { toTerminalLine } from '../../../base/plain-text.ts';
import type { DoctorCheck } from '../../../setup/doctor/check.ts';
import { repair } from '../../../setup/doctor/repair.ts';
import { examine } from '../../../setup/doctor/doctor.ts';
import { Problem } from '../../../base/problem.ts';
import { readInUse } from '../../../wiring/configuration-in-use.ts';
import { loadWorkspace } from '../../../wiring/load-workspace.ts';
import { openHolder } from '../../../wiring/open-reader.ts';
import { hasFlag, listGivenOptions } from '../options.ts';
import { printJson, printLine, printSentence, colourText } from '../print.ts';
import { createProgress } from '../progress.ts';
import { conflictingOptions } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

const MARKS = { ok: ['green', 'ok  '], warn: ['yellow', 'warn'], fail: ['red', 'FAIL'] } as const;

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
  if (other === 'journal') return (await import('../actions/verify-journal.ts')).verifyJournal(invocation);
  if (other === 'notify') return (await import('../actions/test-channels.ts')).testChannels(invocation);
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
    for (const { done, text } of repairs) print({ name: 'repair', state: done ? 'ok' : 'warn', detail: text });
  const place = repairs.length === 0 ? found : await loadWorkspace(cwd, env);
  const checks: DoctorCheck[] = [];
  const progress = createProgress();
  for await (const check of examine(place, env, {
    gates: options['gates'] !== false,
    load: hasFlag(options, 'load'),
    tell: (doing) => progress.show(doing),
  })) {
    progress.clear();
    checks.push(check);
    if (!asJson) print(check);
  }
  progress.clear();
  const isWell = checks.every(({ state }) => state !== 'fail');
  if (asJson) printJson({ repository: place.facts.root, well: isWell, checks, repairs });
  return isWell ? 0 : 1;
}

function print({ name, state, detail, remedy }: DoctorCheck): void {
  const [style, mark] = MARKS[state];
  printSentence(`${colourText(style, mark)}  ${name.padEnd(16)} ${toTerminalLine(detail, 300)}`);
  if (state !== 'ok' && remedy !== undefined)
    printLine(`                        ${colourText('dim', toTerminalLine(remedy, 300))}`);
}
