import { isUtf8 } from 'node:buffer';
import { resolve } from 'node:path';
import { isThere, readBytes, readText } from '../../../inspection/read-files.ts';
import { isMessageCheck, readFeedback } from '../../../inspection/feedback.ts';
import { SPEAKERS } from '../../../inspection/message-rules.ts';
import type { Speaker } from '../../../inspection/message-rules.ts';
import { parseContract } from '../../../contract/task-contract-schema.ts';
import { checkOneMessage } from '../../../inspection/messages.ts';
import type { MessageRequest } from '../../../inspection/messages.ts';
import { readJournal } from '../../../wiring/open-journal.ts';
import { findPlace } from '../../../wiring/open-place.ts';
import { TASK_ID } from '../../../base/names.ts';
import { inOneTerminalLine } from '../../../base/plain-text.ts';
import { textInBytes } from '../../../base/text-in-bytes.ts';
import { mistake } from '../../../base/problem.ts';
import { standardBytes, standardInput } from '../inspections.ts';
import { countTurns, readTurns } from '../../../inspection/claude/turns.ts';
import { isInside } from '../../../wiring/is-inside.ts';
import { messageFacts } from '../../../inspection/message-facts.ts';
import { countTalk } from '../../../line/message-stats.ts';
import { tellMessage } from '../message-output.ts';
import { tellStats } from '../message-stats-output.ts';
import { withJournal } from '../tasks.ts';
import { flag, textOption } from '../options.ts';
import { json } from '../print.ts';
import type { Invocation } from '../command.ts';

/** `andon messages check|stats`: holds what one agent says to another against the guards of messages; what came of it on the line. */
export async function run(invocation: Invocation): Promise<number> {
  const { args, options, cwd, env } = invocation;
  const what = String(args[0]);
  if (what === 'stats') {
    const stray = [
      ...args.slice(1).filter((one) => typeof one === 'string'),
      ...OF_CHECK.filter((name) => textOption(options, name) !== undefined).map((name) => `--${name}`),
    ];
    if (stray.length === 0) return stats(invocation);
    throw mistake(`messages stats takes no ${inOneTerminalLine(stray.join(', '))}`, 'andon messages stats [--json]');
  }
  if (what !== 'check')
    throw mistake(`messages ${inOneTerminalLine(what)} is not known`, 'andon messages check [file]');
  const request = await requestOf(invocation);
  const place = await findPlace(cwd, env);
  const journal = readJournal(place);
  try {
    const checked = await checkOneMessage(place, journal, request);
    if (flag(options, 'json')) json(messageFacts(checked));
    else tellMessage(checked, request);
    return checked.exit;
  } finally {
    journal?.close();
  }
}

/** What only a check can mean. */
const OF_CHECK = ['from', 'to', 'task', 'changed', 'refused'];

/** What agents said on the line of this repository, from its journal, and in Claude Code, as its hook noted it. */
const stats = (invocation: Invocation): Promise<number> =>
  withJournal(invocation, (journal, place) => {
    const wrong = readFeedback(place).filter(({ rule }) => isMessageCheck(rule)).length;
    const totals = countTalk((journal?.taskIds() ?? []).map((id) => journal?.entries(id) ?? []));
    const { root } = place.facts;
    const outside = countTurns(readTurns(invocation.env), (folder) => isInside(folder, root));
    if (flag(invocation.options, 'json'))
      json({
        ...totals,
        false_catches: wrong,
        claude_code: { turns: outside.turns, sent_back: outside.sentBack, by: outside.by, warned: outside.warned },
      });
    else tellStats(totals, wrong, outside);
    return 0;
  });

async function requestOf({ args, options, cwd }: Invocation): Promise<MessageRequest> {
  const [, file] = args;
  const changed = textOption(options, 'changed');
  const name = typeof file === 'string' ? file : '-';
  if (name === '-' && changed === '-')
    throw mistake('standard input cannot be the message and what git printed', 'put one of them into a file');
  const task = textOption(options, 'task');
  return {
    text: textOf(name === '-' ? await standardBytes() : readBytes(resolve(cwd, name), name)),
    from: speaker(options, 'from', 'implementer'),
    to: speaker(options, 'to', 'floor_manager'),
    task: taskOf(cwd, task),
    changed: changed === undefined ? undefined : changed === '-' ? await standardInput() : readText(cwd, changed),
    beside: [name, changed, task].filter((one) => one !== undefined).map((one) => resolve(cwd, one)),
    refused: refusedOption(options),
  };
}

/** A message in whatever encoding; what is no text was said by nobody. */
function textOf(bytes: Uint8Array): string {
  const { text, isPieces } = textInBytes(bytes);
  if (!isPieces && (isUtf8(bytes) || !text.includes('\uFFFD'))) return text;
  throw mistake('the message is no text', 'give it as UTF-8; nothing was checked');
}

function speaker(options: Invocation['options'], option: string, usual: Speaker): Speaker {
  const named = textOption(options, option);
  const known = SPEAKERS.find((one) => one === (named ?? usual).replaceAll('-', '_'));
  if (known !== undefined) return known;
  throw mistake(`--${option} ${inOneTerminalLine(named ?? '')} is not known`, `one of: ${SPEAKERS.join(', ')}`);
}

/** A file, the id of a task, or the delegation itself. */
function taskOf(cwd: string, named: string | undefined): MessageRequest['task'] {
  if (named === undefined) return undefined;
  if (named.trim() === '')
    throw mistake('the task is empty', '--task <id of a task, file, or the delegation in words>');
  if (!named.includes('\n') && isThere(cwd, named)) return taskIn(readText(cwd, named), inOneTerminalLine(named));
  if (LIKE_A_PATH.test(named))
    throw mistake(
      `${inOneTerminalLine(named)} is not there`,
      'name a file that is there, an id of a task, or say the task in words',
    );
  return TASK_ID.test(named) ? { id: named } : { words: named };
}

/** What a file says of a task: a contract, or the delegation in words. */
function taskIn(text: string, name: string): MessageRequest['task'] {
  if (!text.trimStart().startsWith('{')) return { words: text };
  const read = parseContract(text);
  if (read.ok) return read.value;
  throw mistake(`${name} is no task contract that can be read`, `andon contract lint ${name} says why`);
}

/** `docs/task.md`, `task.md`: one word with a folder or an ending. */
const LIKE_A_PATH = /^(?=[\w.@+~-]*(?:\/|\.\w))[\w.@+~/-]+$/;

function refusedOption(options: Invocation['options']): number {
  const named = textOption(options, 'refused') ?? '0';
  if (/^\d{1,2}$/.test(named)) return Number(named);
  throw mistake(`--refused ${inOneTerminalLine(named)} is no number from 0 to 99`, '--refused 2');
}
