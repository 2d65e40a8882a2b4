import { describeFault } from '../../base/fault.ts';
import { FILES, HANDOFF } from '../../base/names.ts';
import { Problem } from '../../base/problem.ts';
import { sha256 } from '../../base/sha256.ts';
import type { DraftOnPage } from '../../contract/draft/proposal-page.ts';
import { toDigestLine } from '../../line/digest/repository-night.ts';
import { createHandoff } from '../../wiring/files.ts';
import type { Workspace } from '../../wiring/load-workspace.ts';
import { refuseForeignRoot } from '../../wiring/lock-workspace.ts';
import { openQueue } from '../../wiring/open-queue.ts';
import { openContractChecker } from './contract-checker.ts';
import { approveProposal, openProposals } from './draft-proposal.ts';

/** A fault of such a file; of a proposal, the sentence alone. */
interface PaperFault {
  readonly path: string;
  readonly line: number | null;
  readonly said: string;
}

/** A file in `_handoff/` that a person may mend: a contract that waits, or the proposal. */
interface Paper {
  readonly name: string;
  readonly text: string;
}

export interface CheckedPaper extends Paper {
  readonly faults: readonly PaperFault[];
  /** The contracts of a proposal; undefined for a contract, and for a proposal that makes none yet. */
  readonly draft: DraftOnPage | undefined;
}

/** Finds a contract by its file as a board shows it; without one, the proposal as `andon draft` does. */
export function findPaper({ inboxRoot }: Workspace, file: string | undefined): Paper {
  const handoff = createHandoff(inboxRoot);
  const names =
    file === undefined
      ? [FILES.proposal, FILES.proposalFinal].filter((name) => handoff.exists(name))
      : [
          FILES.contract,
          ...openQueue(inboxRoot)
            .waiting([])
            .map(({ name }) => name),
        ].filter((name) => toDigestLine(`${HANDOFF}/${name}`, 160) === file);
  const [name] = names;
  const read = name === undefined ? undefined : handoff.read(name);
  if (name === undefined || read === undefined || (read.ok && read.value === undefined))
    throw new Problem('no-task', `${file ?? 'a proposal'} does not wait here (any more)`, 'go to /', 1);
  if (!read.ok) throw new Problem('bad-argument', `${HANDOFF}/${name} ${read.why}`, 'write it anew', 1);
  return { name, text: read.value ?? '' };
}

const isProposal = (name: string): boolean => name === FILES.proposal || name === FILES.proposalFinal;

/** Checks a text as the line checks this file. Prose that no agent has read yet has neither faults nor contracts. */
export async function checkPaper(place: Workspace, env: NodeJS.ProcessEnv, paper: Paper): Promise<CheckedPaper> {
  const { name, text } = paper;
  if (isProposal(name)) {
    const proposals = await openProposals(place, env);
    try {
      const drafted = await proposals.draft(text);
      const why = drafted.is === 'refused' ? drafted.why : [];
      const faults = why.map((said) => ({ path: `${HANDOFF}/${name}`, line: null, said }));
      return { ...paper, faults, draft: drafted.is === 'drafted' ? drafted.draft : undefined };
    } finally {
      proposals.close();
    }
  }
  const checker = await openContractChecker(place, env);
  try {
    const { faults } = await checker.check(text, [], name);
    const told = faults.map((fault) => ({ path: fault.path, line: fault.line ?? null, said: describeFault(fault) }));
    return { ...paper, faults: told, draft: undefined };
  } finally {
    checker.close();
  }
}

/** Replaces the file by a checked text, unless it is another one by now; the line reads it again by itself. */
export function replacePaper(place: Workspace, before: Paper, text: string): void {
  refuseForeignRoot(place.facts);
  const handoff = createHandoff(place.inboxRoot);
  const isSame = (): boolean => {
    const read = handoff.read(before.name);
    return read.ok && read.value === before.text;
  };
  if (!handoff.write(before.name, text, isSame)) throw createOutdated(before.name);
}

/** Approves exactly the contracts that were shown, as `andon draft --approve` does. */
export function approvePaper(place: Workspace, { name, text, draft }: CheckedPaper, shown: string): string {
  if (draft === undefined || toShown(draft) !== shown) throw createOutdated(name);
  refuseForeignRoot(place.facts);
  return approveProposal(place, `${place.inboxRoot}/${HANDOFF}/${name}`, text, draft);
}

/** Stands for the contracts of a proposal as they were shown. */
export const toShown = ({ tasks }: DraftOnPage): string =>
  sha256(JSON.stringify(tasks.map(({ contract }) => contract)));

export const createOutdated = (name: string): Problem =>
  new Problem(
    'outdated-choice',
    `${HANDOFF}/${name} was changed meanwhile`,
    'reload the page, and look at it again',
    1,
  );
