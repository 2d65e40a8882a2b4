import { formatCount } from '../../base/format-count.ts';
import { getScope } from '../core/grants.ts';
import type { TaskRecord } from '../record/task-record.ts';
import { classifyPath } from '../../base/paths.ts';
import type { Path } from '../record/trip.ts';
import { abandon, type Breaker } from './breaker.ts';

/** An implementer that insists on files outside its scope makes no mistake: a person decides on the scope. */
export const scope: Breaker = {
  question: 'Did the implementer ask for files outside its scope again after it had been refused?',
  check(record) {
    const { scopeRefused = [], protectedRefused = [] } = record.lastFacts;
    const paths = [...scopeRefused, ...protectedRefused];
    if (paths.length === 0 || record.scopeRefusals <= 1 + record.grants.scopeTries) return undefined;
    return {
      reason: `${formatCount(record.scopeRefusals, 'answer')} wanted ${[
        ...(scopeRefused.length > 0 ? [`paths outside its scope: ${scopeRefused.join(', ')}`] : []),
        ...(protectedRefused.length > 0 ? [`protected control files: ${protectedRefused.join(', ')}`] : []),
      ].join('; ')}`,
      sides: [
        { who: 'implementer', says: `wants to change ${paths.join(', ')}` },
        { who: 'contract', says: `allows ${record.contract.constraints.allowedPaths.join(', ')}` },
      ],
      paths: listPaths(paths, record),
    };
  },
};

function listPaths(paths: readonly string[], record: TaskRecord): readonly [Path, Path] {
  const possible = paths.filter((path) => canBeAllowed(path, record));
  const drop: Path = {
    title: 'Drop those edits and retry',
    does: 'The scope stays; the implementer is reminded to stay inside it.',
    effect: {
      to: 'pending_implementer',
      scopeTries: 1,
      say: `You may not change ${paths.join(', ')}. Solve the task within the allowed paths.`,
    },
  };
  if (possible.length === 0) return [drop, abandon(record)];
  const never = paths.filter((path) => !possible.includes(path));
  const rest = never.length === 0 ? '' : ` (${never.join(', ')} cannot be allowed by a halt.)`;
  return [
    {
      title: 'Widen the scope by exactly these files',
      does: `The implementer may change ${possible.join(', ')} as well, and tries again.${rest}`,
      effect: {
        to: 'pending_implementer',
        paths: possible,
        scopeTries: 1,
        say: `You may now also change: ${possible.join(', ')}.`,
      },
    },
    drop,
  ];
}

/** No halt can open paths that the contract forbids by name, or `.git`, `_handoff/` and `.andon/`. */
function canBeAllowed(path: string, record: TaskRecord): boolean {
  if (/[*?[\]{}]/.test(path)) return false; // it would be parsed as a pattern
  return classifyPath(path, getScope(record, [path])) === 'allowed';
}
