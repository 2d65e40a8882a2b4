import { SYNTAX } from './syntax.ts';
import type { Language, Quote, Syntax } from './syntax.ts';

/** A piece of code; comments are gone, and of a text literal `text` is what it holds. */
export interface Token {
  readonly kind: 'word' | 'text' | 'sign' | 'note';
  readonly text: string;
  /** 1-based. */
  readonly line: number;
  /** How far its line is indented. */
  readonly indent: number;
  /** It is the first of its line. */
  readonly leads: boolean;
}

/** Takes source code apart in one pass over it: words, texts and signs, without comments. What is no code at all comes out as something, never as an error. */
export function tokensOf(code: string, language: Language): readonly Token[] {
  const syntax = SYNTAX[language];
  const start = language === 'php' ? Math.max(0, code.indexOf('<?')) : 0;
  const scan: Scan = { code, syntax, at: start, line: 1, indent: 0, leads: true, tokens: [], heredocs: [] };
  while (scan.at < code.length) step(scan);
  return scan.tokens;
}

interface Scan {
  readonly code: string;
  readonly syntax: Syntax;
  at: number;
  line: number;
  indent: number;
  leads: boolean;
  readonly tokens: Token[];
  /** Ends of the here-documents that begin with the next line. */
  readonly heredocs: string[];
}

function step(scan: Scan): void {
  const { code, syntax } = scan;
  const sign = code.charAt(scan.at);
  if (sign === '\n') return newLine(scan);
  if (sign === ' ' || sign === '\t' || sign === '\r' || sign === '\f' || sign === '\v') {
    if (scan.leads) scan.indent += sign === '\t' ? 4 : 1;
    scan.at += 1;
    return;
  }
  if (sign === '\\' && syntax.heredoc === 'shell') {
    scan.at += 1;
    if (code.charAt(scan.at) !== '\n') scan.at += 1;
    else newLine(scan);
    return;
  }
  if (comment(scan) || hereDocument(scan) || literal(scan)) return;
  const word = matchAt(syntax.word, code, scan.at);
  push(scan, word === '' ? 'sign' : 'word', word === '' ? sign : word, scan.at + Math.max(1, word.length));
}

function newLine(scan: Scan): void {
  scan.at += 1;
  scan.line += 1;
  scan.indent = 0;
  scan.leads = true;
  for (const end of scan.heredocs.splice(0)) skipHereDocument(scan, end);
  if (scan.syntax.blockLines === undefined) return;
  const [open, close] = scan.syntax.blockLines;
  if (!open.test(lineAt(scan.code, scan.at))) return;
  while (scan.at < scan.code.length && !close.test(lineAt(scan.code, scan.at))) skipLine(scan);
  skipLine(scan);
}

function comment(scan: Scan): boolean {
  const { code, syntax, at } = scan;
  const before = code.charAt(at - 1);
  for (const mark of syntax.lineComments) {
    if (!code.startsWith(mark, at)) continue;
    if (mark === '#' && (code.startsWith('#[', at) ? syntax.attributes : syntax.hashLeads && /[^\s;(]/.test(before)))
      continue;
    const end = endOf(code, '\n', at);
    if (syntax.notes?.test(code.slice(at, Math.min(end, at + 200))) === true) note(scan, code.slice(at, end));
    scan.at = end;
    return true;
  }
  for (const [open, close, nests] of syntax.blockComments) {
    if (!code.startsWith(open, at)) continue;
    const end = nests ? nestedEnd(code, at, open, close) : endOf(code, close, at + open.length) + close.length;
    const text = code.slice(at, Math.min(end, at + 4000));
    if (syntax.notes?.test(text) === true) note(scan, text);
    advance(scan, Math.min(end, code.length));
    return true;
  }
  return false;
}

const note = (scan: Scan, text: string): void => {
  scan.tokens.push({ kind: 'note', text, line: scan.line, indent: scan.indent, leads: scan.leads });
};

function hereDocument(scan: Scan): boolean {
  const { code, at, syntax } = scan;
  if (syntax.heredoc === undefined || !code.startsWith('<<', at)) return false;
  HEREDOC.lastIndex = at;
  const found = HEREDOC.exec(code);
  if (found === null || (syntax.heredoc === 'php') !== code.startsWith('<<<', at)) return false;
  if (syntax.heredoc === 'ruby' && !/^<<[~-]?["'`A-Z]/.test(found[0])) return false;
  scan.heredocs.push(found[2] ?? '');
  push(scan, 'text', '', at + found[0].length);
  return true;
}

const HEREDOC = /<<<?[-~]?\s?(["'`]?)([A-Za-z_]\w*)\1/y;

function skipHereDocument(scan: Scan, end: string): void {
  while (scan.at < scan.code.length) {
    const line = lineAt(scan.code, scan.at).trim();
    if (line === end || (scan.syntax.heredoc === 'php' && new RegExp(`^${end}\\b`).test(line))) {
      if (scan.syntax.heredoc !== 'php') skipLine(scan);
      return;
    }
    skipLine(scan);
  }
}

function literal(scan: Scan): boolean {
  const { code, syntax, at } = scan;
  const sign = code.charAt(at);
  if (sign === '/' && syntax.regex && mayBeRegex(scan.tokens.at(-1))) {
    const end = quoteEnd(code, at + 1, { open: '/', close: '/' }, true);
    if (end !== undefined) {
      push(scan, 'text', code.slice(at + 1, end - 1), end);
      return true;
    }
  }
  if (syntax.raw !== undefined) {
    const opened = matchAt(syntax.raw, code, at);
    if (opened !== '') {
      const close = `"${'#'.repeat(opened.split('#').length - 1)}`;
      const end = Math.min(code.length, endOf(code, close, at + opened.length) + close.length);
      push(scan, 'text', code.slice(at + opened.length, end - close.length), end);
      return true;
    }
  }
  const quote = syntax.quotes.find(({ open }) => code.startsWith(open, at));
  if (quote === undefined) return false;
  if (quote.isChar === true && matchAt(CHARACTER, code, at) === '') return false;
  const end = quoteEnd(code, at + quote.open.length, quote, false) ?? code.length;
  const last = Math.max(
    at + quote.open.length,
    end - (code.startsWith(quote.close, end - quote.close.length) ? quote.close.length : 0),
  );
  push(scan, 'text', code.slice(at + quote.open.length, last), end);
  return true;
}

const CHARACTER = /'(?:\\[^']{1,10}|[^'\\\n]{1,2})'/y;

/** Where a quoted text ends; one that may not cross lines ends with its line. Undefined for a regular expression that does not end. */
function quoteEnd(code: string, from: number, quote: Quote, isRegex: boolean): number | undefined {
  let isInClass = false;
  let depth = 0;
  const last = isRegex ? Math.min(code.length, from + LONGEST_REGEX) : code.length;
  for (let at = from; at < last; at += 1) {
    const sign = code.charAt(at);
    if (sign === '\\' && quote.isRaw !== true) at += 1;
    else if (sign === '\n' && quote.crosses !== true) return isRegex ? undefined : at;
    else if (isRegex && sign === '[') isInClass = true;
    else if (isRegex && sign === ']') isInClass = false;
    else if (quote.nests === true && sign === '$' && code.charAt(at + 1) === '{') depth += 1;
    else if (depth > 0 && sign === '}') depth -= 1;
    else if (depth === 0 && !isInClass && code.startsWith(quote.close, at)) {
      if (quote.isRaw !== true || quote.close.length > 1 || code.charAt(at + 1) !== quote.close)
        return at + quote.close.length;
      if (quote.doubles !== true) return at + 1;
      at += 1;
    }
  }
  return isRegex ? undefined : code.length;
}

/** A regular expression is looked for no further than this. */
const LONGEST_REGEX = 2000;

const mayBeRegex = (before: Token | undefined): boolean =>
  before === undefined ||
  (before.kind === 'sign' && '(,=:[!&|?{};+~%'.includes(before.text)) ||
  (before.kind === 'word' &&
    /^(?:return|typeof|case|in|of|await|yield|if|unless|when|and|or|not|match)$/.test(before.text));

function push(scan: Scan, kind: Token['kind'], text: string, end: number): void {
  scan.tokens.push({ kind, text, line: scan.line, indent: scan.indent, leads: scan.leads });
  scan.leads = false;
  advance(scan, end);
}

const NEW_LINE = 10;

/** Goes on behind what was read; the lines in it are counted, and none of them begins anew. */
function advance(scan: Scan, end: number): void {
  for (let at = scan.at; at < end; at += 1) if (scan.code.charCodeAt(at) === NEW_LINE) scan.line += 1;
  scan.at = Math.max(end, scan.at + 1);
}

function nestedEnd(code: string, start: number, open: string, close: string): number {
  let depth = 0;
  for (let at = start; at < code.length; at += 1) {
    if (code.startsWith(open, at)) {
      depth += 1;
      at += open.length - 1;
    } else if (code.startsWith(close, at)) {
      depth -= 1;
      at += close.length - 1;
      if (depth === 0) return at + 1;
    }
  }
  return code.length;
}

function endOf(code: string, mark: string, from: number): number {
  const at = code.indexOf(mark, from);
  return at === -1 ? code.length : at;
}

const lineAt = (code: string, at: number): string => code.slice(at, Math.min(endOf(code, '\n', at), at + 400));

function skipLine(scan: Scan): void {
  scan.at = Math.min(scan.code.length, endOf(scan.code, '\n', scan.at) + 1);
  scan.line += 1;
}

function matchAt(pattern: RegExp, code: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(code)?.[0] ?? '';
}
