import type { LineRecord } from '../../record/line-record.ts';
import { estimateTokens } from '../../base/tokens.ts';
import { describeContract } from './brief.ts';
import { fenceText, fenceRule } from './fence.ts';
import { SEPARATOR } from './fit-brief.ts';
import type { ImplementerBrief, ImplementerView } from './implementer.ts';
import { CONVENTIONS, fenceConventions, nameConventions } from './conventions.ts';
import { fenceProjectRules } from './project-rules.ts';
import { renderRejectedAttempts, renderReminders, renderFeedback } from './render-feedback.ts';

/** Characters of a gate's output. */
const OUTPUT = 8000;

/**
 * The brief of an implementer that edits files in place: the contract, and the results of the last try. It reads the
 * files itself, so the brief contains none.
 */
export function briefEditor(
  record: LineRecord,
  {
    nonce,
    reminders = [],
    rules = [],
    conventions = [],
  }: Pick<ImplementerView, 'nonce' | 'reminders' | 'rules' | 'conventions'>,
): ImplementerBrief {
  const { contract, grants } = record;
  const target = contract.specification.targetFile;
  const prompt = [
    'You are the implementer. You make the change that the contract asks for, and nothing else, in the files of the folder you are in: a copy of the project, without its history.',
    fenceRule(nonce),
    fenceText('contract', describeContract(record, false), nonce),
    fenceConventions(conventions, nonce, CONVENTIONS),
    fenceProjectRules(rules, nonce, OUTPUT),
    ...renderFeedback(record, nonce, OUTPUT),
    renderRejectedAttempts(record),
    renderReminders(reminders, nonce),
    [
      'Remember:',
      ...contract.specification.requirements.map((requirement) => `- ${requirement}`),
      ...(target === undefined ? [] : [`- The result goes to ${target}.`]),
      `- Change only: ${[...contract.constraints.allowedPaths, ...grants.paths].join(', ')}. A change of anything else refuses the whole work; take back what you only tried.`,
      '- Write the files: changes that you only describe are not applied. Make no commit. Ask nothing: there is no answer.',
      '- When all is done, say in a few plain sentences what you changed.',
    ].join('\n'),
  ]
    .filter((part) => part !== '')
    .join(SEPARATOR);
  return {
    prompt,
    context: {
      window: null,
      tokens: estimateTokens(prompt),
      whole: [],
      signatures: [],
      leftOut: [],
      ...nameConventions(conventions),
    },
  };
}
