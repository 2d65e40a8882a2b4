import { differenceInWords } from '../../drills/check.ts';
import type { Check } from '../../drills/check.ts';
import type { DrillResult, Played } from '../../drills/run-drill.ts';
import { forTerminal, inOneTerminalLine } from '../../base/plain-text.ts';
import { line, styled } from './print.ts';

/** One drill for people: for each situation what was injected, what the line did, and whether that is as it must be. */
export function printDrill({ name, ms, situations }: DrillResult): void {
  line();
  line(`${styled('bold', name)}  ${styled('dim', seconds(ms))}`);
  for (const played of situations) printSituation(played);
}

/** The last line of a run, as machines count it. */
export function printTotal(results: readonly DrillResult[], ms: number): void {
  const failed = results.filter(({ passed }) => !passed);
  line();
  if (failed.length > 0) line(styled('red', `failed: ${failed.map(({ name }) => name).join(', ')}`));
  line(`${results.length - failed.length} passed, ${failed.length} failed (${seconds(ms)})`);
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
  line(`  ${styled('dim', 'injected')}  ${forTerminal(injected)}`);
  line(`  ${styled('dim', 'the line')}  ${forTerminal(did)}${counted === '' ? '' : styled('dim', `; ${counted}`)}`);
  const wrong = checks.filter(({ ok }) => !ok);
  if (wrong.length === 0)
    line(`  ${styled('green', 'PASS')}      expected and found: ${checks.map(inWords).join(', ')}`);
  else for (const one of wrong) line(`  ${styled('red', 'FAIL')}      ${differenceInWords(one)}`);
  if (kept !== undefined) line(`  ${styled('dim', 'kept')}      ${forTerminal(kept)}`);
}

const inWords = ({ what, expected, found }: Check): string =>
  expected === 'yes' ? what : `${what} ${inOneTerminalLine(found, 100)}`;

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
