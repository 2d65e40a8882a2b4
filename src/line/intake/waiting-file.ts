import { describeFault } from '../../base/fault.ts';
import { FILES, HANDOFF, STOP_FILE } from '../../base/names.ts';
import { Problem } from '../../base/problem.ts';
import { sha256 } from '../../base/sha256.ts';
import type { DraftOnPage } from '../../project/contract/draft/proposal-page.ts';
import { GO_ON } from '../words/list-obstacles.ts';
import { toDigestLine } from '../digest/repository-night.ts';
import { createHandoff } from '../../project/handoff/create-handoff.ts';
import { createHandoffQueue } from '../order/handoff-queue.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { refuseForeignRoot } from '../../project/workspace/lock-workspace.ts';
import { openContractChecker } from './contract-checker.ts';
import { approveProposal, openProposals } from './draft-proposal.ts';

/** A file in `_handoff/` that a person may correct: a contract that waits, or the proposal. */
interface WaitingFile {
  readonly name: string;
  readonly text: string;
}

/** A fault of a waiting file; `line` is null where it is unknown, as in a proposal. */
interface WaitingFileFault {
  readonly path: string;
  readonly line: number | null;
  readonly said: string;
}

export interface CheckedWaitingFile extends WaitingFile {
  readonly faults: readonly WaitingFileFault[];
  /** The contracts of a proposal; undefined for a contract, and for a proposal that makes none yet. */
  readonly draft: DraftOnPage | undefined;
}

/** Finds a contract by the file name that a board shows; without one, the proposal that `andon draft` would read. */
export function findWaitingFile({ inboxRoot }: Workspace, file: string | undefined): WaitingFile {
  const handoff = createHandoff(inboxRoot);
  const names =
    file === undefined
      ? [FILES.proposal, FILES.proposalFinal].filter((name) => handoff.exists(name))
      : [
          FILES.contract,
          ...createHandoffQueue(handoff)
            .waiting([])
            .map(({ name }) => name),
        ].filter((name) => toDigestLine(`${HANDOFF}/${name}`, 160) === file);
  const [name] = names;
  const read = name === undefined ? undefined : handoff.read(name);
  if (name === undefined || read === undefined || (read.ok && read.value === undefined))
    throw new Problem('no-task', `${file ?? 'a proposal'} does not wait here (any more)`, 'reload the page', 1);
  if (!read.ok)
    throw new Problem('bad-argument', `${HANDOFF}/${name} ${read.why}`, 'replace the file, then reload the page', 1);
  return { name, text: read.value ?? '' };
}

/** The file that holds the line, with the reason in it. */
export function readStop({ inboxRoot }: Workspace): string {
  const read = createHandoff(inboxRoot).read(FILES.stop);
  if (!read.ok) throw new Problem('bad-argument', `${STOP_FILE} ${read.why}`, `remove it: ${GO_ON.stop}`, 1);
  if (read.value === undefined) throw new Problem('no-task', `${STOP_FILE} is gone already`, 'reload the page', 1);
  return read.value;
}

/** Removes that file if it is the one that was shown; the line goes on by itself. */
export function removeStop(place: Workspace, version: string): void {
  refuseForeignRoot(place.facts);
  readStop(place);
  if (!createHandoff(place.inboxRoot).take(FILES.stop, (text) => sha256(text) === version))
    throw createOutdated(FILES.stop);
}

const isProposal = (name: string): boolean => name === FILES.proposal || name === FILES.proposalFinal;

/** Checks the text as the line would. Prose that no agent has read yet has neither faults nor contracts. */
export async function checkWaitingFile(
  place: Workspace,
  env: NodeJS.ProcessEnv,
  waiting: WaitingFile,
): Promise<CheckedWaitingFile> {
  const { name, text } = waiting;
  if (isProposal(name)) {
    const proposals = await openProposals(place, env);
    try {
      const drafted = await proposals.draft(text);
      const refusals = drafted.is === 'refused' ? drafted.why : [];
      const faults = refusals.map((said) => ({ path: `${HANDOFF}/${name}`, line: null, said }));
      return { ...waiting, faults, draft: drafted.is === 'drafted' ? drafted.draft : undefined };
    } finally {
      proposals.close();
    }
  }
  const checker = await openContractChecker(place, env);
  try {
    const checked = await checker.check(text, [], name);
    const faults = checked.faults.map((fault) => ({
      path: fault.path,
      line: fault.line ?? null,
      said: describeFault(fault),
    }));
    return { ...waiting, faults, draft: undefined };
  } finally {
    checker.close();
  }
}

/** Replaces the file by a checked text, unless it is another one by now; the line reads it again by itself. */
export function replaceWaitingFile(place: Workspace, before: WaitingFile, text: string): void {
  refuseForeignRoot(place.facts);
  const handoff = createHandoff(place.inboxRoot);
  const isSame = (): boolean => {
    const read = handoff.read(before.name);
    return read.ok && read.value === before.text;
  };
  if (!handoff.write(before.name, text, isSame)) throw createOutdated(before.name);
}

/** Approves exactly the contracts that were shown, as `andon draft --approve` does. */
export function approveShownDraft(place: Workspace, { name, text, draft }: CheckedWaitingFile, shown: string): string {
  if (draft === undefined || digestDraft(draft) !== shown) throw createOutdated(name);
  refuseForeignRoot(place.facts);
  return approveProposal(place, `${place.inboxRoot}/${HANDOFF}/${name}`, text, draft);
}

/** Identifies the contracts of a proposal, so that exactly those shown are approved. */
export const digestDraft = ({ tasks }: DraftOnPage): string =>
  sha256(JSON.stringify(tasks.map(({ contract }) => contract)));

export const createOutdated = (name: string): Problem =>
  new Problem('outdated-choice', `${HANDOFF}/${name} was changed meanwhile`, 'reload the page, and read it again', 1);
