import type { TaskRecord } from '../record/task-record.ts';
import { formatRuling, listStopping, type RuledFinding, type Ruling } from '../../rules/model/ruling.ts';
import type { ResumeEffect, Path } from '../record/trip.ts';
import { abandon, type Breaker } from './breaker.ts';

/** Violations of some rules must reach a person, however good the change is. */
export const ruleViolation: Breaker = {
  question: 'Is a P0 rule or a hard constraint broken, or, in strict mode, can a MUST rule not be checked?',
  check(record) {
    const rulings = record.lastFacts.rulings ?? [];
    const found = open(rulings, record);
    const [first] = found;
    if (first === undefined) return undefined;
    const moment = momentOf(rulings);
    const brought = isInChange(moment, found) ? 'change' : moment;
    const more = found.length > 1 ? ` (and ${found.length - 1} more)` : '';
    return {
      reason: `${formatRuling(first)}${more}`,
      sides: [
        {
          who: 'rules, to HUMAN_ADMIN',
          says: found
            .map((one) => `${one.priority}${one.hard ? ', hard constraint' : ''}: ${formatRuling(one)}`)
            .join('\n'),
        },
        {
          who: SPEAKERS[brought],
          says: `brought it in: ${[...new Set(found.map(({ file }) => file ?? 'its words'))].join(', ')}`,
        },
      ],
      paths: [fix(brought, found, record), waive(moment, found, record)],
    };
  },
};

const open = (rulings: readonly Ruling[], { grants }: TaskRecord): readonly RuledFinding[] =>
  listStopping(rulings).filter(({ fingerprint }) => !grants.waived.includes(fingerprint));

const momentOf = (rulings: readonly Ruling[]): Ruling['moment'] =>
  rulings.find(({ found }) => found.some(({ does }) => does === 'stop'))?.moment ?? 'change';

/** A violation found in the review is the implementer's to fix. */
const isInChange = (moment: Ruling['moment'], found: readonly RuledFinding[]): boolean =>
  moment === 'review' && found.some(({ file }) => file !== undefined);

const SPEAKERS: Readonly<Record<Ruling['moment'], string>> = {
  contract: 'contract',
  fixes: 'floor manager',
  change: 'implementer',
  gates: 'implementer',
  review: 'reviewer',
  report: 'judge',
};

function fix(moment: Ruling['moment'], found: readonly RuledFinding[], record: TaskRecord): Path {
  const text = `These rules must hold; solve the task without breaking them:\n${found.map((one) => `- ${formatRuling(one)}`).join('\n')}`;
  switch (moment) {
    case 'contract':
      return abandon(
        record,
        'This contract ends here before any work was done. Correct it and drop it again under the same task id.',
      );
    case 'review':
      return {
        title: 'Ask the reviewer again',
        does: 'The local review runs again.',
        effect: { to: 'pending_local_review' },
      };
    case 'report':
    case 'fixes':
      return {
        title: 'Ask the judge again',
        does: 'The report does not count; the judge reviews once more.',
        effect: { to: 'pending_judge_review' },
      };
    case 'change':
    case 'gates':
      if (found.every(({ rollback }) => rollback === false))
        return {
          title: 'Fix it: on top of the attempt',
          does: `The implementer goes on from this attempt, with ${found.map(({ rule }) => rule).join(', ')} in its brief.`,
          effect: { to: 'pending_implementer', say: text },
        };
      return {
        title: 'Fix it: again from the target branch',
        does: `The attempt is set aside (refs/andon/ keeps it) and the implementer starts again from the target branch, with ${found.map(({ rule }) => rule).join(', ')} in its brief.`,
        effect: { to: 'pending_implementer', fresh: true, say: text },
      };
  }
}

function waive(moment: Ruling['moment'], found: readonly RuledFinding[], record: TaskRecord): Path {
  const rules = [...new Set(found.map(({ rule }) => rule))].join(', ');
  return {
    title: 'Waive it once',
    does: `Exactly ${found.length === 1 ? 'this finding' : `these ${found.length} findings`} of ${rules} may stand in this task; your reason is recorded. Everything else is checked as before.`,
    effect: { ...onward(moment, record), waive: found.map(({ fingerprint }) => fingerprint) },
    reasoned: true,
  };
}

/** The words of one panel reviewer are no review: the panel continues with the others, and these waived. */
function onward(moment: Ruling['moment'], { contract: { roles }, lastFacts }: TaskRecord): ResumeEffect {
  if (moment === 'review' && roles.reviewers !== undefined && lastFacts.review === undefined)
    return { to: 'pending_local_review' };
  if (moment === 'report' && roles.judges !== undefined && lastFacts.report === undefined)
    return { to: 'pending_judge_review' };
  return ONWARD[moment];
}

/** Where the line continues when no step must be repeated. */
const ONWARD: Readonly<Record<Ruling['moment'], ResumeEffect>> = {
  contract: { to: 'pending_implementer' },
  fixes: { to: 'review_complete' },
  change: { to: 'pending_implementer', onlyGates: true },
  gates: { to: 'pending_implementer', onlyGates: true },
  review: { to: 'pending_judge_review' },
  report: { to: 'review_complete' },
};
