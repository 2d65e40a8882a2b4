import { isUtf8 } from 'node:buffer';
import { resolve } from 'node:path';
import { isThere, readBytes, readText } from '../../../rules/files/read-files.ts';
import { isMessageCheck, readFeedback } from '../../checks/record-feedback.ts';
import { SPEAKERS } from '../../../rules/model/rule-words.ts';
import { parseContract } from '../../../project/contract/task-contract-schema.ts';
import {
  checkOneMessage,
  type MessageRequest,
  type CheckedMessage,
  toMessageFacts,
} from '../../checks/check-one-message.ts';
import { formatTodos, listTodoRows } from '../../../line/record/facts.ts';
import { usingJournal } from '../../../line/journal/open-journal.ts';
import { loadWorkspace } from '../../../project/workspace/load-workspace.ts';
import { TASK_ID } from '../../../base/names.ts';
import { toTerminalLine, toSingleLine, toTerminal } from '../../../base/plain-text.ts';
import { decodeFileText } from '../../../base/decode-file-text.ts';
import { createUsageError } from '../../../base/problem.ts';
import { readStandardBytes, readStandardInput } from '../inspections.ts';
import { countTurns, readTurns, type TurnTotals } from '../../../rules/files/claude/turns.ts';
import { isInside } from '../../../project/workspace/is-inside.ts';
import {
  countTalk,
  type TalkFacts,
  formatMessageReasons,
  listMessageFigures,
} from '../../../line/reports/message-stats.ts';
import { withJournal } from '../tasks.ts';
import { hasFlag, readNumberOption, readTextOption, readWordOption } from '../options.ts';
import { printJson, printLine, colourText } from '../print.ts';
import { conflictingOptions, invalidValue, runCommand, unexpectedArgument } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';
import { formatCount } from '../../../base/format-count.ts';

/** `andon messages check|stats`: holds what one agent says to another against the guards of messages; what came of it on the line. */
export async function run(invocation: Invocation): Promise<number> {
  const { args, options, cwd, env } = invocation;
  const what = String(args[0]);
  if (what === 'stats') {
    const [, stray] = args as readonly (string | undefined)[];
    if (stray === undefined) return stats(invocation);
    throw unexpectedArgument([stray], 'andon messages stats');
  }
  const request = await requestOf(invocation);
  const place = await loadWorkspace(cwd, env, { tolerates: 'nothing' });
  const checked = await usingJournal(place, (journal) => checkOneMessage(place, journal, request));
  if (hasFlag(options, 'json')) printJson(toMessageFacts(checked));
  else tellMessage(checked, request);
  return checked.exit;
}

/** What agents said on the line of this repository, from its journal, and in Claude Code, as its hook noted it. */
const stats = (invocation: Invocation): Promise<number> =>
  withJournal(invocation, (journal, place) => {
    const wrong = readFeedback(place).filter(({ rule }) => isMessageCheck(rule)).length;
    const totals = countTalk((journal?.taskIds() ?? []).map((id) => journal?.entries(id) ?? []));
    const { root } = place.facts;
    const outside = countTurns(readTurns(invocation.env), (folder) => isInside(folder, root));
    if (hasFlag(invocation.options, 'json'))
      printJson({
        ...totals,
        false_catches: wrong,
        claude_code: { turns: outside.turns, sent_back: outside.sentBack, by: outside.by, warned: outside.warned },
      });
    else tellStats(totals, wrong, outside);
    return 0;
  });

async function requestOf({ args, options, cwd }: Invocation): Promise<MessageRequest> {
  const [, file] = args;
  const changed = readTextOption(options, 'changed');
  const name = typeof file === 'string' ? file : '-';
  if (name === '-' && changed === '-')
    throw conflictingOptions(
      ['A message on standard input', '--changed -'],
      'andon messages check MESSAGE.md --changed -',
    );
  const task = readTextOption(options, 'task');
  return {
    text: textOf(name === '-' ? await readStandardBytes() : readBytes(resolve(cwd, name), name)),
    from: readWordOption(options, 'from', SPEAKERS) ?? 'implementer',
    to: readWordOption(options, 'to', SPEAKERS) ?? 'floor_manager',
    task: taskOf(cwd, task),
    changed: changed === undefined ? undefined : changed === '-' ? await readStandardInput() : readText(cwd, changed),
    beside: [name, changed, task].filter((one) => one !== undefined).map((one) => resolve(cwd, one)),
    refused:
      readNumberOption(options, 'refused', {
        from: 0,
        to: 99,
        example: 'andon messages check MESSAGE.md --refused 2',
      }) ?? 0,
  };
}

function textOf(bytes: Uint8Array): string {
  const { text, isPieces } = decodeFileText(bytes);
  if (isPieces || (!isUtf8(bytes) && text.includes('\uFFFD')))
    throw createUsageError('The message is not text. Nothing was checked.', 'Give it as UTF-8.');
  if (text.trim() === '')
    throw createUsageError(
      'The message is empty. Nothing was checked.',
      'Give a file with the message, or pipe it in.',
    );
  return text;
}

/** A file, the id of a task, or the delegation itself. */
function taskOf(cwd: string, named: string | undefined): MessageRequest['task'] {
  if (named === undefined) return undefined;
  if (named.trim() === '')
    throw invalidValue(
      '--task',
      named,
      'a task id, a file, or the delegation',
      'andon messages check MESSAGE.md --task FIX-1',
    );
  if (!named.includes('\n') && isThere(cwd, named)) return taskIn(readText(cwd, named), toTerminalLine(named));
  if (LIKE_A_PATH.test(named))
    throw createUsageError(
      `There is no file ${toTerminalLine(named)}.`,
      'Name a file or a task id, or give the task in words.',
    );
  return TASK_ID.test(named) ? { id: named } : { words: named };
}

/** What a file says of a task: a contract, or the delegation in words. */
function taskIn(text: string, name: string): MessageRequest['task'] {
  if (!text.trimStart().startsWith('{')) return { words: text };
  const read = parseContract(text);
  if (read.ok) return read.value;
  throw createUsageError(`Invalid contract: ${name}.`, runCommand(`andon contract lint ${name}`, 'to see every fault'));
}

/** `docs/task.md`, `task.md`: one word with a folder or an ending. */
const LIKE_A_PATH = /^(?=[\w.@+~-]*(?:\/|\.\w))[\w.@+~/-]+$/;

function tellMessage({ result, rules, feedback, exit }: CheckedMessage, { from, to }: MessageRequest): void {
  const { asked, stage, warnings, todos, unsure, requests } = result;
  if (asked.length === 0 && rules === undefined)
    printLine(
      from === 'human' || to === 'human'
        ? 'not checked: what is meant for people is left alone'
        : 'not checked: switched off by enforcement.enabled',
    );
  else if (feedback !== undefined)
    printLine(colourText('red', `goes back, by ${result.passed ? 'the rules of this project' : (stage ?? 'a guard')}`));
  else printLine(exit === 0 ? colourText('green', 'goes on') : colourText('yellow', 'goes on as NEEDS_REVIEW'));
  if (result.feedback !== undefined) printLine(`\n${toTerminal(result.feedback)}\n`);
  for (const why of rules?.refused ?? []) printLine(`refused: ${toSingleLine(why)}`);
  for (const why of rules?.noted ?? []) printLine(`noted: ${toSingleLine(why)}`);
  for (const warning of warnings) printLine(`warning: ${toSingleLine(warning)}`);
  for (const { path, why } of requests)
    printLine(`asks for more scope: ${toSingleLine(path)}${why === '' ? '' : ` (${toSingleLine(why)})`}`);
  if (todos !== undefined && todos.items.length > 0) {
    printLine(`checklist: ${formatTodos(todos.items)}`);
    for (const row of listTodoRows(todos.items)) printLine(`  - ${toSingleLine(row)}`);
  }
  for (const why of unsure) printLine(`not sure: ${toSingleLine(why)}`);
  if (asked.length > 0) printLine(`asked: ${asked.join(', ')}`);
}

/** Prints what agents said; `wrong` counts the catches that people called false, `outside` the turns of Claude Code. */
function tellStats(totals: TalkFacts, wrong: number, outside: TurnTotals): void {
  tellLine(totals, wrong);
  if (outside.turns === 0) return;
  const by = Object.entries(outside.by).map(([guard, times]) => `${times} ${guard}`);
  const why = by.length === 0 ? '' : ` (${by.join(', ')})`;
  printLine(
    `claude code                 ${formatCount(outside.turns, 'turn')}, ${outside.sentBack} sent back${why}, ${outside.warned} let through with a warning`,
  );
}

function tellLine(totals: TalkFacts, wrong: number): void {
  if (totals.workers.length === 0) {
    printLine('no agent has said anything on the line yet.');
    return;
  }
  for (const one of totals.workers) {
    printLine(
      `${one.station}, ${toTerminalLine(one.model === '' ? one.agent : one.model, 60)}: ${formatCount(one.answers, 'answer')}, ${one.sent_back} sent back${formatMessageReasons(one)}`,
    );
    if (one.sent_back > 0)
      printLine(`  ${one.tokens_kept_back} tokens in refused answers, ${one.tokens_again} to ask again`);
  }
  printLine();
  for (const [name, value] of listMessageFigures(totals)) printLine(`${name.toLowerCase().padEnd(28)}${value}`);
  printLine(`${'tasks'.padEnd(28)}${totals.tasks}`);
  printLine(`called false by people      ${String(wrong)}`);
}
