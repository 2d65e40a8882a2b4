import { resolve } from 'node:path';
import { describeFault } from '../../base/fault.ts';
import { toTerminal, toTerminalLine } from '../../base/plain-text.ts';
import { CONTRACT_FIELDS, isAtField, type ContractDraft } from '../../project/contract/contract-fields.ts';
import type { ContractChecker } from '../../line/intake/contract-checker.ts';
import { dropContract, keepContract } from '../../line/intake/drop-contract.ts';
import { readLine } from '../../line/readers/read-line.ts';
import { usingJournal } from '../../line/journal/open-journal.ts';
import type { Workspace } from '../../project/workspace/load-workspace.ts';
import { createUsageError } from '../../base/problem.ts';
import { hasFlag, readTextOption } from './options.ts';
import { printJson, printLine, printText, printRemedy, printSentence } from './print.ts';
import { hintAtHold, hintAtTurn, hasWatchdog } from './tasks.ts';
import { flagOf } from './contract-options.ts';
import type { Invocation } from './command.ts';

interface WrittenContract {
  readonly task_id: string;
  readonly git?: { readonly base_branch?: string };
}

/** Checks a finished contract as the line would and hands it in where the flags say; refused ones are not written. */
export async function submitContract(
  { options, cwd }: Invocation,
  place: Workspace,
  checker: ContractChecker,
  text: string,
): Promise<number> {
  const { faults, notices } = await checker.check(text);
  if (faults.length > 0)
    throw createUsageError(
      faults.map((fault) => `${flagAt(fault.path)}: ${describeFault(fault)}`),
      'Nothing was written. Correct the options and run the command again.',
    );
  for (const notice of notices.filter((one) => !checker.gaps.includes(one)))
    printRemedy(toTerminalLine(`note: ${notice}`, 400));
  const { task_id: taskId, git } = JSON.parse(text) as WrittenContract;
  const queued = hasFlag(options, 'queue') || checker.isBusy();
  const save = readTextOption(options, 'save');
  if (save !== undefined) keepContract(resolve(cwd, save), text);
  const file = save ?? (hasFlag(options, 'print') ? undefined : dropContract(place, taskId, text, queued));
  if (hasFlag(options, 'json'))
    printJson({
      task_id: taskId,
      file: file ?? null,
      queued: file !== undefined && save === undefined && queued,
      notices,
      contract: JSON.parse(text) as unknown,
    });
  else if (save !== undefined) printLine(`Saved ${toTerminalLine(save)}. Nothing is queued.`);
  else if (file === undefined) printText(process.stdout.isTTY ? toTerminal(text) : text);
  else {
    const target = await checker.findTargetBranch(git?.base_branch);
    const into =
      target === undefined
        ? ''
        : ` Its change will be merged into ${toTerminalLine(target, 200)}${git?.base_branch === undefined ? ', the target now' : ''}.`;
    printSentence(`${await describeDropped(place, file, queued && !hasFlag(options, 'queue'))}${into}`);
  }
  return 0;
}

/** Names the allowed paths that nothing in the repository matches: a slip, or a file that is yet to be made. */
export async function noteUnmatched(checker: ContractChecker, draft: ContractDraft): Promise<void> {
  for (const path of await checker.listUnmatched(checker.write(draft)))
    printRemedy(toTerminalLine(`note: "${path}" matches no file of the repository; fine if it is yet to be made`, 300));
}

/** Where a contract waits, and when the line takes it up. */
export const describeDropped = async (place: Workspace, file: string, waits: boolean): Promise<string> =>
  `Submitted: ${toTerminalLine(file, 1000)}.${hintAtTurn(waits)}${await describeStart(place)}`;

async function describeStart(place: Workspace): Promise<string> {
  const facts = await usingJournal(place, (journal) => readLine(place, journal));
  const start = hasWatchdog(facts)
    ? ' The watchdog that runs here takes it up.'
    : ' Run `andon watch` to start the line.';
  return hintAtHold(facts) || start;
}

/** The flag that sets a path of the contract, or the path without one. */
function flagAt(path: string): string {
  const field = CONTRACT_FIELDS.find(({ key }) => isAtField(path, key));
  return field === undefined ? path : `${flagOf(field.key)} (${path})`;
}
