/** Source code without what texts and comments hold: their signs become blanks, every line keeps its place. */
export function blankLiterals(code: string, language: 'script' | 'python' | 'other'): string {
  let out = '';
  let at = 0;
  let before = ''; // the last sign of code, which tells a division from a regular expression
  while (at < code.length) {
    const end = literalEnd(code, at, language, before);
    if (end === undefined) {
      const sign = code.charAt(at);
      out += sign;
      if (sign.trim() !== '') before = sign;
      at += 1;
    } else {
      const isText = /["'`]/.test(code.charAt(at));
      const hidden = code.slice(at, end).replace(/[^\n]/g, ' ');
      out += isText ? `_${hidden.slice(1)}` : hidden;
      if (isText) before = '_';
      at = end;
    }
  }
  return out;
}

function literalEnd(code: string, at: number, language: string, before: string): number | undefined {
  const sign = code.charAt(at);
  const next = code.charAt(at + 1);
  if (language === 'python') {
    if (sign === '#') return lineEnd(code, at);
    if (code.startsWith('"""', at) || code.startsWith("'''", at)) return after(code, code.slice(at, at + 3), at + 3);
  } else {
    if (sign === '/' && next === '/') return lineEnd(code, at);
    if (sign === '/' && next === '*') return after(code, '*/', at + 2);
    if (sign === '`') return quoteEnd(code, at, true);
    if (sign === '/' && language === 'script' && (before === '' || '(,=:[!&|?{};+'.includes(before)))
      return quoteEnd(code, at, false);
    if (sign === "'" && language === 'other')
      return /^'(?:\\.[^']{0,8}|[^'\\\n])'/.test(code.slice(at, at + 12)) ? quoteEnd(code, at, false) : undefined;
  }
  return sign === '"' || sign === "'" ? quoteEnd(code, at, false) : undefined;
}

function quoteEnd(code: string, start: number, mayCrossLines: boolean): number {
  const quote = code.charAt(start);
  let isInClass = false;
  for (let at = start + 1; at < code.length; at += 1) {
    const sign = code.charAt(at);
    if (sign === '\\') at += 1;
    else if (sign === '\n' && !mayCrossLines) return at;
    else if (quote === '/' && sign === '[') isInClass = true;
    else if (quote === '/' && sign === ']') isInClass = false;
    else if (sign === quote && !isInClass) return at + 1;
  }
  return code.length;
}

const lineEnd = (code: string, at: number): number => after(code, '\n', at) - (code.indexOf('\n', at) === -1 ? 0 : 1);

function after(code: string, mark: string, from: number): number {
  const at = code.indexOf(mark, from);
  return at === -1 ? code.length : at + mark.length;
}
