import { lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { replaceFile } from '../../base/system/durable.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import { Problem, createUsageError } from '../../base/problem.ts';
import { hasFlag, readTextOption } from './options.ts';
import type { Invocation } from './command.ts';
import { printLine } from './print.ts';
import { conflictingOptions, invalidValue } from './usage-errors.ts';

/** A kind of page; andon knows its own by the generator in their heads. */
type PageKind = 'report' | 'digest';

/** What `--html`, `--json` or `--out` asks for; the file is checked before anything is read or written. */
export function readPageOptions(
  { options, cwd }: Invocation,
  kind: PageKind,
): { readonly form: 'html' | 'json' | undefined; readonly file: string | undefined } {
  const out = readTextOption(options, 'out');
  const example = `--out ../${kind}.html`;
  const [html, json] = [hasFlag(options, 'html'), hasFlag(options, 'json')];
  if (html && json) throw conflictingOptions(['--html', '--json'], `andon ${kind} --help`);
  if (json && out !== undefined) throw conflictingOptions(['--json', '--out'], `andon ${kind} --help`);
  if (out === undefined) return { form: html ? 'html' : json ? 'json' : undefined, file: undefined };
  if (!/\.html?$/i.test(out))
    throw invalidValue('--out', out, 'a name that ends with .html', `andon ${kind} ${example}`);
  const file = resolve(cwd, out);
  refuseOtherFile(file, kind);
  return { form: 'html', file };
}

/** Nothing is lost: only a file that is new, or a page of andon of this kind, is written. */
function refuseOtherFile(file: string, kind: PageKind): void {
  if (statSync(dirname(file), { throwIfNoEntry: false })?.isDirectory() !== true)
    throw createUsageError(`There is no folder ${dirname(file)}.`, `Run \`mkdir -p ${dirname(file)}\`.`);
  const known = lstatSync(file, { throwIfNoEntry: false });
  if (known === undefined) return;
  const head = known.isFile() ? readHead(file) : '';
  if (head.startsWith('<!doctype html>') && head.includes(`<meta name="generator" content="andon ${kind}"`)) return;
  throw new Problem(
    'file-exists',
    `${file} exists and is not a ${kind} of andon.`,
    'Name another file with --out, or move that one away.',
  );
}

/** Writes a page into its file, or to a pipe: its HTML is of no use on a terminal. */
export function deliverPage(kind: PageKind, file: string | undefined, page: string): void {
  if (file !== undefined) {
    writePage(file, page);
    printLine(`wrote ${toTerminalLine(file)}`);
  } else if (process.stdout.isTTY)
    throw createUsageError(`The ${kind} is an HTML page, not text for a terminal.`, `Add \`--out ../${kind}.html\`.`);
  else process.stdout.write(page);
}

/** A link is replaced, never followed, and no reader sees half a page. */
function writePage(file: string, text: string): void {
  try {
    replaceFile(file, text, () => true);
  } catch (error) {
    throw createUsageError(
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}).`,
      'Name a file in a folder that you may write.',
    );
  }
}

/** The first characters of a file; nothing when it cannot be read, for then it is no page of andon. */
function readHead(file: string): string {
  try {
    return readFileSync(file).subarray(0, 1000).toString('utf8');
  } catch {
    return '';
  }
}
