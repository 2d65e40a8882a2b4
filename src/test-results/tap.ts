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
    return from.flatMap((start, at) => new TapDocument().read(lines.slice(start, from[at + 1])));
  } catch (fault) {
    if (fault instanceof Refused) return 'unreadable';
    throw fault;
  }
}

/** One test with what belongs to it. */
interface Node {
  readonly name: string;
  readonly outcome: TestOutcome;
  children: readonly Node[];
  /** The YAML below a failed test. */
  readonly diagnostics: string;
}

/** One level of indentation. */
interface Level {
  /** Unknown for a level that a brace opened, until its first line. */
  indent: number | undefined;
  readonly outer: number;
  readonly opener: Node | undefined;
  readonly nodes: Node[];
  plan: number | undefined;
  /** Subtests whose test is still to come. */
  waiting: readonly Node[] | undefined;
}

class TapDocument {
  private readonly levels: Level[] = [levelOf(0, -1)];
  private readonly totals = new Map<string, number>();

  read(lines: readonly string[]): readonly TestPoint[] {
    for (let at = 0; at < lines.length; at += 1) {
      const line = lines[at] ?? '';
      const said = line.trimStart();
      const indent = line.length - said.length;
      const [point, plan] = [POINT.exec(said), PLAN.exec(said)];
      if (said.startsWith('Bail out!')) throw new Refused();
      if (point !== null) {
        const end = afterDiagnostics(lines, at, indent);
        this.point(point, indent, opensBrace(line, indent, lines[at + 1] ?? ''), lines.slice(at + 2, end));
        at = end;
      } else if (plan !== null) this.planned(Number(plan[1]), indent);
      else if (said.trimEnd() === '}') this.brace(indent);
      else this.total(line);
    }
    return this.end();
  }

  private point(
    [, not, description = '']: RegExpExecArray,
    indent: number,
    opens: boolean,
    diagnostics: readonly string[],
  ): void {
    const level = this.levelAt(indent);
    const { text, directive } = directiveOf(opens ? description.replace(/\s*\{\s*$/, '') : description);
    const name = unescaped(text.replace(/^\s*(?:\d+(?:\s+|$))?(?:-(?:\s+|$))?/, '').trim());
    const isSkipped = directive === 'todo' || (directive === 'skip' && not === undefined);
    const outcome = isSkipped ? 'skipped' : not === undefined ? 'passed' : 'failed';
    const node: Node = {
      name: name === '' ? `#${level.nodes.length + 1}` : name,
      outcome,
      children: level.waiting ?? [],
      diagnostics: outcome === 'failed' ? readDiagnostics(diagnostics) : '',
    };
    level.waiting = undefined;
    level.nodes.push(node);
    if (opens) this.levels.push(levelOf(undefined, indent, node));
    if (this.levels.length > DEEPEST) throw new Refused();
  }

  private planned(plan: number, indent: number): void {
    const level = this.levelAt(indent);
    if (level.plan !== undefined) throw new Refused();
    level.plan = plan;
  }

  private brace(indent: number): void {
    if (!this.levels.some(({ opener, outer }) => opener !== undefined && outer === indent)) return;
    for (;;) {
      const closed = this.levels.pop();
      if (closed === undefined || closed.outer < indent) throw new Refused();
      if (closed.opener !== undefined && closed.outer === indent) {
        closed.opener.children = finished(closed);
        return;
      }
      this.leave(closed);
    }
  }

  /** The level of an indentation: those below it end, a deeper one begins. */
  private levelAt(indent: number): Level {
    for (let top = this.top(); ; top = this.top()) {
      top.indent ??= indent > top.outer ? indent : undefined;
      if (top.indent === undefined) throw new Refused();
      if (top.indent === indent) return top;
      if (top.indent < indent) {
        if (this.levels.length > DEEPEST) throw new Refused();
        this.levels.push(levelOf(indent, top.indent));
        continue;
      }
      this.levels.pop();
      if (top.opener !== undefined) throw new Refused();
      this.leave(top);
    }
  }

  /** Subtests that end wait for their test. */
  private leave(closed: Level): void {
    const outer = this.top();
    if (outer.waiting !== undefined || (outer.indent ?? 0) !== closed.outer) throw new Refused();
    outer.waiting = finished(closed);
  }

  /** What node:test says at the end of how many there were. */
  private total(line: string): void {
    const said = /^# (tests|suites) (\d{1,9})\s*$/.exec(line);
    if (said !== null) this.totals.set(said[1] ?? '', Number(said[2]));
  }

  private end(): readonly TestPoint[] {
    while (this.levels.length > 1) {
      const closed = this.levels.pop();
      if (closed === undefined || closed.opener !== undefined) throw new Refused();
      this.leave(closed);
    }
    const nodes = finished(this.top());
    const points = pointsOf(nodes, []);
    const [tests, suites] = [this.totals.get('tests'), this.totals.get('suites')];
    if (suites !== undefined && tests !== undefined && tests + suites !== points.length) throw new Refused();
    return points;
  }

  private top(): Level {
    const top = this.levels.at(-1);
    if (top === undefined) throw new Refused();
    return top;
  }
}

function levelOf(indent: number | undefined, outer: number, opener?: Node): Level {
  return { indent, outer, opener, nodes: [], plan: undefined, waiting: undefined };
}

function finished({ nodes, plan, waiting }: Level): readonly Node[] {
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
  for (const line of lines) {
    const key = /^\s*(\w+):/.exec(line)?.[1];
    const isNested = /^\s{4,}/.test(line) && key === undefined;
    if (!isNested) isKept = key !== undefined && /^(?:error|message|expected|actual|found|wanted)$/.test(key);
    if (isKept) kept.push(line.trim());
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
const DEEPEST = 100;
