import { applyEdits, modify } from 'jsonc-parser';

/**
 * Sets the value at a path of a valid JSON text, in the style of the text; undefined removes it. Missing parents are
 * made; -1 appends to an array.
 */
export function editJson(text: string, path: readonly (string | number)[], value: unknown): string {
  const unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
  const style = {
    insertSpaces: !unit.startsWith('\t'),
    tabSize: unit.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  const edits = modify(text, [...path], value, {
    ...(text.includes('\n') ? { formattingOptions: style } : {}),
    isArrayInsertion: path.at(-1) === -1,
  });
  return applyEdits(text, edits);
}
