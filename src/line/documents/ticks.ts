/** What a human ticked in `ERIK_HALT.md`, and what the head of that report says it is about. */
export type Ticked =
  | {
      readonly halt: string;
      readonly path: 1 | 2;
      readonly tree: string | undefined;
      readonly contractDigest: string | undefined;
      /** What stands behind the colon where the path asks for the task id. */
      readonly confirm: string | undefined;
      /** What stands behind the colon where the path asks for a reason. */
      readonly reason: string | undefined;
    }
  | { readonly unclear: string }
  | undefined;

/** The box of a path, as the report shows it; a human ticks it and saves. */
export const tickBox = (number: 1 | 2): string => `- [ ] Take path ${number}`;

/** Where a human writes the task id, for a path that is not taken by a tick alone. */
export const confirmLine = (number: 1 | 2): string => `To confirm path ${number}, write the task id here:`;

/** Where a human writes why, for a path that is taken only with a reason. */
export const reasonLine = (number: 1 | 2): string => `To take path ${number}, write your reason here:`;

/**
 * Reads the boxes of a halt report: exactly one of the two may be ticked. Only lines outside of quoted blocks count;
 * whatever an agent said stands inside them.
 */
export function readTicks(written: string): Ticked {
  const report = plain(written);
  const head = headOf(report);
  const lines = outsideFences(report);
  const odd = lines.find(isOddTick);
  if (odd !== undefined) return { unclear: `"${odd.trim()}" is not how a box is ticked; ${AS_SHOWN}` };
  const boxes = lines.flatMap((line) => {
    const box = BOX.exec(line);
    return box === null ? [] : [{ path: box[2] === '1' ? (1 as const) : (2 as const), isTicked: box[1] !== ' ' }];
  });
  const ticked = boxes.filter(({ isTicked }) => isTicked);
  const [first] = ticked;
  if (first === undefined) return undefined;
  const halt = inHead(head, 'halt');
  if (halt === undefined) return { unclear: 'its head no longer says which halt it is about' };
  if (boxes.length !== 2 || boxes[0]?.path === boxes[1]?.path)
    return { unclear: 'it no longer holds one box for each path' };
  if (ticked.length > 1) return { unclear: 'both paths are ticked; leave one' };
  const [confirm, ...twice] = behind(lines, confirmLine(first.path));
  const [reason, ...again] = behind(lines, reasonLine(first.path));
  if (twice.length + again.length > 0) return { unclear: `it asks twice for what path ${first.path} needs` };
  return {
    halt,
    path: first.path,
    tree: inHead(head, 'tree'),
    contractDigest: inHead(head, 'contract_digest'),
    confirm: confirm === undefined ? undefined : withoutMarkup(confirm),
    reason,
  };
}

/** The task that the head of a halt report names; undefined when it has none. */
export const taskInHead = (report: string): string | undefined => inHead(headOf(plain(report)), 'task');

/** The halt that it names. */
export const haltInHead = (report: string): string | undefined => inHead(headOf(plain(report)), 'halt');

const plain = (written: string): string => written.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
const headOf = (report: string): string => /^---\n([\s\S]*?)\n---\n/.exec(report)?.[1] ?? '';

const BOX = /^\s{0,3}[-*+] \[([ xX])\] Take path ([12])\s*$/;
const MARK = /(?<!\\)\[\s*[^\s\]]+\s*\]|[✓✔✅☑☒]/u;
const AS_SHOWN = 'write "- [x] Take path 1", or 2, where that box stands, and nothing else on its line';

/** A line that looks like a tick and is none. No word of an agent begins a line outside of quoted blocks. */
function isOddTick(line: string): boolean {
  if (BOX.test(line)) return false;
  const words = line.replace(MARK, '').replaceAll('**', '');
  if (/^[\s>*+.)\d[\]-]*(?:x\b[\s[\]]*)?take path [12]\b/i.test(words)) return true;
  const mark = MARK.exec(line);
  if (mark === null) return false;
  const isFirst = /^[\s#>*+.)\d-]*$/.test(line.slice(0, mark.index));
  const rest = line.slice(mark.index + mark[0].length);
  const isBehindHeading = /^#+ path [12]:/i.test(line) && rest.trim() === '';
  return isBehindHeading || (isFirst && /\bpath [12]\b|^\W*[12]?\W*$/i.test(rest));
}

const behind = (lines: readonly string[], label: string): readonly string[] =>
  lines.flatMap((line) => (line.startsWith(label) ? [line.slice(label.length).trim()] : []));

const inHead = (head: string, key: string): string | undefined =>
  head
    .split('\n')
    .map((line) => /^(\w+): "([^"\n]+)"$/.exec(line.trimEnd()))
    .find((row) => row?.[1] === key)?.[2];

/** Signs of Markdown around the id are no part of it. */
const withoutMarkup = (text: string): string => text.replace(/^[`*"'_]+|[`*"'_.]+$/g, '');

function outsideFences(text: string): string[] {
  let fence: string | undefined;
  return text.split(/\r?\n/).filter((line) => {
    const run = /^`{3,}/.exec(line)?.[0];
    if (fence !== undefined) {
      if (run !== undefined && line.trim() === fence) fence = undefined;
      return false;
    }
    fence = run;
    return run === undefined;
  });
}
