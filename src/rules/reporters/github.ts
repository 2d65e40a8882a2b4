import { CHANGES_RULES, isOpen, type Inspection, type RuleFinding } from '../model/inspection.ts';
import { toTerminal, toTerminalLine } from '../../base/plain-text.ts';
import {
  findingHeadline,
  getLevel,
  findingLocation,
  listRemarks,
  formatVerdict,
  sortBySeverity,
  type Level,
} from './wording.ts';

/**
 * Workflow commands for GitHub Actions. GitHub shows ten annotations per level and step and drops the rest without a
 * word: the worst nine are shown and a line that says how many more there are; all of them stand in the log.
 */
export function reportGithub(inspection: Inspection): string {
  const { faults, findings, warnings } = inspection;
  const sorted = sortBySeverity(findings);
  const open = sorted.filter(isOpen);
  const annotations = (level: Level): readonly string[] =>
    open.filter((one) => getLevel(one) === level).map(annotation);
  const rows = [
    ...worstTen('error', [
      ...faults.map(({ where, what }) => command('error', {}, `${where}: ${what}`)),
      ...annotations('error'),
    ]),
    ...worstTen('warning', [
      ...warnings
        .filter((warning) => warning.startsWith(CHANGES_RULES))
        .map((warning) => command('warning', {}, warning)),
      ...annotations('warning'),
    ]),
    ...worstTen('note', annotations('note')),
    ...faults.map(({ where, what, remedy }) => plain(`fault ${where}: ${what}; ${remedy}`)),
    ...sorted.map(logLine),
    ...warnings.map((warning) => plain(`note: ${warning}`)),
    plain(formatVerdict(inspection)),
  ];
  return `${rows.join('\n')}\n`;
}

/** One finding as an annotation; without a line it is about the whole file, without a file about the whole change. */
export function annotation(finding: RuleFinding): string {
  const { file, line, column } = finding;
  const place = file === undefined ? {} : { file, line, col: line === undefined ? undefined : column };
  return command(
    NAMES[getLevel(finding)],
    place,
    [findingHeadline(finding), ...own(finding), ...listRemarks(finding)].join(' · '),
  );
}

/** The rule's own message, if it adds to the title. */
const own = ({ message, title }: RuleFinding): readonly string[] => (message === title ? [] : [message]);

const SHOWN = 10;

function worstTen(level: Level, commands: readonly string[]): readonly string[] {
  if (commands.length <= SHOWN) return commands;
  const over = commands.length - SHOWN + 1;
  return [
    ...commands.slice(0, SHOWN - 1),
    command(NAMES[level], {}, `${over} more ${NAMES[level]}s: see the log of this step`),
  ];
}

const NAMES: Readonly<Record<Level, string>> = { error: 'error', warning: 'warning', note: 'notice' };

function command(
  name: string,
  properties: Readonly<Record<string, string | number | undefined>>,
  message: string,
): string {
  const written = Object.entries(properties).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${property(value)}`],
  );
  return `::${name}${written.length === 0 ? '' : ` ${written.join(',')}`}::${data(message)}`;
}

const data = (text: string): string =>
  toTerminal(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'));

const property = (value: string | number): string => data(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** A line of the log that the runner cannot take for a command: those begin with `::` or `##[`. */
const plain = (text: string): string =>
  `andon ${toTerminalLine(text, 600).replaceAll('::', ': :').replaceAll('##[', '## [')}`;

function logLine(finding: RuleFinding): string {
  const place = findingLocation(finding);
  return plain(
    `${place === '' ? '' : `${place} `}${finding.rule} ${[findingHeadline(finding), ...listRemarks(finding)].join(' · ')}`,
  );
}
