import { resolve } from 'node:path';
import { FILES, HANDOFF } from '../../../base/names.ts';
import { toTerminal, toTerminalLine } from '../../../base/plain-text.ts';
import { createUsageError } from '../../../base/problem.ts';
import type { DraftOnPage } from '../../../project/contract/draft/proposal-page.ts';
import { approveProposal, openProposals, type OpenProposals } from '../../../line/intake/draft-proposal.ts';
import { formatInboxPath } from '../../../project/workspace/files.ts';
import { loadWorkspace, type Workspace } from '../../../project/workspace/load-workspace.ts';
import { isThere, readText } from '../../../rules/files/read-files.ts';
import { describeDropped } from '../submit-contract.ts';
import { hasFlag } from '../options.ts';
import { abortOnSignal } from '../signals.ts';
import { printJson, printLine, printRemedy, printSentence, colourText } from '../print.ts';
import { runCommand } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

/** `andon draft`: shows the contracts that a proposal would become, with inferred values marked; `--approve` makes them. */
export async function run(invocation: Invocation): Promise<number> {
  const { args, options, cwd, env } = invocation;
  const place = await loadWorkspace(cwd, env);
  const name = fileOf(place, cwd, args[0] as string | undefined);
  const text = readText(cwd, name.path);
  const proposals = await openProposals(place, env);
  try {
    const draft = await draftOf(invocation, proposals, name.shown, text);
    const file = hasFlag(options, 'approve') ? approveProposal(place, name.path, text, draft) : undefined;
    if (hasFlag(options, 'json'))
      printJson({
        file: file ?? null,
        by: draft.by ?? null,
        tasks: draft.tasks.map(({ taskId, contract, inferred, notices }) => ({
          task_id: taskId,
          contract: JSON.parse(contract) as unknown,
          inferred,
          notices,
        })),
      });
    else if (file === undefined) show(draft, args[0] === undefined ? '' : ` ${name.shown}`);
    else printSentence(await describeDropped(place, file, false));
    return 0;
  } finally {
    proposals.close();
  }
}

/** The contracts of the proposal. Prose goes to an agent, and is approved only after it was shown. */
async function draftOf(
  invocation: Invocation,
  proposals: OpenProposals,
  shown: string,
  text: string,
): Promise<DraftOnPage> {
  let drafted = await proposals.draft(text);
  if (drafted.is === 'prose') {
    if (hasFlag(invocation.options, 'approve'))
      throw createUsageError(
        `${shown} is prose, and its contracts were not shown yet.`,
        runCommand('andon draft', 'to see them'),
      );
    const outcome = await proposals.ask(text, abortOnSignal(invocation), (agent) =>
      printRemedy(`This is prose. Asking ${toTerminalLine(agent, 60)} for its tasks.`),
    );
    drafted = outcome.ok
      ? await proposals.draft(text)
      : { is: 'refused', why: [`this is prose, without headings such as \`## Requirements\`; ${outcome.why}`] };
  }
  if (drafted.is === 'drafted') return drafted.draft;
  const why = drafted.is === 'refused' ? drafted.why : ['its answer was forgotten'];
  throw createUsageError(
    why.map((one) => `${shown}: ${toTerminalLine(one, 400)}`),
    'Correct the proposal, then run `andon draft`. No contract was made.',
  );
}

function show({ tasks, by }: DraftOnPage, named: string): void {
  for (const { contract, inferred, notices } of tasks) {
    process.stdout.write(toTerminal(contract));
    for (const one of inferred) printRemedy(`inferred: ${toTerminalLine(one, 300)}`);
    for (const one of notices) printRemedy(`note: ${toTerminalLine(one, 300)}`);
  }
  if (by !== undefined)
    printRemedy(`Made from prose by ${toTerminalLine(by, 100)}. Read every line before you approve.`);
  const what = tasks.length === 1 ? 'this contract' : `these ${tasks.length} contracts`;
  printLine(colourText('dim', `Run \`andon draft --approve${named}\` to put ${what} on the line.`));
}

/** The file that was named; else the proposal that waits, or the one that was approved and refused. */
function fileOf(
  place: Workspace,
  cwd: string,
  named: string | undefined,
): { readonly path: string; readonly shown: string } {
  const wanted =
    named === undefined
      ? [FILES.proposal, FILES.proposalFinal].map((one) => `${place.inboxRoot}/${HANDOFF}/${one}`)
      : [resolve(cwd, named)];
  const path = wanted.find((one) => isThere(cwd, one));
  if (path !== undefined)
    return { path, shown: named ?? formatInboxPath(place, path.slice(place.inboxRoot.length + HANDOFF.length + 2)) };
  throw createUsageError(
    named === undefined
      ? `There is no ${toTerminalLine(formatInboxPath(place, FILES.proposal))}.`
      : `There is no file ${toTerminalLine(named)}.`,
    'Write a proposal with title, requirements and allowed paths, then run `andon draft`.',
  );
}
