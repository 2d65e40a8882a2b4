import type { EditedFile, FileWrite } from '../../../record/change.ts';
import { checkWrittenPath } from '../../../base/paths.ts';
import { failure, success, type Outcome } from '../../../base/outcome.ts';
import {
  checkContent,
  checkDeletion,
  readTargetTree,
  checkPlace,
  type EditFault,
  type Land,
  type EditRefusal,
  type AnswerContext,
} from './apply-answer.ts';
import { NEW_TEXT, decodeText, stripCarriageReturn } from './file-text.ts';

/**
 * Converts the files that an agent edited in place into file writes, or into every reason against them. The checks are
 * those of a text answer; bytes stay as written.
 */
export function applyEdited(
  files: readonly EditedFile[],
  services: AnswerContext,
): Outcome<readonly FileWrite[], readonly EditRefusal[]> {
  const land = readTargetTree(services, files);
  const results = files.map((file) => applyFile(file, services, land));
  const refusals = results.flatMap((result) => (result.ok ? [] : result.why));
  return refusals.length > 0
    ? failure(refusals)
    : success(results.flatMap((result) => (result.ok ? [result.value] : [])));
}

function applyFile(file: EditedFile, services: AnswerContext, land: Land): Outcome<FileWrite, readonly EditRefusal[]> {
  const { path } = file;
  const refused = (faults: readonly EditFault[]) => failure(faults.map(([kind, detail]) => ({ kind, path, detail })));
  const misspelt = checkWrittenPath(path, services.scope);
  if (misspelt !== undefined) return refused([['path', misspelt]]);
  const faults = checkPlace(path, services, land);
  if ('unfit' in file) return refused([...faults, ['not-text', file.unfit]]);
  if (faults.some(([kind]) => kind === 'link' || kind === 'path')) return refused(faults);
  const before = services.current(path);
  if (file.content === null) {
    faults.push(...checkDeletion(before, services));
    return faults.length > 0 ? refused(faults) : success({ path, content: null });
  }
  const old = before === undefined ? NEW_TEXT : decodeText(before.bytes);
  if (old === undefined) return refused([...faults, ['not-text', 'The file is not UTF-8 text; leave it unchanged.']]);
  const text = old.isWindows ? file.content : asInGit(file.content);
  const lines = text.split('\n').map(stripCarriageReturn);
  if (lines.at(-1) === '') lines.pop();
  const length = Math.min(old.lines.length, before?.linesBefore ?? old.lines.length);
  faults.push(...checkContent(lines, old.lines.map(stripCarriageReturn), length, { path }, services));
  if (before !== undefined && file.executable !== (before.mode === '100755')) faults.push(MODE);
  if (faults.length > 0) return refused(faults);
  const mode = before === undefined ? (file.executable ? '100755' : '100644') : before.mode;
  return success({ path, mode: mode === '100755' ? '100755' : '100644', content: new TextEncoder().encode(text) });
}

const MODE: EditFault = ['path', 'The right to run the file was changed; leave that as it was.'];

/** A checkout may convert line ends, which git does not keep; a file with mixed ends is the agent's doing. */
function asInGit(text: string): string {
  const isEvery = text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text);
  return isEvery ? text.replaceAll('\r\n', '\n') : text;
}
