import type { GateResult } from '../record/change.ts';
import { toOneLine } from '../../base/fault.ts';
import type { Weakening, WeakeningReport } from '../../rules/model/weakening.ts';

/** A change whose gates have run. */
interface RanOnChange {
  readonly results: readonly GateResult[];
  /** Counts in the changed files: tests that the change removes openly may be missing in the run. */
  readonly weakeningReport: Pick<WeakeningReport, 'before' | 'after'>;
  readonly paths: readonly string[];
  readonly allowsTestLoss: boolean;
  readonly digest: (text: string) => string;
}

/**
 * Finds green gates in which fewer tests passed than on the base, or whose count was known there and is unknown now.
 * Tests that did not run have decided nothing; an unknown count proves neither a loss nor a pass.
 */
export function findFewerTestsRun({
  results,
  weakeningReport: { before, after },
  paths,
  allowsTestLoss,
  digest,
}: RanOnChange): readonly Weakening[] {
  const letGo = Math.max(0, before.tests - after.tests) + Math.max(0, after.skipped - before.skipped);
  return results.flatMap(({ name, run, blocks, fewer }): Weakening[] => {
    if (blocks || fewer === undefined) return [];
    if (fewer.after !== null && fewer.before - fewer.after <= letGo) return [];
    const kind = fewer.after === null ? 'uncountable' : 'fewer_run';
    const gate = `gate ${toOneLine(name, 80)}`;
    const what =
      fewer.after === null
        ? `${gate}: how many tests passed is unknown with the change, because its results cannot be read; ${fewer.before} passed on the base (${fewer.runner})`
        : `${gate} runs fewer tests than before: by ${fewer.runner}, ${fewer.before} passed on the base, ${fewer.after} with the change`;
    return [
      {
        kind,
        what,
        files: [...paths],
        mark: digest([kind, name, run, what, ...paths.toSorted()].join('\n')),
        ...(allowsTestLoss ? { consent: 'contract' as const } : {}),
      },
    ];
  });
}
