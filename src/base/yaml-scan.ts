import { CST, Lexer } from 'yaml';

/** The most collections that may stand inside one another in a rule file. */
export const MAX_YAML_DEPTH = 64;

/** Why a YAML text is not even parsed, and where that was seen. */
export interface ScanFault {
  readonly line: number;
  readonly message: string;
  readonly remedy: string;
}

/**
 * Looks at the tokens of a YAML text before anything is built from it: no anchors, no aliases, no depth that could
 * exhaust a parser. Runs in one pass without recursion.
 */
export function scanYaml(text: string): ScanFault | undefined {
  const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.exec(text);
  if (control !== null) {
    const at = text.slice(0, control.index).split('\n').length;
    return { line: at, message: 'a control character', remedy: 'save the file as plain UTF-8 text' };
  }
  const depth = new Depth();
  const count: Record<string, number> = {};
  let line = 1;
  for (const token of new Lexer().lex(text)) {
    const type = CST.tokenType(token);
    if (type === 'anchor' || type === 'alias') return referenceAt(line, token);
    const kind = KINDS[type ?? ''] ?? 'tokens';
    count[kind] = (count[kind] ?? 0) + 1;
    const most = MOST[kind];
    if (count[kind] > most.count) return { line, message: most.message, remedy: most.remedy };
    depth.take(type, token);
    if (depth.now > MAX_YAML_DEPTH) {
      const message = `more than ${MAX_YAML_DEPTH} levels of nesting`;
      return { line, message, remedy: 'a rule file needs a handful of levels: flatten it' };
    }
    for (let at = token.indexOf('\n'); at !== -1; at = token.indexOf('\n', at + 1)) line += 1;
  }
  return undefined;
}

/** What is counted, because a parser pays for each of it. */
const MOST = {
  texts: { count: 40_000, message: 'more than 40,000 keys, values and separators', remedy: 'split the file' },
  tokens: { count: 150_000, message: 'too many separate parts', remedy: 'split the file' },
  directives: { count: 1, message: 'a second directive (`%…`)', remedy: 'remove it' },
  documents: {
    count: 1,
    message: 'a second document',
    remedy: 'one document per file: remove the line `---`, or split the file',
  },
};
const KINDS: Readonly<Record<string, keyof typeof MOST | undefined>> = {
  scalar: 'texts',
  'single-quoted-scalar': 'texts',
  'double-quoted-scalar': 'texts',
  'block-scalar-header': 'texts',
  'map-value-ind': 'texts',
  comma: 'texts',
  'doc-start': 'documents',
  'doc-end': 'documents',
  directive: 'directives',
  'directive-line': 'directives',
};

function referenceAt(line: number, token: string): ScanFault {
  const word = token.slice(0, 20).replaceAll(/[^\x20-\x7e]/g, '?');
  const message = `\`${word}\` is an anchor or alias of YAML, which rule files may not hold`;
  return { line, message, remedy: `put the text into single quotes if it is meant as text ('${word}…'), or repeat it` };
}

/** How deep the text is at a token: open brackets, plus the columns at which block collections began. */
class Depth {
  #flow = 0;
  #column = 0;
  #isLineStart = true;
  readonly #columns: number[] = [];

  get now(): number {
    return this.#flow + this.#columns.length;
  }

  take(type: string | null, token: string): void {
    if (type === 'flow-map-start' || type === 'flow-seq-start') this.#flow += 1;
    else if (type === 'flow-map-end' || type === 'flow-seq-end') this.#flow = Math.max(0, this.#flow - 1);
    else if (this.#flow === 0 && this.#isLineStart && ENTRIES.has(type)) this.#open();
    if (MARKS.has(token)) return;
    const breakAt = token.lastIndexOf('\n');
    this.#column = breakAt === -1 ? this.#column + token.length : token.length - breakAt - 1;
    this.#isLineStart = breakAt !== -1 || (this.#isLineStart && STAYS_AT_START.has(type));
  }

  #open(): void {
    while ((this.#columns.at(-1) ?? -1) >= this.#column) this.#columns.pop();
    this.#columns.push(this.#column);
  }
}

/** What may begin a block collection at the start of a line: a dash, a question mark, a colon, or a key. */
const ENTRIES: ReadonlySet<string | null> = new Set([
  'seq-item-ind',
  'explicit-key-ind',
  'map-value-ind',
  'scalar',
  'single-quoted-scalar',
  'double-quoted-scalar',
]);
/** After these a line may go on to open another collection. */
const STAYS_AT_START: ReadonlySet<string | null> = new Set([
  'space',
  'seq-item-ind',
  'explicit-key-ind',
  'map-value-ind',
]);
/** What the lexer puts between tokens; it does not stand in the text. */
const MARKS: ReadonlySet<string> = new Set(['\u0002', '\u0018', '\u001f']);
