import { toOneLine, type Fault } from '../../base/fault.ts';

/** Faults in full; a file with more has one cause. */
const SHOWN = 200;
const LINE_LENGTH = 400;

export interface ContractRefusal {
  /** Its path below `_handoff/`. */
  readonly fileName: string;
  /** SHA-256 of the text that was read, in hex: a different digest means that the refusal is outdated. */
  readonly digest: string;
  readonly at: string;
  readonly faults: readonly Fault[];
}

/**
 * Writes `CONTRACT_REJECTED.md`: every refused contract, and every fault with its place, actual and expected value, and
 * remedy.
 */
export function renderRefusals(refusals: readonly ContractRefusal[]): string {
  const isOne = refusals.length === 1;
  return (
    [
      isOne ? '# Contract rejected' : `# ${refusals.length} contracts rejected`,
      ...refusals.flatMap((one, index) => [
        ...(isOne ? [] : [`# Contract ${index + 1} of ${refusals.length}`]),
        ...oneRefusal(one),
      ]),
      '## What to do',
      isOne
        ? 'Correct the file and save it; andon reads it again by itself.'
        : 'Correct the files and save them; andon reads them again by itself.',
    ].join('\n\n') + '\n'
  );
}

/** The refusals on a page; none on a page that andon did not write. */
export const refusalsOn = (page: string) =>
  [...page.matchAll(HEAD)].map(([, name = '', digest = '', at = '', faults = '', path = '', expected = '']) => ({
    /** The name on the page: see `nameOnPage`. */
    name,
    digest,
    at,
    faults: Number(faults),
    /** The first fault in short: `$.limits.max_rebuttals (expected …)`. */
    first: `${path} (expected ${expected})`,
  }));

/** A file's name as printed on the page. */
export const nameOnPage = (fileName: string): string => inert(fileName);

const HEAD =
  /^```text\nfile: {5}(.*)\nsha256: {3}([0-9a-f]{64})\ntime: {5}(.*)\nfaults: {3}(\d+)\n```\n\n[^\n]*\n\n## 1\.[^\n]*\n\n```text\npath: {5}(.*)\nfound: {4}.*\nexpected: (.*)$/gm;

function oneRefusal({ fileName, digest, at, faults }: ContractRefusal): readonly string[] {
  const count = faults.length === 1 ? 'one fault' : `${faults.length} faults`;
  const more = faults.length - SHOWN;
  return [
    block(['file', fileName], ['sha256', digest], ['time', at], ['faults', String(faults.length)]),
    `The contract has ${count}. Nothing was started, and the file is unchanged.`,
    ...faults.slice(0, SHOWN).map((fault, index) => oneFault(fault, index + 1)),
    ...(more > 0 ? [`… and ${more} more.`] : []),
  ];
}

function oneFault({ path, line, found, expected, example }: Fault, number: number): string {
  const heading = `## ${number}.${line === undefined ? '' : ` Line ${line}`}`;
  const rows: [string, string][] = [
    ['path', path],
    ['found', found],
    ['expected', expected],
  ];
  return `${heading}\n\n${block(...rows, ...(example === undefined ? [] : [['example', example] as [string, string]]))}`;
}

/** A fenced block in which every line begins with our own words, so that no value can close it. */
function block(...rows: readonly [string, string][]): string {
  return ['```text', ...rows.map(([name, value]) => `${`${name}:`.padEnd(10)}${inert(value)}`), '```'].join('\n');
}

/** One visible line; characters that open HTML, an entity or a fence become JSON escapes. */
function inert(text: string): string {
  return toOneLine(text, LINE_LENGTH).replace(/[<>&]|`{3,}|~{3,}/g, escaped);
}

function escaped(characters: string): string {
  return Array.from(characters, (character) => `\\u00${character.charCodeAt(0).toString(16)}`).join('');
}
