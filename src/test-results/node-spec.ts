import { count, idOf } from './test-points.ts';
import type { PlainOutput, Reading, TestOutcome, TestPoint } from './test-points.ts';

/**
 * What node:test prints for people (`spec`): a tree of ticks and crosses, the sums, and the failures once more. The
 * sums must be those of the tree; what a test printed itself, as if it were a test, is one too many.
 */
export function readNodeSpec({ lines }: PlainOutput): Reading {
  if (!lines.some((line) => SUM.test(line))) return undefined;
  const points: TestPoint[] = [];
  let tree = new Tree();
  let sums = new Map<string, number>();
  let before = '';
  for (const line of lines) {
    const sum = SUM.exec(line);
    // A failure that is told once more, below the sums, says where it stands.
    if (sum === null && !/^test at .+:\d+:\d+$/.test(before) && !tree.take(line)) return 'unreadable';
    if (sum !== null) sums.set(sum[1] ?? '', Number(sum[2]));
    if (sum?.[1] === 'duration_ms') {
      if (!agree(tree.points, sums)) return 'unreadable';
      points.push(...tree.points);
      [tree, sums] = [new Tree(), new Map()];
    }
    if (line.trim() !== '') before = line;
  }
  return tree.points.length === 0 && sums.size === 0 ? points : 'unreadable';
}

/** The tests of one run, by their indentation. */
class Tree {
  readonly points: TestPoint[] = [];
  private readonly path: { readonly name: string; readonly from: number }[] = [];

  /** False where a line stands below nothing. */
  take(line: string): boolean {
    const [, space = '', mark = '', rest = ''] = /^( *)([✔✖﹣⚠▶]) (.*)$/.exec(line) ?? [];
    if (mark === '') return true;
    const depth = space.length / 2;
    const end = ENDED.exec(rest);
    if (end === null && mark !== '▶') return true; // "✖ failing tests:"
    if (depth > this.path.length) return false;
    const open = this.path[depth];
    this.path.length = depth;
    const [name, why] = [end?.[1] ?? rest, end?.[2]];
    const path = [...this.path.map((outer) => outer.name), name];
    if (mark !== '▶') this.points.push({ id: idOf(path), outcome: outcomeOf(mark, why) });
    // Before Node.js 20 the end of a suite looks like its beginning, with a time.
    else if (end !== null && open?.name === name) this.points.push({ id: idOf(path), outcome: this.since(open.from) });
    else this.path.push({ name: rest, from: this.points.length });
    return true;
  }

  private since(from: number): TestOutcome {
    return count(this.points.slice(from), 'failed') > 0 ? 'failed' : 'passed';
  }
}

function agree(points: readonly TestPoint[], sums: ReadonlyMap<string, number>): boolean {
  const said = (name: string): number => sums.get(name) ?? Number.NaN;
  return (
    points.length === said('tests') + said('suites') &&
    count(points, 'passed') >= said('pass') &&
    count(points, 'failed') >= said('fail') + said('cancelled') &&
    count(points, 'skipped') >= said('skipped') + said('todo')
  );
}

function outcomeOf(mark: string, why: string | undefined): TestOutcome {
  if (mark === '﹣' || mark === '⚠' || /^# TODO\b/.test(why ?? '')) return 'skipped';
  return mark === '✔' ? 'passed' : 'failed';
}

const SUM = /^ℹ (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) (\d{1,12})(?:\.\d+)?$/;
const ENDED = /^(.*?) \(\d+(?:\.\d+)?ms\)(?: (# .*))?$/;
