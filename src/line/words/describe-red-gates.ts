import { FAILED_TESTS, describeFailedTests, extractFailures, withoutPassed } from '../../base/failure-excerpt.ts';
import { toTerminalLine } from '../../base/plain-text.ts';
import type { GateResult } from '../record/change.ts';

/** Red gates in words, each with its failed tests first, then the failing part of its output. */
export function describeRedGates(gates: readonly GateResult[], characters: number): string {
  const share = Math.floor(characters / gates.length);
  return gates.map((gate) => describeRedGate(gate, share)).join('\n\n');
}

function describeRedGate(gate: GateResult, characters: number): string {
  const { name, run: command, exit, output, why, failures = [] } = gate;
  // `fitRedGates` finds this line again: name and command must fit the 400 characters it looks at.
  const head = `gate ${name} (\`${toTerminalLine(command, 300)}\`) ended with ${exit ?? 'no exit code'}${why === undefined ? '' : `: ${why}`}`;
  const tests = cutLines(describeFailedTests(failures), characters);
  return [head, tests, restOf(failures.length > 0 ? withoutPassed(output) : output, characters - tests.length)]
    .filter((part) => part !== '')
    .join('\n');
}

/** The same in fewer characters: every gate keeps its first line and its failed tests before the rest of its output. */
export function fitRedGates(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const gates = text.split(/\n\n(?=gate .{1,400} ended with (?:\d|no exit code))/);
  const share = Math.floor((characters - 2 * gates.length) / gates.length);
  return gates.map((gate) => fitRedGate(gate, share)).join('\n\n');
}

function fitRedGate(text: string, characters: number): string {
  const lines = text.split('\n');
  const isListed = lines[1] === FAILED_TESTS;
  const end = isListed ? lines.findIndex((line, at) => at > 1 && !/^(?:- | {4})/.test(line)) : 1;
  const first = cutLines(lines.slice(0, end === -1 ? lines.length : end).join('\n'), characters);
  const rest = end === -1 ? '' : restOf(lines.slice(end).join('\n'), characters - first.length - 1);
  return rest === '' ? first : `${first}\n${rest}`;
}

/** What says little is left out rather than cut to nothing. */
const restOf = (output: string, characters: number): string =>
  characters < LEAST ? '' : extractFailures(output, characters);

/** Whole lines from the beginning. */
function cutLines(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const end = text.lastIndexOf('\n', characters);
  return text.slice(0, end === -1 ? characters : end);
}

const LEAST = 120;
