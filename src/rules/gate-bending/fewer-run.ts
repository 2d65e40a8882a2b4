import type { GateResult } from '../../record/change.ts';
import { oneLine } from '../../base/fault.ts';
import type { Bend, GateBending } from '../../record/gate-bending.ts';

/** What is known of a change when its gates have run. */
export interface RanOnChange {
  readonly results: readonly GateResult[];
  /** What was counted in the changed files: tests that somebody let go may be missing in the run. */
  readonly bending: Pick<GateBending, 'before' | 'after'>;
  readonly paths: readonly string[];
  readonly allowsTestLoss: boolean;
  readonly digest: (text: string) => string;
}

/**
 * Gates that let the change pass and ran fewer tests than on the base. Whatever made them do so, a configuration, a hook
 * or product code that ends the runner, what did not run has decided nothing.
 */
export function fewerRun({
  results,
  bending: { before, after },
  paths,
  allowsTestLoss,
  digest,
}: RanOnChange): readonly Bend[] {
  const letGo = Math.max(0, before.tests - after.tests) + Math.max(0, after.skipped - before.skipped);
  return results.flatMap(({ name, run, blocks, fewer }): Bend[] => {
    if (blocks || fewer === undefined || fewer.before - fewer.after <= letGo) return [];
    const counts = `${fewer.before} passed on the base, ${fewer.after} with the change`;
    const what = `gate ${oneLine(name, 80)} runs fewer tests than before: by ${fewer.runner}, ${counts}`;
    return [
      {
        kind: 'fewer_run',
        what,
        files: [...paths],
        mark: digest(['fewer_run', name, run, what, ...paths.toSorted()].join('\n')),
        ...(allowsTestLoss ? { consent: 'contract' as const } : {}),
      },
    ];
  });
}
