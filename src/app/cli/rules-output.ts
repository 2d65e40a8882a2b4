import { toTerminalLine } from '../../base/plain-text.ts';
import type { RuleStatistics } from '../../rules/model/audit-entry.ts';
import type { Rulebook } from '../../rules/model/rule.ts';
import { formatRuleSource, type RuleFault } from '../../project/config/rule-fault.ts';
import type { TriedRule } from '../../rules/files/rulebook.ts';
import { printLine, colourText } from './print.ts';

export function printRules(rules: Rulebook['rules']): void {
  const width = Math.min(40, Math.max(0, ...rules.map(({ rule }) => rule.id.length)));
  for (const { rule, source } of rules) {
    const marks = rule.is_hard_constraint ? ' hard' : '';
    printLine(
      `${rule.id.padEnd(width)}  ${rule.priority} ${rule.modality.padEnd(6)} ${rule.handler.padEnd(9)}${colourText('red', marks.padEnd(5))} ${toTerminalLine(rule.title, 60)}  ${colourText('dim', toTerminalLine(formatRuleSource(source), 60))}`,
    );
  }
}

export function printFaults(faults: readonly RuleFault[]): void {
  for (const { source, path, message, remedy } of faults) {
    printLine(`${colourText('red', 'bad')} ${toTerminalLine(formatRuleSource(source))}  ${toTerminalLine(path)}`);
    printLine(`    ${toTerminalLine(message, 500)}`);
    printLine(`    ${toTerminalLine(remedy, 300)}`);
  }
}

/** Prints what was read differently from how it is written. */
export function printNotes(notes: Rulebook['notes']): void {
  for (const { source, message } of notes)
    printLine(
      `${colourText('yellow', 'note')} ${toTerminalLine(formatRuleSource(source))}  ${toTerminalLine(message, 300)}`,
    );
}

export const toFaultFacts = (faults: readonly RuleFault[]): readonly object[] =>
  faults.map(({ source, path, message, remedy }) => ({
    file: source.name,
    line: source.line ?? null,
    path,
    message,
    remedy,
  }));

/** Prints how the examples of rules came out; all of them when one rule was asked for, else those that failed. */
export function printTried(tried: readonly TriedRule[], isWhole: boolean): void {
  for (const { id, results } of tried) {
    const failed = results.filter(({ passed }) => !passed);
    const word =
      results.length === 0
        ? colourText('dim', 'none')
        : failed.length === 0
          ? colourText('green', 'ok  ')
          : colourText('red', 'bad ');
    printLine(`${word} ${id}  ${results.length - failed.length} of ${results.length} examples`);
    for (const { kind, example, status, passed } of isWhole ? results : failed)
      printLine(
        `     ${passed ? colourText('green', 'ok ') : colourText('red', 'bad')} ${kind.padEnd(8)} ${status.padEnd(14)} ${toTerminalLine(example, 100)}`,
      );
  }
}

export function printStats({
  rules,
  unreadable,
}: {
  readonly rules: readonly RuleStatistics[];
  readonly unreadable: number;
}): void {
  for (const { rule, violations, waived, baselined, allowedInline, markedFalse, byHandler, last } of rules) {
    const handlers = Object.entries(byHandler)
      .map(([handler, count]) => `${handler} ${count}`)
      .join(', ');
    printLine(
      `${toTerminalLine(rule, 64).padEnd(32)} ${String(violations).padStart(5)} violated ${String(waived).padStart(4)} waived ${String(baselined).padStart(4)} in the baseline ${String(allowedInline).padStart(4)} allowed inline ${String(markedFalse).padStart(4)} marked false  ${toTerminalLine(handlers, 80)}${last === '' ? '' : `  last ${toTerminalLine(last, 30)}`}`,
    );
  }
  if (unreadable > 0) printLine(`${unreadable} lines of the record cannot be read.`);
}
