import { oneLine, type Fault } from './fault.ts';

/** Faults written out in full; a file with more has one cause. */
const SHOWN = 200;
const LINE_LENGTH = 400;

/** Writes `CONTRACT_REJECTED.md`: every fault with its place, what stands there, what belongs there, and what to do. */
export function renderRefusal(faults: readonly Fault[], { fileName, at }: { fileName: string; at: string }): string {
  const count = faults.length === 1 ? 'one fault' : `${faults.length} faults`;
  const more = faults.length - SHOWN;
  return (
    [
      '# Contract rejected',
      block(['file', fileName], ['time', at]),
      `The contract has ${count}. Nothing was started, and the file was left as it is.`,
      ...faults.slice(0, SHOWN).map((fault, index) => oneFault(fault, index + 1)),
      ...(more > 0 ? [`… and ${more} more.`] : []),
      '## What to do',
      'Correct the file and save it; andon reads it again by itself.',
    ].join('\n\n') + '\n'
  );
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

/** A fenced block whose lines all begin with our own words, so that no value can close it or begin anything else. */
function block(...rows: readonly [string, string][]): string {
  return ['```text', ...rows.map(([name, value]) => `${`${name}:`.padEnd(10)}${inert(value)}`), '```'].join('\n');
}

/** One visible line without anything that opens HTML, an entity or a fence: these become JSON escapes. */
function inert(text: string): string {
  return oneLine(text, LINE_LENGTH).replace(/[<>&]|`{3,}|~{3,}/g, escaped);
}

function escaped(characters: string): string {
  return Array.from(characters, (character) => `\\u00${character.charCodeAt(0).toString(16)}`).join('');
}
