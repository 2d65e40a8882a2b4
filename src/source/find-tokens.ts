import { readCpuTime } from '../base/system/cpu-time.ts';
import type { TreeCursor } from 'web-tree-sitter';
import { parseSource, type SourceTree } from './parse-source.ts';
import type { SyntaxToken, SyntaxKind } from './syntax-token.ts';

/** Larger files stay plain. A file of this size takes a fifth of a second, in which its process does nothing else. */
const MOST_CHARACTERS = 128 * 1024;
const MOST_MS = 400;
/** Nodes read between two looks at the clock. */
const AT_ONCE = 1000;

/**
 * The tokens of some lines of a file, by number from 1; a line without any is left out. Undefined where the file has no
 * grammar, is too large or takes too long.
 */
export async function findTokens(
  path: string,
  text: string,
  wanted: ReadonlySet<number>,
): Promise<ReadonlyMap<number, readonly SyntaxToken[]> | undefined> {
  if (text.length > MOST_CHARACTERS || wanted.size === 0) return undefined;
  const lines = listLines(text).filter(({ number }) => wanted.has(number));
  const [start, end] = [lines[0]?.start ?? 0, lines.at(-1)?.end ?? 0];
  const read = ({ root, language }: SourceTree): Uint8Array | undefined =>
    paint(root.walk(), { kinds: new Uint8Array(text.length), start, end, functions: new Set(language.functions) });
  const kinds = await parseSource(path, text, read, MOST_MS);
  if (kinds === undefined) return undefined;
  const found = lines.map(({ number, start, end }) => [number, tokensIn(kinds.subarray(start, end))] as const);
  return new Map(found.filter(([, tokens]) => tokens.length > 0));
}

interface Line {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

function listLines(text: string): readonly Line[] {
  let start = 0;
  return text.split('\n').map((line, at) => {
    const end = start + line.length;
    const found = { number: at + 1, start, end };
    start = end + 1;
    return found;
  });
}

const KINDS: readonly SyntaxKind[] = ['comment', 'keyword', 'name', 'number', 'string', 'type'];
const PLAIN = 0;
const paintOf = (kind: SyntaxKind): number => KINDS.indexOf(kind) + 1;

interface Canvas {
  /** The paint of each character. */
  readonly kinds: Uint8Array;
  /** The characters that are looked at. */
  readonly start: number;
  readonly end: number;
  readonly functions: ReadonlySet<string>;
}

/** Paints each node over its parent. Loops instead of recursion: hostile code nests deeper than the stack. */
function paint(cursor: TreeCursor, canvas: Canvas): Uint8Array | undefined {
  const { kinds, start, end, functions } = canvas;
  const parents: string[] = [];
  const deadline = readCpuTime() + MOST_MS;
  for (let count = 1; ; count += 1) {
    if (count % AT_ONCE === 0 && readCpuTime() > deadline) return undefined;
    const { nodeType, startIndex, endIndex } = cursor;
    const isSeen = startIndex < end && endIndex > start;
    if (isSeen) {
      const isName = cursor.currentFieldName === 'name' && functions.has(parents.at(-1) ?? '');
      const kind = isName ? paintOf('name') : classify(nodeType, cursor.nodeIsNamed, kinds[startIndex] ?? PLAIN);
      if (kind !== undefined) kinds.fill(kind, startIndex, endIndex);
      if (cursor.gotoFirstChild()) {
        parents.push(nodeType);
        continue;
      }
    }
    while (!cursor.gotoNextSibling()) {
      if (!cursor.gotoParent()) return kinds;
      parents.pop();
    }
  }
}

/** The grammars agree in these parts of the names of their nodes. */
const NAMED: readonly (readonly [RegExp, number])[] = [
  [/(?:^|_)comment$/, paintOf('comment')],
  [/interpolation$|substitution$|expansion$/, PLAIN],
  [/(?:^|_)(?:string|char|character|rune|regex|heredoc|symbol)(?:_|$)/, paintOf('string')],
  [/(?:^|_)(?:number|integer|float|decimal|int|real|imaginary)(?:_|$)/, paintOf('number')],
  [/^(?:true|false|null|none|nil|undefined|this|self|super)$|^(?:boolean|bool|null|nil)_literal$/i, paintOf('keyword')],
  [/^type_identifier$|^(?:primitive|predefined|integral|floating_point|void|boolean)_type$/, paintOf('type')],
];

/** Its paint; undefined where it keeps that of its parent. */
function classify(type: string, isNamed: boolean, before: number): number | undefined {
  if (isNamed) return paintOfNamed(type);
  return before === PLAIN && /^[a-z_]+$/i.test(type) ? paintOf('keyword') : undefined;
}

const known = new Map<string, number | undefined>();

function paintOfNamed(type: string): number | undefined {
  if (!known.has(type)) known.set(type, NAMED.find(([name]) => name.test(type))?.[1]);
  return known.get(type);
}

function tokensIn(kinds: Uint8Array): readonly SyntaxToken[] {
  const tokens: SyntaxToken[] = [];
  for (let start = 0; start < kinds.length;) {
    let end = start + 1;
    while (end < kinds.length && kinds[end] === kinds[start]) end += 1;
    const kind = KINDS[(kinds[start] ?? PLAIN) - 1];
    if (kind !== undefined) tokens.push([start, end - start, kind]);
    start = end;
  }
  return tokens;
}
