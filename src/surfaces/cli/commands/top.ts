import { resolve } from 'node:path';
import { readBoard } from '../../../daemon/readers/read-board.ts';
import { findPlace } from '../../../daemon/wiring/open-place.ts';
import { boardText } from '../../../line/board/text.ts';
import { flag } from '../options.ts';
import { json, line, styled } from '../print.ts';
import { columns } from '../width.ts';
import type { Invocation } from '../command.ts';

const STYLES = { head: 'bold', bad: 'red', dim: 'dim' } as const;

/** `andon top`: what needs you, works, waits and has ended, in every repository of yours or in those that are named. */
export async function run({ args, options, cwd, env }: Invocation): Promise<number> {
  const folders = (args[0] as readonly string[] | undefined) ?? [];
  const states: string[] = [];
  for (const folder of folders) states.push((await findPlace(resolve(cwd, folder), env)).state);
  const wanted = { env, states: folders.length === 0 ? undefined : states };
  const board = await readBoard(wanted);
  if (flag(options, 'json')) json(board);
  else
    for (const { tone, text } of boardText(board, columns(env)))
      line(tone === 'plain' ? text : styled(STYLES[tone], text));
  return 0;
}
