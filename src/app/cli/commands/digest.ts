import { renderText, type Row } from '../../../line/digest/render-digest-text.ts';
import { readDigest } from '../../../line/readers/read-digest.ts';
import { pageStyle } from '../../../base/system/install-root.ts';
import { loadWorkspace } from '../../../project/workspace/load-workspace.ts';
import { Problem } from '../../../base/problem.ts';
import { hasFlag, readMomentOption, readTextOption } from '../options.ts';
import { deliverPage, readPageOptions } from '../page-file.ts';
import { isFlushed } from '../output.ts';
import { printJson, printLine, colourText } from '../print.ts';
import { getColumns } from '../width.ts';
import { invalidValue, runCommand } from '../usage-errors.ts';
import type { Invocation } from '../command.ts';
import { loadDigestPage } from '../load-pages.ts';

const WIDTH = 80;
/** In a narrower terminal lines are broken by the terminal. */
const LEAST_WIDTH = 40;

/** `andon digest`: what happened since the last one, and the state now. It notes where it ended, so that the next one goes on there. */
export async function run(invocation: Invocation): Promise<number> {
  const { options, cwd, env } = invocation;
  const { form, file } = readPageOptions(invocation, 'digest');
  const now = new Date().toISOString();
  const since = sinceOf(options, now);
  const place = hasFlag(options, 'all') ? undefined : await placeOf(invocation);
  const { digest, remember } = await readDigest({ place, since, now }, env);
  if (form === 'json') printJson(digest);
  else if (form === 'html') {
    const { renderDigestPage } = await loadDigestPage();
    deliverPage('digest', file, renderDigestPage(digest, { here: undefined }, pageStyle(import.meta.url))); // read from any folder
  } else printRows(renderText(digest, { here: cwd }, widthOf(env)));
  if (since !== undefined) return 0;
  if (form === undefined)
    printLine(
      colourText(
        'dim',
        `\nTo see this period again: andon digest${place === undefined ? ' --all' : ''} --since ${digest.from}`,
      ),
    );
  if (await isFlushed()) remember(); // unread entries come again
  return 0;
}

/** A moment that is still to come has no news. */
function sinceOf(options: Invocation['options'], now: string): string | undefined {
  if ((readTextOption(options, 'since') ?? 'last') === 'last') return undefined;
  const since = readMomentOption(options, 'since');
  if (since !== undefined && since > now)
    throw invalidValue(
      '--since',
      readTextOption(options, 'since') ?? '',
      'a moment in the past, or last',
      'andon digest',
    );
  return since;
}

/** Outside of every repository only all of them can be meant. */
async function placeOf({ cwd, env }: Invocation) {
  try {
    return await loadWorkspace(cwd, env);
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

const widthOf = (env: NodeJS.ProcessEnv): number => Math.max(LEAST_WIDTH, Math.min(WIDTH, getColumns(env)));

const STYLES = { head: 'bold', good: 'green', bad: 'red' } as const;

function printRows(rows: readonly Row[]): void {
  for (const { tone, text } of rows) printLine(tone === 'plain' ? text : colourText(STYLES[tone], text));
}
