import { chooseDrills } from '../../../drills/choose-drills.ts';
import type { Drill } from '../../../drills/drill.ts';
import { allDrills } from '../../../drills/all-drills.ts';
import { hasGate, runDrills, explainUncaged } from '../../../drills/run-drills.ts';
import { printDrill, printTotal, toJson } from '../drill-results.ts';
import { hasFlag, readNumberOption } from '../options.ts';
import { printErrorLine, printJson, printLine, colourText } from '../print.ts';
import { onFirstSignal } from '../signals.ts';
import type { Invocation } from '../command.ts';

/** Drills at a time, unless --jobs says otherwise. */
const JOBS = 2;

/** `andon drill`: does a fault to the real line on purpose, in a temporary repository, and looks what comes of it. */
export async function run({ args, options, env, onSignal }: Invocation): Promise<number> {
  const names = (args[0] as readonly string[] | undefined) ?? [];
  const asJson = hasFlag(options, 'json');
  if (names.length === 0) return list(asJson);
  const chosen = chooseDrills(names);
  const jobs = readNumberOption(options, 'jobs', { from: 1, to: 64, example: 'andon drill all --jobs 2' }) ?? JOBS;
  const uncaged = chosen.some(hasGate) ? await explainUncaged(env) : undefined;
  if (!asJson) introduce(chosen, uncaged);

  const stop = new AbortController();
  onFirstSignal({ onSignal }, () => stop.abort());
  const began = performance.now();
  const ground = { env, caged: uncaged === undefined, keep: hasFlag(options, 'keep'), signal: stop.signal };
  const results = await runDrills(chosen, ground, {
    jobs,
    told: (result) => (asJson ? undefined : printDrill(result)),
  });
  const ms = Math.round(performance.now() - began);
  if (stop.signal.aborted) {
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
  printLine('Run `andon drill all` to run all of them (about a minute).');
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
