import {
  count,
  failureMessage,
  idOf,
  type PlainOutput,
  type Reading,
  type TestOutcome,
  type TestPoint,
} from './test-points.ts';

/**
 * TAP 12 to 14, with subtests before (TAP 14, node:test) or after (node-tap, vitest) the test they belong to. Every
 * level must keep its plan; numbers are not held to anything, because node:test begins with 1 in every file.
 */
export function readTap({ lines }: PlainOutput): Reading {
  const starts = lines.flatMap((line, at) => (/^TAP version \d+\s*$/.test(line) ? [at] : []));
  if (starts.length === 0 && !(lines.some((line) => PLAN.test(line)) && lines.some((line) => POINT.test(line))))
    return undefined;
  try {
    const from = starts.length === 0 ? [0] : starts;
    return from.flatMap((start, at) => new TapDocument(lines.slice(start, from[at + 1])).read());
  } catch (fault) {
    if (fault instanceof Refused) return 'unreadable';
    throw fault;
  }
}

/** One test with what belongs to it. */
interface Node {
  readonly name: string;
  readonly outcome: TestOutcome;
  readonly children: readonly Node[];
  /** The YAML below a failed test. */
  readonly diagnostics: string;
}

class TapDocument {
  private readonly lines: readonly string[];
  private at = 0;
  /** The indentations of tests whose braces are open. */
  private readonly braces: number[] = [];

  constructor(lines: readonly string[]) {
    this.lines = lines;
  }

  read(): readonly TestPoint[] {
    return pointsOf(this.level(-1, 0, false), []);
  }

  /** The tests of one indentation, which those in braces get from their first line. It must keep its plan. */
  private level(outer: number, first: number | undefined, isBraced: boolean, depth = 0): readonly Node[] {
    if (depth > DEEPEST) throw new Refused();
    const nodes: Node[] = [];
    let [indent, plan]: (number | undefined)[] = [first];
    let waiting: readonly Node[] | undefined; // subtests whose test is still to come
    while (this.at < this.lines.length) {
      const line = this.lines[this.at] ?? '';
      const text = line.trimStart();
      const deep = line.length - text.length;
      const [point, planned] = [POINT.exec(text), PLAN.exec(text)];
      if (text.startsWith('Bail out!')) throw new Refused();
      if (point === null && planned === null) {
        const isEnd = text.trimEnd() === '}' && this.braces.includes(deep);
        if (isEnd && !isBraced) break;
        if (isEnd && outer !== deep) throw new Refused();
        this.at += 1;
        if (isEnd) return finished(nodes, plan, waiting);
        continue;
      }
      indent ??= deep > outer ? deep : undefined;
      if (indent === undefined || (deep > indent && waiting !== undefined)) throw new Refused();
      if (deep < indent) break;
      if (deep > indent) waiting = this.level(indent, deep, false, depth + 1);
      else if (point === null) {
        if (plan !== undefined) throw new Refused();
        plan = Number(planned?.[1]);
        this.at += 1;
      } else {
        nodes.push(this.test(point, deep, waiting ?? [], nodes.length + 1, depth));
        waiting = undefined;
      }
    }
    if (isBraced) throw new Refused();
    return finished(nodes, plan, waiting);
  }

  /** The test at the current line, with the subtests that came before it or follow in braces. */
  private test(
    [, not, description = '']: RegExpExecArray,
    deep: number,
    before: readonly Node[],
    number: number,
    depth: number,
  ): Node {
    const [line = '', next = ''] = this.lines.slice(this.at, this.at + 2);
    const opens = opensBrace(line, deep, next);
    const end = afterDiagnostics(this.lines, this.at, deep);
    const { text, directive } = directiveOf(opens ? description.replace(/\s*\{\s*$/, '') : description);
    const name = unescaped(text.replace(/^\s*(?:\d+(?:\s+|$))?(?:-(?:\s+|$))?/, '').trim());
    const isSkipped = directive === 'todo' || (directive === 'skip' && not === undefined);
    const outcome = isSkipped ? 'skipped' : not === undefined ? 'passed' : 'failed';
    const diagnostics =
      outcome !== 'failed'
        ? ''
        : end > this.at
          ? readDiagnostics(this.lines.slice(this.at + 2, end))
          : readPlainMessage(this.lines, this.at + 1, deep);
    this.at = end + 1;
    let children = before;
    if (opens) {
      this.braces.push(deep);
      children = this.level(deep, undefined, true, depth + 1);
      this.braces.pop();
    }
    return { name: name === '' ? `#${number}` : name, outcome, children, diagnostics };
  }
}

function finished(nodes: readonly Node[], plan?: number, waiting?: readonly Node[]): readonly Node[] {
  if (plan !== nodes.length || waiting !== undefined) throw new Refused();
  return nodes;
}

function pointsOf(nodes: readonly Node[], path: readonly string[]): readonly TestPoint[] {
  return nodes.flatMap(({ name, outcome, children, diagnostics }) => {
    const inner = [...path, name];
    const below = pointsOf(children, inner);
    // A test that is green over a red one contradicts it.
    if (outcome === 'passed' && count(below, 'failed') > 0) throw new Refused();
    return [
      ...below,
      {
        id: idOf(inner),
        outcome,
        ...failureMessage(outcome, diagnostics),
        ...(children.length > 0 && { isSuite: true as const }),
      },
    ];
  });
}

/** Where the YAML below a test ends; without its end it was cut off. */
function afterDiagnostics(lines: readonly string[], at: number, indent: number): number {
  const next = lines[at + 1] ?? '';
  const inner = next.length - next.trimStart().length;
  if (inner <= indent || next.trim() !== '---') return at;
  const end = lines.indexOf(`${next.slice(0, inner)}...`, at + 2);
  if (end === -1) throw new Refused();
  return end;
}

/** The keys of a failed test's YAML that say what failed, as lines; a block of several lines is kept whole. */
function readDiagnostics(lines: readonly string[]): string {
  const kept: string[] = [];
  let isKept = false;
  let keyIndent: number | undefined;
  for (const line of lines) {
    const [, blanks = '', key] = /^(\s*)(\w+):/.exec(line) ?? [];
    const isNested = keyIndent !== undefined && (line.trim() === '' || line.search(/\S/) > keyIndent);
    if (!isNested) keyIndent = blanks.length;
    if (!isNested) isKept = key !== undefined && /^(?:error|message|expected|actual|found|wanted)$/.test(key);
    if (isKept) kept.push(line.trim());
  }
  return kept.join('\n');
}

/** The deeper lines right below a failed test without YAML, as mocha prints its message there, up to its stack. */
function readPlainMessage(lines: readonly string[], from: number, indent: number): string {
  const kept: string[] = [];
  for (const line of lines.slice(from, from + MOST_PLAIN)) {
    const text = line.trim();
    const isDeeper = text === '' ? line.length > indent : line.length - line.trimStart().length > indent;
    if (!isDeeper || TAP_LINE.test(text) || /^at \S/.test(text)) break;
    kept.push(text);
  }
  return kept.join('\n');
}

/** Whether a test's subtests follow in braces: what ends in a brace may also be a name. */
function opensBrace(line: string, indent: number, next: string): boolean {
  const inner = next.length - next.trimStart().length;
  return / \{\s*$/.test(line) && next.trim() !== '---' && (inner > indent || next.trim() === '}');
}

function directiveOf(description: string): { readonly text: string; readonly directive: string | undefined } {
  const found = /(?:^|\s)#\s*(skip|todo|time=)/i.exec(description);
  if (found === null) return { text: description, directive: undefined };
  return { text: description.slice(0, found.index), directive: found[1]?.toLowerCase() };
}

const unescaped = (name: string): string => name.replace(/\\([#\\])/g, '$1');

class Refused extends Error {}

const POINT = /^(not )?ok(?=\s|$)(.*)$/;
const PLAN = /^1\.\.(\d{1,9})(?:\s*#.*)?\s*$/;
/** What is TAP itself, or ends a subtest's braces. */
const TAP_LINE = /^(?:(?:not )?ok(?:\s|$)|1\.\.\d|#|---|\.\.\.|TAP version|pragma|Bail out!|\}$)/;
const MOST_PLAIN = 40;
const DEEPEST = 100;
