import type { InspectionContext } from '../../../src/rules/model/inspection.ts';
import type { Phase } from '../../../src/rules/model/rule-words.ts';
import { foldHooks } from '../../../src/rules/soft-hooks.ts';
import { effectiveHandling } from '../../../src/rules/enforce/ladder.ts';
import { isFacts, type Facts } from '../run-cases.ts';
import { numberOf } from '../shapes.ts';
import { ruleFrom } from './rules-of-rows.ts';

/** Every field of a row about a reminder that was ignored. */
export const IGNORED = [
  'ignored',
  'then',
  'phase',
  'quality',
  'soft_hooks',
  'metadata',
  'threshold',
  'upgrade_to',
  'priority_boost_phase',
  'already_upgraded',
];

/** What a reminder counts for after it was ignored so often. */
export function ignored(input: Facts): Facts {
  const { then, phase, quality, soft_hooks, metadata, threshold, upgrade_to, priority_boost_phase } = input;
  const config = {
    ...(threshold === undefined ? {} : { threshold }),
    ...(upgrade_to === undefined ? {} : { upgrade_to }),
  };
  const hooks = {
    interceptors: [{ type: 'referrer', config }],
    ...(priority_boost_phase === undefined ? {} : { priority_boost_phase }),
    ...(isFacts(soft_hooks) ? soft_hooks : {}),
  };
  const rule = ruleFrom({ severity: 'LOW', soft_hooks: hooks, ...(isFacts(metadata) ? { metadata } : {}) });
  const here: Pick<InspectionContext, 'phase' | 'quality'> = {
    ...(typeof phase === 'string' ? { phase: phase as Phase } : {}),
    ...(quality === 'high' ? { quality: 'high' as const } : {}),
  };
  const events = [
    { rule: rule.id, action: 'RAISED' as const },
    ...Array.from({ length: numberOf(input, 'ignored', 0) }, () => ({ rule: rule.id, action: 'IGNORED' as const })),
    ...(then === 'comply' ? [{ rule: rule.id, action: 'COMPLIED' as const }] : []),
  ];
  const ignoredTimes = foldHooks(events).get(rule.id);
  return { ...effectiveHandling(rule, here, ignoredTimes ?? 0), hook_removed: ignoredTimes === undefined };
}
