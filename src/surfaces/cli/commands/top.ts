import { resolve } from 'node:path';
import { readBoard } from '../../../daemon/readers/read-board.ts';
import type { Wanted } from '../../../daemon/readers/read-board.ts';
import { findPlace } from '../../../wiring/open-place.ts';
import { boardText } from '../../../line/board/text.ts';
import { flag } from '../options.ts';
import { json, line, styled } from '../print.ts';
import { canDraw } from '../terminal.ts';
import { columns } from '../width.ts';
import type { Invocation } from '../command.ts';

const STYLES = { head: 'bold', bad: 'red', dim: 'dim' } as const;

/** `andon top`: what needs you, works, waits and has ended, in every repository of yours or in those that are named; live in a terminal. */
export async function run(invocation: Invocation): Promise<number> {
  const { args, options, cwd, env } = invocation;
  const folders = (args[0] as readonly string[] | undefined) ?? [];
  const states: string[] = [];
  for (const folder of folders) states.push((await findPlace(resolve(cwd, folder), env)).state);
  const wanted: Wanted = { env, states: folders.length === 0 ? undefined : states };
  const isPlain = flag(options, 'plain') || !canDraw(env);
  if (!flag(options, 'json') && !isPlain) return live(invocation, wanted);
  const board = await readBoard(wanted);
  if (flag(options, 'json')) json(board);
  else
    for (const { tone, text } of boardText(board, columns(env)))
      line(tone === 'plain' ? text : styled(STYLES[tone], text));
  return 0;
}

/** What draws in a terminal, and what asks something of the line, are loaded only here. */
async function live(invocation: Invocation, wanted: Wanted): Promise<number> {
  // What Ink colours with asks for another name.
  if ((invocation.env['NO_COLOR'] ?? '') !== '') process.env['FORCE_COLOR'] = '0';
  const { openTop } = await import('../../top/open.ts');
  const { carryOut, whoAmI } = await import('../ask.ts');
  const { whoStarted } = await import('../../../wiring/beside.ts');
  const ask = async (root: string, wish: Parameters<Parameters<typeof openTop>[1]['ask']>[1]): Promise<string> => {
    try {
      const { status, reason } = await carryOut({ ...invocation, cwd: root }, { ...wish, by: whoAmI() });
      return `done: ${[status, reason].filter((one) => one !== '').join(', ')}`;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
  const above = whoStarted(invocation.env);
  await openTop(wanted, { env: invocation.env, ask, above }).finally(() => above?.leave());
  return 0;
}
