import { resolve } from 'node:path';
import { waitsForDisk } from '../../base/disk-trouble.ts';
import type { Fault } from '../../base/fault.ts';
import { faultInWords } from '../../base/fault-in-words.ts';
import { forTerminal, inOneTerminalLine } from '../../base/plain-text.ts';
import { CONTRACT_FIELDS, isAtField } from '../../contract/contract-fields.ts';
import type { ContractDraft, FieldKey } from '../../contract/contract-fields.ts';
import type { DraftDesk } from '../../daemon/intake/contract-draft.ts';
import { dropContract, keepContract } from '../../daemon/intake/drop-contract.ts';
import { lineNow } from '../../daemon/readers/line-now.ts';
import { readJournal } from '../../wiring/open-journal.ts';
import type { Place } from '../../wiring/open-place.ts';
import { mistake } from '../../base/problem.ts';
import { flag, textOption } from './options.ts';
import { json, line, printText, remedyLine, sentence } from './print.ts';
import { flagOf } from './contract-options.ts';
import type { Invocation } from './command.ts';

/** Checks a finished contract as the line would and hands it in where the flags say; refused ones are not written. */
export async function handIn(
  { options, cwd }: Invocation,
  place: Place,
  desk: DraftDesk,
  draft: ContractDraft,
): Promise<number> {
  const text = desk.write(draft);
  const { faults, notices } = await desk.look(text);
  if (faults.length > 0)
    throw mistake(
      faults.map((fault) => `${flagAt(fault.path)}: ${faultInWords(fault)}`),
      'Nothing was written. Correct the options and run the command again.',
    );
  for (const notice of notices.filter((one) => !desk.gaps.includes(one)))
    remedyLine(inOneTerminalLine(`note: ${notice}`, 400));
  const queued = flag(options, 'queue') || desk.isBusy();
  const save = textOption(options, 'save');
  if (save !== undefined) keepContract(resolve(cwd, save), text);
  const file = save ?? (flag(options, 'print') ? undefined : dropContract(place, draft.task_id, text, queued));
  if (flag(options, 'json'))
    json({
      task_id: draft.task_id,
      file: file ?? null,
      queued: file !== undefined && save === undefined && queued,
      notices,
      contract: JSON.parse(text) as unknown,
    });
  else if (save !== undefined) line(`Saved ${inOneTerminalLine(save)}. Nothing was dropped.`);
  else if (file === undefined) printText(process.stdout.isTTY ? forTerminal(text) : text);
  else sentence(await dropped(place, file, queued && !flag(options, 'queue')));
  return 0;
}

/** Names the allowed paths that nothing in the repository matches: a slip, or a file that is yet to be made. */
export async function noteUnmatched(desk: DraftDesk, draft: ContractDraft): Promise<void> {
  for (const path of await desk.unmatched(desk.write(draft)))
    remedyLine(
      inOneTerminalLine(`note: "${path}" matches no file of the repository; fine if it is yet to be made`, 300),
    );
}

/** What became of a contract that was dropped, and when the line takes it up. */
export const dropped = async (place: Place, file: string, waits: boolean): Promise<string> =>
  `dropped ${inOneTerminalLine(file, 1000)}.${waits ? ' The line is busy, so it waits in the queue.' : ''} ${await whenTakenUp(place)}`;

async function whenTakenUp(place: Place): Promise<string> {
  const journal = readJournal(place);
  const { watchdog, blocked: stopped } = await lineNow(place, journal).finally(() => journal?.close());
  const blocked = watchdog?.waits ? waitsForDisk(watchdog.waits).replace('nothing runs: ', '') : stopped;
  const watches = watchdog?.doing === 'watch';
  const start = watches ? '' : ' No watchdog is running. Run `andon watch` to start one.';
  if (blocked !== null) return `Nothing is taken up now: ${inOneTerminalLine(blocked)}.${start}`;
  return watches ? 'The watchdog that runs here takes it up.' : 'Run `andon watch` to start the line.';
}

/** The flag that sets a path of the contract, or the path without one. */
function flagAt(path: string): string {
  const field = CONTRACT_FIELDS.find(({ key }) => isAtField(path, key));
  return field === undefined ? path : `${flagOf(field.key)} (${path})`;
}

/** The first fault at a field; faults elsewhere are for other questions. */
export const faultAtField = (faults: readonly Fault[], key: FieldKey): Fault | undefined =>
  faults.find(({ path }) => isAtField(path, key));
