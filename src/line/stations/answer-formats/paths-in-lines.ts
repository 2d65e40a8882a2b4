/** A path without code marks, bold, quotes, a closing colon, a leading `./`, or a remark such as `(new file)`. */
export function stripPathMarkup(written: string): string {
  if (written.length > LONGEST_LINE) return '';
  const text = written.replace(/^[\s*"']+/, '');
  const span = /^`+([^`]+)`/.exec(text)?.[1];
  const path = (span ?? text.trimEnd().replace(REMARK, '')).trim();
  const end = span === undefined ? lengthWithout(path, '*`"\':') : path.length;
  return path.slice(0, end).trim().replace(/^\.\//, '');
}

function lengthWithout(text: string, tail: string): number {
  let end = text.length;
  while (end > 0 && tail.includes(text.charAt(end - 1))) end -= 1;
  return end;
}

/** Whether a text is one word with a file extension, or a usual name without one. */
export function looksLikePath(text: string): boolean {
  if (text.length > 4096 || /[\s<>|"`;=,]/.test(text) || text.includes('://')) return false;
  const name = text.slice(text.lastIndexOf('/') + 1);
  return USUAL_NAMES.has(name) || /^[^()]*\.(?=[\d_+-]*[A-Za-z])[\w+-]{1,12}$/.test(name);
}

/** A path has at most 4096 characters; longer lines contain none. */
export const LONGEST_LINE = 5000;
const REMARK = / \((?:new|modified|updated|changed|unchanged|existing|full|complete)(?: file| content)?\)$/i;
const USUAL_NAMES: ReadonlySet<string> = new Set([
  'Makefile',
  'Dockerfile',
  'LICENSE',
  'Gemfile',
  'Rakefile',
  'Procfile',
]);
