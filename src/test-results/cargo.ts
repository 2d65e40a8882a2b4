import { count, idOf } from './test-points.ts';
import type { PlainOutput, Reading, TestOutcome, TestPoint } from './test-points.ts';

/**
 * `cargo test`, one block a binary. Without `--no-fail-fast` it stops at the first binary that is red, and what the
 * others would have said is not known: such an output cannot be read.
 */
export function readCargo({ lines }: PlainOutput): Reading {
  if (!lines.some((line) => RUNNING.test(line))) return undefined;
  const blocks: Block[] = [];
  let open: Block | undefined;
  let header: string | undefined;
  for (const line of lines) {
    const running = RUNNING.exec(line)?.[1];
    const end = END.exec(line);
    if (running !== undefined) {
      if (open !== undefined) return 'unreadable';
      open = { binary: header, planned: Number(running), points: [] };
      header = undefined;
    } else if (end !== null) {
      if (open === undefined || !agree(open, end)) return 'unreadable';
      blocks.push(open);
      open = undefined;
    } else if (open === undefined) header = binaryOf(line) ?? header;
    // Behind the last test stands what the tests printed, and it may look like anything.
    else if (open.points.length < open.planned) open.points.push(...pointOf(line));
  }
  const wasCut = lines.some((line) => /^error: (?:doc)?test failed, to rerun/.test(line)) && !lines.some(isWhole);
  if (open !== undefined || wasCut || lines.some((line) => line.startsWith('error: could not compile')))
    return 'unreadable';
  // Its names stand in the other stream, which may be missing, or out of step.
  const areNamed = blocks.every(({ binary }) => binary !== undefined);
  return blocks.flatMap(({ binary, points }) =>
    points.map(({ id, outcome }) => ({ id: areNamed ? idOf([binary ?? '', id]) : id, outcome })),
  );
}

interface Block {
  readonly binary: string | undefined;
  readonly planned: number;
  readonly points: TestPoint[];
}

/** `test a::b ... ok`; where a documentation test stands in its file changes with every line above it. */
function pointOf(line: string): readonly TestPoint[] {
  const at = line.indexOf(' ... ');
  if (!line.startsWith('test ') || at === -1) return [];
  const [, word = ''] = /^(ok|FAILED|ignored|bench:)(?=$|,| <| )/.exec(line.slice(at + 5)) ?? [];
  const outcome = OUTCOMES.get(word);
  const id = line
    .slice(5, at)
    .replace(/ - should panic$/, '')
    .replace(/ \(line \d+\)/, '');
  return outcome === undefined ? [] : [{ id, outcome }];
}

function agree({ planned, points }: Block, [, verdict, ...sums]: RegExpExecArray): boolean {
  const [passed = 0, failed = 0, ignored = 0, measured = 0] = sums.map(Number);
  return (
    points.length === planned &&
    count(points, 'passed') === passed + measured &&
    count(points, 'failed') === failed &&
    count(points, 'skipped') === ignored &&
    (verdict === 'ok') === (failed === 0)
  );
}

/** `Running unittests src/lib.rs (target/debug/deps/name-0123456789abcdef)`, without what changes with every build. */
function binaryOf(line: string): string | undefined {
  const running = /^ *Running (.+) \((?:.*[\\/])?([^\\/()]+?)(?:-[0-9a-f]{16})?(?:\.exe)?\)$/.exec(line);
  if (running !== null) return `${running[2] ?? ''} ${running[1] ?? ''}`;
  return /^ *Doc-tests (\S+)$/.exec(line)?.[0].trim();
}

const isWhole = (line: string): boolean => /^error: \d+ targets? failed:/.test(line);

const OUTCOMES: ReadonlyMap<string, TestOutcome> = new Map([
  ['ok', 'passed'],
  ['bench:', 'passed'],
  ['FAILED', 'failed'],
  ['ignored', 'skipped'],
]);
const RUNNING = /^running (\d{1,9}) tests?$/;
const END = /^test result: (ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored; (\d+) measured; \d+ filtered out/;
