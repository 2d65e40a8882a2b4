import { resolve } from 'node:path';
import { readBoard, type BoardRequest } from '../../../line/readers/live-board.ts';
import { loadWorkspace } from '../../../project/workspace/load-workspace.ts';
import { renderBoardText } from '../../../line/board/render-board-text.ts';
import { hasFlag } from '../options.ts';
import { printJson, printLine, colourText } from '../print.ts';
import { getColumns } from '../width.ts';
import { canDraw } from '../terminal.ts';
import { getUserName, type Invocation } from '../command.ts';
import { getErrorMessage } from '../../../base/get-error-message.ts';

const STYLES = { head: 'bold', bad: 'red', dim: 'dim' } as const;

/** `andon top`: what needs you, works, waits and has ended, in every repository of yours or in those that are named; live in a terminal. */
export async function run(invocation: Invocation): Promise<number> {
  const { args, options, cwd, env } = invocation;
  const folders = (args[0] as readonly string[] | undefined) ?? [];
  const states: string[] = [];
  for (const folder of folders) states.push((await loadWorkspace(resolve(cwd, folder), env)).state);
  const wanted: BoardRequest = { env, states: folders.length === 0 ? undefined : states };
  const isPlain = hasFlag(options, 'plain') || !canDraw(env);
  if (!hasFlag(options, 'json') && !isPlain) return live(invocation, wanted);
  const board = await readBoard(wanted);
  if (hasFlag(options, 'json')) printJson(board);
  else
    for (const { tone, text } of renderBoardText(board, getColumns(env), cwd))
      printLine(tone === 'plain' ? text : colourText(STYLES[tone], text));
  return 0;
}

/** What draws in a terminal, and what asks something of the line, are loaded only here. */
async function live(invocation: Invocation, wanted: BoardRequest): Promise<number> {
  // What Ink colours with asks for another name.
  if ((invocation.env['NO_COLOR'] ?? '') !== '') process.env['FORCE_COLOR'] = '0';
  const { openTop } = await import('../../top/open-top.ts');
  const { requestOrRun } = await import('../ask-watchdog.ts');
  const { findParentProcess } = await import('../../top/parent-process.ts');
  const ask: Parameters<typeof openTop>[1]['ask'] = async (root, wish) => {
    try {
      const { status, reason } = await requestOrRun({ ...invocation, cwd: root }, { ...wish, by: getUserName() });
      return { ok: true, said: `done: ${[status, reason].filter((one) => one !== '').join(', ')}` };
    } catch (error) {
      return { ok: false, said: getErrorMessage(error) };
    }
  };
  const above = findParentProcess(invocation.env);
  await openTop(wanted, { env: invocation.env, ask, above }).finally(() => above?.leave());
  return 0;
}
