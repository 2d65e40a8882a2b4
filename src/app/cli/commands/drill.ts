import { dirname, join } from 'node:path';
import { chooseDrills, allDrills } from '../../drills/all-drills.ts';
import type { Drill } from '../../drills/drill.ts';
import { explainUncaged } from '../../drills/demo-place.ts';
import { hasGate, runDrills, type DrillResult, type Played } from '../../drills/run-drill.ts';
import { hasFlag, readNumberOption } from '../options.ts';
import { printErrorLine, printJson, printLine, colourText } from '../print.ts';
import { abortOnSignal } from '../signals.ts';
import type { Invocation } from '../command.ts';
import { formatDifference, type DrillCheck } from '../../drills/run-drill.ts';
import { toTerminal, toTerminalLine } from '../../../base/plain-text.ts';

/** Drills at a time, unless --jobs says otherwise. */
const JOBS = 2;

/** `andon drill`: does a fault to the real line on purpose, in a temporary repository, and looks what comes of it. */
export async function run(invocation: Invocation): Promise<number> {
  const { args, options, env } = invocation;
  const names = (args[0] as readonly string[] | undefined) ?? [];
  const asJson = hasFlag(options, 'json');
  if (names.length === 0) return list(asJson);
  const chosen = chooseDrills(names);
  const jobs = readNumberOption(options, 'jobs', { from: 1, to: 64, example: 'andon drill all --jobs 2' }) ?? JOBS;
  const uncaged = chosen.some(hasGate) ? await explainUncaged(env) : undefined;
  if (!asJson) introduce(chosen, uncaged);

  const signal = abortOnSignal(invocation);
  const began = performance.now();
  const ground = { env, caged: uncaged === undefined, keep: hasFlag(options, 'keep'), signal };
  const results = await runDrills(chosen, ground, {
    jobs,
    onResult: (result) => (asJson ? undefined : printDrill(result)),
  });
  const ms = Math.round(performance.now() - began);
  if (signal.aborted) {
    printErrorLine('interrupted');
    return 130;
  }
  if (asJson) printJson(toJson(results, ms, uncaged));
  else printTotal(results, ms);
  return results.length === chosen.length && results.every(({ passed }) => passed) ? 0 : 1;
}

function list(asJson: boolean): number {
  const drills = allDrills();
  if (asJson) {
    printJson(drills.map(({ name, breaker, injects }) => ({ name, injects, breaker: breaker ?? null })));
    return 0;
  }
  printLine(colourText('bold', 'andon drill: break the real line on purpose, in temporary repositories'));
  for (const { name, injects, breaker } of drills) {
    const must = breaker === undefined ? 'the line must get through by itself' : `${breaker} must trip`;
    printLine(`  ${name.padEnd(20)} ${injects}; ${must}`);
  }
  printLine();
  printLine('Each also runs one step below its boundary, where nothing may trip. Nothing of yours is touched.');
  printLine('Run `andon drill all` to run all of them (some minutes).');
  return 0;
}

function introduce(chosen: readonly Drill[], uncaged: string | undefined): void {
  printLine(
    colourText('bold', `andon drill: ${chosen.length} drill${chosen.length === 1 ? '' : 's'} on the real line`),
  );
  printLine(
    `  agents  ${colourText('yellow', 'STAND-INS: scripted programs in place of ollama and claude. No model is asked, no money is spent.')}`,
  );
  if (chosen.some(hasGate))
    printLine(
      `  cage    ${uncaged === undefined ? 'bubblewrap, for the gates of the drills' : colourText('yellow', `none: ${uncaged}. The gates of the drills (one line of shell each) run without it.`)}`,
    );
  printLine('  everything else is real: git, files, processes, breakers, halt and resume.');
}

/** One drill for people: for each situation what was injected, what the line did, and whether that is as it must be. */
function printDrill({ name, ms, situations }: DrillResult): void {
  printLine();
  printLine(`${colourText('bold', name)}  ${colourText('dim', seconds(ms))}`);
  for (const played of situations) printSituation(played);
}

/** The last line of a run, as machines count it. */
function printTotal(results: readonly DrillResult[], ms: number): void {
  const failed = results.filter(({ passed }) => !passed);
  printLine();
  if (failed.length > 0) printLine(colourText('red', `failed: ${failed.map(({ name }) => name).join(', ')}`));
  printLine(`${results.length - failed.length} passed, ${failed.length} failed (${seconds(ms)})`);
}

const toJson = (results: readonly DrillResult[], ms: number, uncaged: string | undefined): object => ({
  passed: results.filter(({ passed }) => passed).length,
  failed: results.filter(({ passed }) => !passed).length,
  ms,
  cage: uncaged === undefined ? 'bubblewrap' : 'none',
  drills: results.map(({ name, breaker, passed, ms: took, situations }) => ({
    name,
    breaker: breaker ?? null,
    passed,
    ms: took,
    situations: situations.map(({ injected, did, figures, checks, kept }) => ({
      injected,
      did,
      figures: Object.fromEntries(
        Object.entries(figures ?? {}).map(([key, count]) => [key.replaceAll(' ', '_'), count]),
      ),
      checks,
      kept: kept ?? null,
    })),
  })),
});

function printSituation({ injected, did, figures, checks, kept }: Played): void {
  const counted = Object.entries(figures ?? {})
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
  printLine(`  ${colourText('dim', 'injected')}  ${toTerminal(injected)}`);
  printLine(
    `  ${colourText('dim', 'the line')}  ${toTerminal(did)}${counted === '' ? '' : colourText('dim', `; ${counted}`)}`,
  );
  const wrong = checks.filter(({ ok }) => !ok);
  if (wrong.length === 0) {
    printLine(`  ${colourText('green', 'PASS')}      expected and found:`);
    for (const check of checks) printLine(`            ${inWords(check)}`);
  } else for (const one of wrong) printLine(`  ${colourText('red', 'FAIL')}      ${formatDifference(one)}`);
  if (kept === undefined) return;
  const [state, config] = ['state', 'config'].map((name) => join(dirname(kept), name));
  printLine(
    `  ${colourText('dim', 'kept')}      ${toTerminal(kept)}; there: export XDG_STATE_HOME=${toTerminal(state ?? '')} XDG_CONFIG_HOME=${toTerminal(config ?? '')}; halt reports: _handoff/archive/`,
  );
}

const inWords = ({ what, expected, found }: DrillCheck): string =>
  expected === 'yes' ? what : `${what} ${toTerminalLine(found, 100)}`;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
