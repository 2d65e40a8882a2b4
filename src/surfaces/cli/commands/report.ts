import { lstatSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { HANDOFF } from '../../../base/names.ts';
import { forTerminal, inOneTerminalLine } from '../../../base/plain-text.ts';
import { gatherReport } from '../../../line/documents/task-report/facts.ts';
import { reportFacts } from '../../../line/documents/task-report/facts-json.ts';
import { MARKDOWN_MARK, renderMarkdown } from '../../../line/documents/task-report/markdown.ts';
import { PAGE_MARK, renderPage } from '../../../line/documents/task-report/page.ts';
import { isInside } from '../../../inspection/rulebook/is-inside.ts';
import { openForReading } from '../../../daemon/wiring/open-reader.ts';
import type { Journal } from '../../../daemon/wiring/open-journal.ts';
import type { Place } from '../../../daemon/wiring/open-place.ts';
import { Problem } from '../../../base/problem.ts';
import { flag, taskArgument, textOption } from '../options.ts';
import { json, line } from '../print.ts';
import { recordOf, withJournal } from '../tasks.ts';
import type { Invocation } from '../command.ts';

/** `andon report`: the whole of a task as one page or as Markdown; written only where `--out` says. */
export function run(invocation: Invocation): Promise<number> {
  const taskId = taskArgument(invocation);
  const { options, cwd } = invocation;
  const out = textOption(options, 'out');
  const form = formOf(invocation, out);
  return withJournal(invocation, async (journal, place) => {
    const file = out === undefined ? undefined : freePlace(resolve(cwd, out), place);
    const report = await gather(taskId, journal, place);
    if (form === 'json') {
      json(reportFacts(report));
      return 0;
    }
    const text = form === 'html' ? renderPage(report) : renderMarkdown(report);
    if (file === undefined) process.stdout.write(process.stdout.isTTY ? forTerminal(text) : text);
    else {
      write(file, text);
      line(`wrote ${inOneTerminalLine(file)}`);
    }
    return 0;
  });
}

/** `--html`, `--md` or `--json` says it; else the name of the file does; else it is Markdown. */
function formOf({ options }: Invocation, out: string | undefined): 'html' | 'md' | 'json' {
  const asked = (['html', 'md', 'json'] as const).filter((form) => flag(options, form));
  if (asked.length > 1)
    throw new Problem('bad-argument', `${asked.map((form) => `--${form}`).join(' and ')} are two forms`, 'give one');
  if (asked[0] === 'json' && out !== undefined)
    throw new Problem('bad-argument', '--json is printed, --out is for a page or Markdown', 'leave one of them out');
  return asked[0] ?? (/\.html?$/i.test(out ?? '') ? 'html' : 'md');
}

async function gather(taskId: string, journal: Journal | undefined, place: Place) {
  const record = recordOf(journal, taskId);
  const { change } = record;
  const repository = await openForReading(place);
  const isThere = async (commit: string): Promise<boolean> => (await repository.resolve(commit)) !== undefined;
  const hasPatch = change !== undefined && (await isThere(change.base)) && (await isThere(change.commit));
  const refs = await repository.refsUnder(`refs/andon/${taskId}/`);
  const attempts = refs.filter(({ ref }) => /\/\d+(?:\.\d+)?$/.test(ref));
  return gatherReport(record, journal?.entries(taskId) ?? [], {
    now: new Date().toISOString(),
    patch: hasPatch ? await repository.patch(change.base, change.commit) : undefined,
    refs: new Map(attempts.map(({ ref, commit }) => [commit, ref])),
    isChainWhole: journal?.verify() === undefined,
  });
}

/** A place where nothing is lost: not git's, not the line's, and either new or a report of andon's own. */
function freePlace(asked: string, place: Place): string {
  const bad = (why: string, remedy: string): Problem => new Problem('bad-argument', `${asked} ${why}`, remedy);
  const elsewhere = 'name a file somewhere else, such as --out ../report.html';
  const folder = realFolder(dirname(asked));
  if (folder === undefined) throw bad('lies in a folder that is not there', 'make the folder first, or name another');
  const file = join(folder, basename(asked));
  if (file.split(sep).some((part) => part.toLowerCase() === '.git') || isIn(file, place.facts.commonDir))
    throw bad('lies inside .git', elsewhere);
  if (isIn(file, join(place.facts.root, HANDOFF)))
    throw bad(`lies in ${HANDOFF}/, which belongs to the line`, elsewhere);
  if (isIn(file, place.state)) throw bad("lies in andon's own state", elsewhere);
  const known = lstatSync(file, { throwIfNoEntry: false });
  if (known === undefined) return file;
  if (!known.isFile()) throw bad(`is ${known.isDirectory() ? 'a folder' : 'no plain file'}`, 'name a file');
  const head = beginningOf(file);
  if (head.startsWith(MARKDOWN_MARK) || (head.startsWith('<!doctype html>') && head.includes(PAGE_MARK))) return file;
  throw new Problem(
    'file-exists',
    `${asked} is there already and is no report of andon`,
    'name another file, or move that one away',
  );
}

/** The first characters of a file; nothing when it cannot be read, for then it is nobody's report. */
function beginningOf(file: string): string {
  try {
    return readFileSync(file).subarray(0, 1000).toString('utf8');
  } catch {
    return '';
  }
}

function realFolder(folder: string): string | undefined {
  try {
    return realpathSync(folder);
  } catch {
    return undefined;
  }
}

const isIn = (file: string, folder: string): boolean => isInside(file, realFolder(folder) ?? folder);

/** Written beside and renamed into place: a link is replaced, never followed, and nobody reads half a report. */
function write(file: string, text: string): void {
  const beside = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`);
  try {
    writeFileSync(beside, text, { flag: 'wx' });
    renameSync(beside, file);
  } catch (error) {
    throw new Problem(
      'bad-argument',
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown error'})`,
      'name a file in a folder that you may write',
    );
  }
}
