import { resolve } from 'node:path';
import { forTerminal, inOneTerminalLine } from '../../../base/plain-text.ts';
import { PAGE_MARK, renderPage } from '../../../line/digest/page.ts';
import { renderText } from '../../../line/digest/text.ts';
import type { Row } from '../../../line/digest/text.ts';
import { readDigest } from '../../../daemon/readers/read-digest.ts';
import { stateHomeOf } from '../../../wiring/known-states.ts';
import { findPlace } from '../../../wiring/open-place.ts';
import { Problem } from '../../../base/problem.ts';
import { flag, momentOption, textOption } from '../options.ts';
import { formOf, freePlace, realFolder, writePage } from '../page-file.ts';
import { wasSaid } from '../output.ts';
import { json, line, styled } from '../print.ts';
import { columns } from '../width.ts';
import { invalidValue, runCommand } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';

const KIND = { kind: 'digest', mark: PAGE_MARK } as const;
const WIDTH = 80;
/** In a narrower terminal lines are broken by the terminal. */
const LEAST_WIDTH = 40;

/** `andon digest`: what happened since the last one, and the state now. It notes where it ended, so that the next one goes on there. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, cwd, env } = invocation;
  const out = textOption(options, 'out');
  const form = formOf(invocation);
  const now = new Date().toISOString();
  const since = sinceOf(options, now);
  const place = flag(options, 'all') ? undefined : await placeOf(invocation);
  const asked = out === undefined ? undefined : resolve(cwd, out);
  const states = [stateHomeOf(env)];
  const gitDirs = place === undefined ? [] : [place.facts.commonDir];
  const free = (roots: readonly string[]) => asked && freePlace(asked, { roots, gitDirs, states }, KIND);
  free(place === undefined ? [] : [place.facts.root]); // a place that is barred is refused before anything is read
  const { digest, remember } = await readDigest({ place, since, now }, env);
  const file = free(digest.repositories.map(({ root }) => root));
  if (form === 'json') json(digest);
  else if (form === 'html') {
    const page = renderPage(digest, { here: undefined }); // a page can be read from any folder
    if (file === undefined) process.stdout.write(process.stdout.isTTY ? forTerminal(page) : page);
    else {
      writePage(file, page);
      line(`wrote ${inOneTerminalLine(file)}`);
    }
  } else printRows(renderText(digest, { here: realFolder(cwd) }, widthOf(env)));
  if (since !== undefined) return 0;
  if (form === undefined)
    line(styled('dim', `\nAgain: andon digest${place === undefined ? ' --all' : ''} --since ${digest.from}`));
  if (await wasSaid()) remember(); // unread entries come again
  return 0;
}

/** A moment that is still to come has no news. */
function sinceOf(options: Invocation['options'], now: string): string | undefined {
  if ((textOption(options, 'since') ?? 'last') === 'last') return undefined;
  const since = momentOption(options, 'since');
  if (since !== undefined && since > now)
    throw invalidValue('--since', textOption(options, 'since') ?? '', 'a moment in the past, or last', 'andon digest');
  return since;
}

/** Outside of every repository only all of them can be meant. */
async function placeOf({ cwd, env }: Invocation) {
  try {
    return await findPlace(cwd, env);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'not-a-repository') throw error;
    throw new Problem(
      error.code,
      error.message,
      runCommand('andon digest --all', 'to cover all repositories'),
      error.exitCode,
    );
  }
}

const widthOf = (env: NodeJS.ProcessEnv): number => Math.max(LEAST_WIDTH, Math.min(WIDTH, columns(env)));

const STYLES = { head: 'bold', good: 'green', bad: 'red' } as const;

function printRows(rows: readonly Row[]): void {
  for (const { tone, text } of rows) line(tone === 'plain' ? text : styled(STYLES[tone], text));
}
