import { toOneLine } from '../../../base/fault.ts';
import { sha256 } from '../../../base/sha256.ts';

/** A task of a proposal that waits for a human. */
export interface TaskOnPage {
  readonly taskId: string;
  /** The contract's text, as it would be dropped. */
  readonly contract: string;
  readonly inferred: readonly string[];
  readonly notices: readonly string[];
}

/** The contracts of a proposal. */
export interface DraftOnPage {
  /** In the order of writing; never empty. */
  readonly tasks: readonly TaskOnPage[];
  /** The author that derived them from prose; undefined where code read them. */
  readonly by: string | undefined;
}

/** `PROPOSAL_DRAFT.md`: the contracts that a proposal would become, what was added to them, and how to approve them all. It is never read. */
export function renderDraft(name: string, { tasks, by }: DraftOnPage): string {
  const [first] = tasks;
  const what = tasks.length === 1 ? 'this contract' : `these ${tasks.length} contracts`;
  const made =
    by === undefined
      ? `andon made ${what} of \`${name}\`.`
      : `\`${inert(by)}\` made ${what} of the prose in \`${name}\`: check them.`;
  return `${[
    tasks.length === 1
      ? `# ${inert(first?.taskId ?? '')} waits for your approval`
      : `# ${tasks.length} tasks wait for your approval`,
    `${made} Nothing runs before you approve it: type \`andon draft --approve\`${by === undefined ? ` or rename \`${name}\` to \`PROPOSAL_FINAL.md\`` : ''}. To change it, edit \`${name}\`. andon never reads this page: edits here do nothing.`,
    ...tasks.flatMap((task, at) => [
      ...(tasks.length === 1 ? [] : [`# Task ${at + 1}: ${inert(task.taskId)}`]),
      ...(task.inferred.length === 0 ? [] : ['## Not in the proposal', list(task.inferred)]),
      ...(task.notices.length === 0 ? [] : ['## Worth knowing', list(task.notices)]),
      '## The contract',
      `${FENCE}json\n${task.contract.trimEnd().replaceAll('`', '\\u0060')}\n${FENCE}`,
    ]),
  ].join('\n\n')}\n`;
}

/** `PROPOSAL_REJECTED.md`: every reason why a proposal makes no contract. */
export const renderRejected = (name: string, proposal: string, why: readonly string[]): string =>
  `${[
    '# Proposal rejected',
    `${FENCE}text\nfile:     ${name}\nsha256:   ${sha256(proposal)}\nreasons:  ${why.length}\n${FENCE}`,
    'No contract was made, and the file is unchanged. Correct it and save it; andon reads it again by itself. `andon draft` says the same at once.',
    list(why),
  ].join('\n\n')}\n`;

const FENCE = '```';

const list = (items: readonly string[]): string => items.map((item) => `- \`${inert(item)}\``).join('\n');

/** One line without HTML, code or links. */
const inert = (text: string): string => toOneLine(text, 400).replaceAll('`', "'").replaceAll(/[<>]/g, ' ');
