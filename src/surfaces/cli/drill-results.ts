import { formatDifference, type DrillCheck } from '../../drills/check.ts';
import type { DrillResult, Played } from '../../drills/run-drill.ts';
import { toTerminal, toTerminalLine } from '../../base/plain-text.ts';
import { printLine, colourText } from './print.ts';

/** One drill for people: for each situation what was injected, what the line did, and whether that is as it must be. */
export function printDrill({ name, ms, situations }: DrillResult): void {
  printLine();
  printLine(`${colourText('bold', name)}  ${colourText('dim', seconds(ms))}`);
  for (const played of situations) printSituation(played);
}

/** The last line of a run, as machines count it. */
export function printTotal(results: readonly DrillResult[], ms: number): void {
  const failed = results.filter(({ passed }) => !passed);
  printLine();
  if (failed.length > 0) printLine(colourText('red', `failed: ${failed.map(({ name }) => name).join(', ')}`));
  printLine(`${results.length - failed.length} passed, ${failed.length} failed (${seconds(ms)})`);
}

/** The same for programs. */
export const toJson = (results: readonly DrillResult[], ms: number, uncaged: string | undefined): object => ({
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
  if (wrong.length === 0)
    printLine(`  ${colourText('green', 'PASS')}      expected and found: ${checks.map(inWords).join(', ')}`);
  else for (const one of wrong) printLine(`  ${colourText('red', 'FAIL')}      ${formatDifference(one)}`);
  if (kept !== undefined) printLine(`  ${colourText('dim', 'kept')}      ${toTerminal(kept)}`);
}

const inWords = ({ what, expected, found }: DrillCheck): string =>
  expected === 'yes' ? what : `${what} ${toTerminalLine(found, 100)}`;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
