import { resumeCommand } from '../../resume-command.ts';
import { diffStat } from '../../../record/change.ts';
import { inOneLine } from '../../../record/finding.ts';
import { forMarkdown, inMarkdownLine } from '../../../base/plain-text.ts';
import { isUngated } from '../../view.ts';
import type { TaskReport } from './facts.ts';
import type { HaltTold } from './halts.ts';
import { nameOf } from './page-rounds.ts';
import { fixedNext, weights } from './rounds.ts';
import type { Round } from './rounds.ts';
import { between, duration, moment, short } from './words.ts';

/** A Markdown table; every cell is escaped here. */
export const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [head, head.map(() => '---'), ...rows.map((row) => row.map((cell) => inMarkdownLine(String(cell), 600)))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

/** Every halt with its sides, both paths, and the choice. */
export const haltsPart = (report: TaskReport): string =>
  report.halts.length === 0
    ? 'The line never stopped for a human.'
    : report.halts.map((told, index) => haltPart(told, index + 1, report)).join('\n\n');

function haltPart({ at, halt, choice }: HaltTold, number: number, { to, record }: TaskReport): string {
  const canChoose = choice === undefined && record.halt?.id === halt.id;
  const path = (one: 1 | 2): string => {
    const { title, does, effect } = halt.paths[one - 1] ?? halt.paths[0];
    const mark = choice?.path === one ? ' **(chosen)**' : '';
    return `- Path ${one}${mark}: ${inMarkdownLine(title)}. ${inMarkdownLine(does, 1200)} Goes to \`${effect.to}\`.${canChoose ? ` \`${resumeCommand(record.taskId, one, halt.id)}\`` : ''}`;
  };
  const chosen =
    choice === undefined
      ? 'Nobody has chosen yet.'
      : `${inMarkdownLine(choice.path === undefined ? choice.by : `${choice.by} chose path ${choice.path}`)}, ${moment(choice.at)}, by ${inMarkdownLine(choice.how, 120)}.`;
  return [
    `### ${number}. ${halt.trip.breaker}`,
    `${inMarkdownLine(halt.trip.reason, 1200)} (${moment(at)}, at \`${halt.statusBefore}\`; it stood for ${duration(between(at, choice?.at ?? to))}.)`,
    ...halt.trip.sides.map(
      ({ who, says }) => `**${inMarkdownLine(who)}** says:\n\n${forMarkdown(says.slice(0, 6000), 'text')}`,
    ),
    [path(1), path(2)].join('\n'),
    chosen,
  ].join('\n\n');
}

/** The table of rounds, then what each said. */
export function roundsPart({ rounds }: TaskReport): string {
  if (rounds.length === 0) return 'Nobody has looked at a change yet.';
  const rows = rounds.map((round) => {
    const { substantive, nit, undecided } = weights(round);
    const weighed = round.by === 'judge' ? [substantive, nit, undecided] : ['-', '-', '-'];
    const fixed = fixedNext(round) ?? (round.blocking.length === 0 ? '-' : 'no next round');
    return [nameOf(round), round.attempt, round.verdict, round.blocking.length, ...weighed, fixed];
  });
  const head = ['round', 'attempt', 'verdict', 'blocking', 'substantive', 'nit', 'undecided', 'fixed next round?'];
  return [table(head, rows), ...rounds.map(said)].join('\n\n');
}

function said(round: Round): string {
  const { report } = round;
  const lines = [
    ...round.blocking.map(({ finding }) => inOneLine(finding)),
    ...round.others.map((finding) => `${inOneLine(finding)} (does not block)`),
    ...(report?.evidence ?? []).map(
      ({ file, line, quote, found }) =>
        `evidence ${file}${line === null ? '' : `:${line}`} "${quote}" ${found ? 'stands there' : 'not found'}`,
    ),
  ].map((text) => `- ${inMarkdownLine(text, 1200)}`);
  return [
    `**${nameOf(round)}: ${round.verdict}.** ${inMarkdownLine(report?.summary ?? '', 2000)}`.trimEnd(),
    ...(lines.length === 0 ? [] : [lines.join('\n')]),
  ].join('\n\n');
}

/** Who took the work over, and why. */
const takeoversOf = ({ takeovers }: TaskReport['record']): readonly string[] =>
  takeovers.length === 0
    ? []
    : [
        table(
          ['took over', 'from', 'when', 'why'],
          takeovers.map(({ from, to, at, why }) => [to, from, moment(at), why]),
        ),
      ];

/** Attempts with their refs, then the gates of each. */
export function workPart({ attempts, refs, record }: TaskReport): string {
  if (attempts.length === 0) return 'The implementer has not answered yet.';
  const rows = attempts.map(({ number, change, fate }) => [
    number,
    change === undefined ? 'none' : diffStat(change),
    change === undefined ? '-' : short(change.commit),
    change === undefined ? '-' : (refs.get(change.commit) ?? 'no ref holds it any more'),
    fate,
  ]);
  const gates = attempts.flatMap(({ number, gates }) =>
    (gates?.results ?? []).map(({ name, outcome, exit, ms, base }) => [
      number,
      name,
      outcome,
      exit ?? '-',
      duration(ms),
      base,
    ]),
  );
  return [
    table(['attempt', 'change', 'commit', 'ref', 'what became of it'], rows),
    ...takeoversOf(record),
    gates.length === 0
      ? isUngated(record)
        ? 'There is no gate: only the reviewers decide.'
        : 'No gate has run.'
      : table(['attempt', 'gate', 'outcome', 'exit', 'time', 'on the base'], gates),
  ].join('\n\n');
}
