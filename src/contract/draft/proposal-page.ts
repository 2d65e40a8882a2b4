import { oneLine } from '../../base/fault.ts';
import { sha256 } from '../../base/sha256.ts';

/** What the page about a proposal that waits for a human tells. */
export interface DraftOnPage {
  readonly taskId: string;
  readonly contract: string;
  readonly inferred: readonly string[];
  readonly notices: readonly string[];
}

/** `PROPOSAL_DRAFT.md`: the contract that a proposal would become, what of it nobody wrote, and the box that approves it. */
export function renderDraft(proposal: string, { taskId, contract, inferred, notices }: DraftOnPage): string {
  return `${[
    `# ${inert(taskId)} waits for your approval`,
    'andon made this contract of `PROPOSAL.md`. Nothing runs before you approve it: put an x into the box and save, or type `andon draft --approve`. To change it, edit `PROPOSAL.md`; this page is written anew.',
    `- [ ] approve ${sha256(proposal)}`,
    ...(inferred.length === 0 ? [] : ['## Not in the proposal', list(inferred)]),
    ...(notices.length === 0 ? [] : ['## Worth knowing', list(notices)]),
    '## The contract',
    `${FENCE}json\n${contract.trimEnd().replaceAll('`', '\\u0060')}\n${FENCE}`,
  ].join('\n\n')}\n`;
}

/** `PROPOSAL_REJECTED.md`: every reason for which a proposal makes no contract. */
export const renderRejected = (name: string, proposal: string, why: readonly string[]): string =>
  `${[
    '# Proposal rejected',
    `${FENCE}text\nfile:     ${name}\nsha256:   ${sha256(proposal)}\nreasons:  ${why.length}\n${FENCE}`,
    'No contract was made, and the file was left as it is. Correct it and save it; andon reads it again by itself. `andon draft` says the same at once.',
    list(why),
  ].join('\n\n')}\n`;

/** Whether the page approves this very proposal; a tick under another text says nothing. */
export const isApproved = (page: string, proposal: string): boolean =>
  TICKED.exec(page)?.[1] === sha256(proposal) && !page.includes(`- [ ] approve ${sha256(proposal)}`);

const TICKED = /^\s*[-*] \[[xX]\] approve ([0-9a-f]{64})\s*$/m;
const FENCE = '```';

const list = (items: readonly string[]): string => items.map((item) => `- \`${inert(item)}\``).join('\n');

/** One line in which nothing opens HTML, code or a link. */
const inert = (text: string): string => oneLine(text, 400).replaceAll('`', "'").replaceAll(/[<>]/g, ' ');
